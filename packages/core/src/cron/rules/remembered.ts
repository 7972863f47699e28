/** Answers of a pure function by its key, the last `most` of them: a Map keeps the order in which they came. */
export const remembered = <T>(most: number, find: (key: string) => T): ((key: string) => T) => {
	const answers = new Map<string, T>();
	return (key) => {
		const known = answers.get(key);
		if (known !== undefined || answers.has(key)) return known as T;
		const answer = find(key);
		const [oldest] = answers.keys();
		if (answers.size >= most && oldest !== undefined) answers.delete(oldest);
		answers.set(key, answer);
		return answer;
	};
};
