import type {HeaderField} from '../model/message.ts';

/** Header fields as people read them: one line for each name, in the order and spelling of its first field. */
export const shownHeaders = (
	headers: readonly HeaderField[],
	show: (text: string) => string,
): Record<string, string> => {
	const lines = new Map<string, Readonly<{name: string; values: string[]}>>();
	for (const [name, value] of headers) {
		const line = lines.get(name.toLowerCase()) ?? {name, values: []};
		line.values.push(show(value));
		lines.set(name.toLowerCase(), line);
	}
	return Object.fromEntries(Array.from(lines.values(), ({name, values}) => [name, values.join(', ')]));
};
