/** What was piped in, without the line end that editors and `echo` put last. */
export const withoutLineEnd = (input: string): string => input.replace(/\r?\n$/, '');
