const hint = 'Write a cron expression, a macro like @daily, or words like "every weekday at 9:30am".';

/** The words of a schedule, read from left to right. */
export type ScheduleReader = Readonly<{
	/** Whether a word is left. */
	hasMore(): boolean;
	/** Takes the next words if they are these. */
	accept(...words: readonly string[]): boolean;
	/** Takes the next word if it can be read, else leaves it. */
	acceptAs<T>(read: (word: string) => T | undefined): T | undefined;
	/** Takes one thing and, after `,` or `and` or both, more. */
	list<T>(item: () => T): readonly T[];
	/** @throws SyntaxError that names the next word. */
	fail(expected: string): never;
}>;

/** @param text in lower case, words divided by single spaces. `9 am` is read as `9am`. */
export const createScheduleReader = (text: string): ScheduleReader => {
	const words = text
		.replace(/(\d) (?=[ap]m\b)/g, '$1')
		.replaceAll(',', ' , ')
		.split(' ')
		.filter((word) => word !== '');
	let at = 0;
	const accept = (...next: readonly string[]): boolean => {
		const isNext = next.every((word, index) => words[at + index] === word);
		if (isNext) at += next.length;
		return isNext;
	};
	const acceptSeparator = (): boolean => {
		const hasComma = accept(',');
		return accept('and') || hasComma;
	};
	return {
		hasMore: () => at < words.length,
		accept,
		acceptAs: (read) => {
			const value = read(words[at] ?? '');
			if (value !== undefined) at += 1;
			return value;
		},
		list: (item) => {
			const items = [item()];
			while (acceptSeparator()) items.push(item());
			return items;
		},
		fail: (expected) => {
			const found = at < words.length ? `'${words[at]}'` : 'the end';
			throw new SyntaxError(`${found} stands where ${expected} should. ${hint}`);
		},
	};
};
