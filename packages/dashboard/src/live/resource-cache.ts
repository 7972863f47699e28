import {signal} from '@preact/signals';

const kept = new Map<string, unknown>();
const mostKept = 60;

const reading = new Map<string, Promise<unknown>>();

/** Changes when what was read belongs to somebody else now: whoever shows something reads it again. */
export const epoch = signal(0);

export const recall = <T>(key: string): T | undefined => kept.get(key) as T | undefined;

/** Keeps what was read last, so that a page that is opened again shows it at once. */
export const keep = (key: string, value: unknown): void => {
	kept.delete(key);
	kept.set(key, value);
	const oldest = kept.keys().next();
	if (kept.size > mostKept && !oldest.done) kept.delete(oldest.value);
};

const ended = new Set<string>();

/** Whether what the key names was deleted: its server would only answer that it is gone. */
export const isOver = (key: string): boolean => key.split('/').some((part) => ended.has(part));

/**
 * Deletes something while a page still shows it: what is named by its id is not read any more, and what is being read is
 * waited for. A failure of `remove` takes that back.
 */
export const endReading = async (id: string, remove: () => Promise<unknown>): Promise<void> => {
	ended.add(id);
	try {
		await Promise.allSettled([...reading].flatMap(([key, answer]) => (isOver(key) ? [answer] : [])));
		await remove();
	} catch (error) {
		ended.delete(id);
		throw error;
	}
};

export const forgetResources = (): void => {
	kept.clear();
	reading.clear();
	epoch.value += 1;
};

/** What several readers of one key want at the same time is asked for once. */
export const readOnce = async <T>(key: string, load: () => Promise<T>): Promise<T> => {
	const shared = reading.get(key) as Promise<T> | undefined;
	if (shared) return shared;
	const mine = load().finally(() => {
		if (reading.get(key) === mine) reading.delete(key);
	});
	reading.set(key, mine);
	return mine;
};
