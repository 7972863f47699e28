/** Statements kept prepared on a connection, and the longest text worth it. */
const maxKept = 200;
const maxLength = 4096;

/** Statements by their text. Preparing one costs more than most of them do, and the texts are few. */
export type StatementCache<S> = Readonly<{
	/** @returns undefined for a text that is too long to be kept. */
	get(text: string): S | undefined;
	forget(text: string): void;
	/** @returns every statement that was kept; from now on none is. */
	clear(): readonly S[];
}>;

/** The statement that was made first goes first, to `discard`. */
export const createStatementCache = <S>(
	prepare: (text: string) => S,
	discard: (statement: S) => void = () => undefined,
): StatementCache<S> => {
	const kept = new Map<string, S>();
	const drop = (text: string): void => {
		const statement = kept.get(text);
		if (kept.delete(text) && statement !== undefined) discard(statement);
	};
	const make = (text: string): S => {
		const statement = prepare(text);
		const [oldest] = kept.keys();
		if (kept.size >= maxKept && oldest !== undefined) drop(oldest);
		kept.set(text, statement);
		return statement;
	};
	return {
		get: (text) => kept.get(text) ?? (text.length > maxLength ? undefined : make(text)),
		forget: (text) => void kept.delete(text),
		clear: () => {
			const statements = [...kept.values()];
			kept.clear();
			return statements;
		},
	};
};
