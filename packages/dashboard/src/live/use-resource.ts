import {ApiError} from '@signalbox/client-sdk';
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {sessionEnded} from '../session/session.ts';
import {type LiveTopic, listen} from './live.ts';
import {epoch, isOver, keep, readOnce, recall} from './resource-cache.ts';

export type Resource<T> = Readonly<{
	/** Undefined until it was read once. Stays while it is read again. */
	data: T | undefined;
	/** Why the last reading failed; `data` is then older. */
	error: unknown;
	reload(): void;
	/**
	 * Shows what is known to be so before it is read again. What was read earlier does not come back, nor what is read while it
	 * is still being saved.
	 * @param saving Never fails. Once it ends, everything is read again.
	 */
	change(next: (data: T) => T, saving?: Promise<void>): void;
}>;

/** Reads at once at most: while one reading is on its way, all further wishes become one. */
const coalesce = (read: () => Promise<void>): (() => void) => {
	let running = false;
	let again = false;
	const run = async (): Promise<void> => {
		if (running) {
			again = true;
			return;
		}
		running = true;
		await read();
		running = false;
		if (again) {
			again = false;
			await run();
		}
	};
	return () => void run();
};

type State<T> = Readonly<{key: string; data: T | undefined; error: unknown}>;

const isSessionOver = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * What a page shows: read when it is opened, when the key changes, and again whenever the stream tells of one of the topics.
 * What was read under the same key before is shown meanwhile.
 */
export const useResource = <T>(key: string, load: () => Promise<T>, topics: readonly LiveTopic[] = []): Resource<T> => {
	const [state, setState] = useState<State<T>>(() => ({key, data: recall<T>(key), error: undefined}));
	const latest = useRef(load);
	latest.current = load;
	const read = useRef<() => void>(() => undefined);
	const changes = useRef(0);
	const unsaved = useRef(0);
	const era = epoch.value;
	// The era is not read below: a new one says that everything is somebody else's now.
	useEffect(() => {
		let gone = false;
		setState({key, data: recall<T>(key), error: undefined});
		const show = (next: Partial<State<T>>): void => {
			if (!gone) setState((was) => ({...was, ...next}));
		};
		read.current = coalesce(async () => {
			if (gone || isOver(key)) return;
			try {
				const seen = changes.current;
				const data = await readOnce(key, () => latest.current());
				if (unsaved.current > 0) return;
				if (changes.current !== seen) return read.current();
				if (!gone) keep(key, data);
				show({data, error: undefined});
			} catch (error) {
				if (isSessionOver(error)) sessionEnded();
				show({error});
			}
		});
		read.current();
		const stop = listen(topics, () => read.current());
		return () => {
			gone = true;
			stop();
		};
	}, [key, era, topics.join()]);
	const reload = useCallback(() => read.current(), []);
	const change = useCallback((next: (data: T) => T, saving?: Promise<void>) => {
		changes.current += 1;
		setState((was) => (was.data === undefined ? was : {...was, data: next(was.data)}));
		if (saving === undefined) return;
		unsaved.current += 1;
		void saving.then(() => {
			unsaved.current -= 1;
			read.current();
		});
	}, []);
	const current = state.key === key ? state : {data: recall<T>(key), error: undefined};
	return {data: current.data, error: current.error, reload, change};
};
