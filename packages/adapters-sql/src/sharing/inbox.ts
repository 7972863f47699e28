import {mostSignalRows, type SignalLog, type SignalRow} from './signal-log.ts';

/** Milliseconds for which a number that was left out is looked for: its transaction may still be under way. */
const lateMs = 5000;

/** Numbers that are looked for at once. */
const mostMissing = 256;

export type Inbox = Readonly<{
	/** Begins after what is there now. Until it has succeeded, `read` does it. */
	begin(): Promise<void>;
	/** Hands on each row that has come since, once. */
	read(): Promise<void>;
}>;

/** Numbers below the newest that were not seen, and since when. */
const createMissing = () => {
	const since = new Map<number, number>();
	return {
		list: (): readonly number[] => {
			for (const [seq, at] of since) if (performance.now() - at > lateMs) since.delete(seq);
			return [...since.keys()];
		},
		/** A row has come, and the newest before it was `newest`. */
		note: (seq: number, newest: number): void => {
			since.delete(seq);
			for (let skipped = Math.max(newest + 1, seq - mostMissing); skipped < seq; skipped += 1)
				since.set(skipped, performance.now());
			for (const oldest of since.keys()) {
				if (since.size <= mostMissing) break;
				since.delete(oldest);
			}
		},
	};
};

export const createInbox = (log: SignalLog, hear: (row: SignalRow) => void): Inbox => {
	const missing = createMissing();
	let newest: number | undefined;
	const begin = async (): Promise<number> => {
		newest ??= await log.newest();
		return newest;
	};
	const take = (after: number, row: SignalRow): number => {
		missing.note(row.seq, after);
		hear(row);
		return Math.max(after, row.seq);
	};
	const readSome = async (): Promise<number> => {
		const after = await begin();
		const rows = await log.read(after, missing.list());
		newest = rows.reduce(take, after);
		return rows.length;
	};
	return {
		begin: async () => {
			await begin();
		},
		read: async () => {
			while ((await readSome()) === mostSignalRows);
		},
	};
};
