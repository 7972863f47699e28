const shortest = 8;
const longest = 256;

/** The form of a password that is hashed: NFC, so that the same letters match from every keyboard (RFC 8265). */
export const passwordForm = (password: string): string => password.normalize('NFC');

/** What is wrong with a text as a password, or undefined. Characters are code points. */
export const passwordProblem = (password: string): string | undefined => {
	if (!password.isWellFormed()) return 'must be well-formed Unicode text';
	// The cheap bound first: counting code points of a huge text is work for nothing.
	const length = password.length > longest * 2 ? Number.POSITIVE_INFINITY : [...password].length;
	return length >= shortest && length <= longest ? undefined : `must have ${shortest} to ${longest} characters`;
};
