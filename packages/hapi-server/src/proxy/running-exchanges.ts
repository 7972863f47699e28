import type {Exchange} from './exchange.ts';

/** The exchanges that are being served. */
export type RunningExchanges = Readonly<{
	/** @returns its place. */
	add(exchange: Exchange): number;
	remove(place: number): void;
	all(): readonly Exchange[];
	/** Resolves when none is left. */
	ended(): Promise<void>;
}>;

/**
 * An array with holes. V8 makes a new table for a Map or Set after every few deletions, and the old one points to the new
 * one and to all that it held: once one of them is in old space, each keeps the next, so that every exchange stayed in
 * memory until a full collection, 4 KB a call, and a collection of the young took 30 ms instead of 5.
 */
export const createRunningExchanges = (): RunningExchanges => {
	const exchanges: (Exchange | undefined)[] = [];
	const free: number[] = [];
	let waiting: (() => void)[] = [];
	const isEmpty = () => free.length === exchanges.length;
	return {
		add: (exchange) => {
			const place = free.pop() ?? exchanges.length;
			exchanges[place] = exchange;
			return place;
		},
		remove: (place) => {
			exchanges[place] = undefined;
			free.push(place);
			if (!isEmpty()) return;
			for (const resolve of waiting) resolve();
			waiting = [];
		},
		all: () => exchanges.filter((exchange) => exchange !== undefined),
		ended: () =>
			new Promise((resolve) => {
				if (isEmpty()) resolve();
				else waiting.push(resolve);
			}),
	};
};
