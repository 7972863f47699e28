import type {DomainEvent, Ports} from './ports/index.ts';
import {millisecondsOf} from './values/instant.ts';

/**
 * The record behind a slug, mostly without asking the store. What this process changed is seen at once; what another one
 * changed, and told nobody, at most a second later. A record that did not change stays the same object, so that what is
 * derived from it can be kept with it.
 */
export type Directory<T> = Readonly<{
	find(slug: string): Promise<T | undefined>;
	/** The record, if it need not be asked for: undefined says nothing. */
	known(slug: string): T | undefined;
}>;

export type DirectorySource<T> = Readonly<{
	/** Asks the store. `known` is what an earlier reading answered: answered again while nothing changed. */
	read(slug: string, known: T | undefined): Promise<T | undefined>;
	/** Which records an event is about, or undefined when it is about none. */
	changedBy(event: DomainEvent): ((record: T) => boolean) | undefined;
}>;

type Needs = Pick<Ports, 'signals' | 'clock'>;

type Known<T> = Readonly<{record: T; read_at: number}>;

/** Milliseconds that a record may be used for without being read again. */
const freshFor = 1000;
/** Those that are in use at the same time are few; a record is seldom larger than a few KiB. */
const mostRecords = 1000;

export const createDirectory = <T>(needs: Needs, source: DirectorySource<T>): Directory<T> => {
	const known = createKnown<T>();
	let running = new Map<string, Promise<T | undefined>>();
	needs.signals.subscribe((event) => {
		const isChanged = source.changedBy(event);
		if (isChanged === undefined) return;
		known.forget(isChanged);
		// What a read that began before the change answers is what was true before: nobody who asks from now on gets it.
		running = new Map();
	});

	const read = async (slug: string, read_at: number): Promise<T | undefined> => {
		const begunUnder = running;
		const record = await source.read(slug, known.last(slug));
		if (record !== undefined && begunUnder === running) known.keep(slug, {record, read_at});
		return record;
	};

	/** Slugs that nobody has are not remembered, or whoever tries many would push out those that are in use. */
	const shareRead = (slug: string, now: number): Promise<T | undefined> => {
		const shared = running;
		const reading = read(slug, now).finally(() => shared.delete(slug));
		shared.set(slug, reading);
		return reading;
	};

	return {
		find: async (slug) => {
			const now = millisecondsOf(needs.clock.now());
			return known.fresh(slug, now) ?? running.get(slug) ?? shareRead(slug, now);
		},
		known: (slug) => known.fresh(slug, millisecondsOf(needs.clock.now())),
	};
};

/** Those that were read last. What is in use is read anew each second. */
const createKnown = <T>() => {
	const known = new Map<string, Known<T>>();
	return {
		fresh: (slug: string, now: number): T | undefined => {
			const entry = known.get(slug);
			if (entry === undefined) return undefined;
			const age = now - entry.read_at;
			// A clock that was set back says nothing about age.
			return age >= 0 && age < freshFor ? entry.record : undefined;
		},
		last: (slug: string): T | undefined => known.get(slug)?.record,
		keep: (slug: string, entry: Known<T>): void => {
			known.delete(slug);
			known.set(slug, entry);
			const [oldest] = known.keys();
			if (known.size > mostRecords && oldest !== undefined) known.delete(oldest);
		},
		forget: (isChanged: (record: T) => boolean): void => {
			for (const [slug, {record}] of known) if (isChanged(record)) known.delete(slug);
		},
	};
};
