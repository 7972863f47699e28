/** The first characters, by code point: a surrogate pair is never cut in two. */
export const firstCharacters = (text: string, count: number): string => {
	if (text.length <= count) return text;
	let end = 0;
	for (let taken = 0; taken < count && end < text.length; taken += 1) {
		end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
	}
	return text.slice(0, end);
};
