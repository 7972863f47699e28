import {RE2JS, RE2JSException} from 're2js';

/** A compiled regular expression. */
export type LinearRegex = Readonly<{
	/** Whether it matches anywhere in the text. @throws RangeError for a text too long for this expression. */
	test(text: string): boolean;
}>;

const longestPattern = 1000;
/** Instructions of the compiled program: a counted repetition repeats its part. */
const largestProgram = 500;
/**
 * Instructions times characters. Matching takes at most about 25 ns for each of them, reached only by patterns made for it:
 * 50 ms in all.
 */
const budget = 2_000_000;

const compile = (pattern: string): RE2JS => {
	if (pattern.length > longestPattern) throw new SyntaxError(`is longer than ${longestPattern} characters`);
	try {
		return RE2JS.compile(pattern);
	} catch (error) {
		if (!(error instanceof RE2JSException)) throw error;
		throw new SyntaxError(error.message.replace(/^error parsing regexp: /, ''));
	}
};

/**
 * Compiles a regular expression in the syntax of RE2: matching takes time proportional to the length of the text, so there
 * are no back references and no look-around.
 * @throws SyntaxError with a message for people, for what RE2 does not know and for what is too large.
 */
export const compileRegex = (pattern: string): LinearRegex => {
	const regex = compile(pattern);
	const size = regex.programSize();
	if (size > largestProgram) throw new SyntaxError('repeats too much: shorten its {n,m}');
	const longestText = Math.floor(budget / size);
	return {
		test: (text) => {
			if (text.length > longestText)
				throw new RangeError(`the text has ${text.length} characters, and this pattern takes at most ${longestText}`);
			return regex.test(text);
		},
	};
};
