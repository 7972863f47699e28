import {RE2JS, RE2JSException} from 're2js';

/** A compiled regular expression. */
export type LinearRegex = Readonly<{
	/**
	 * Whether it matches anywhere in the text.
	 * @throws RangeError when this expression is too slow for the text. What was tested before counts: see `retryAfresh`.
	 */
	test(text: string): boolean;
	/** Forgets what was learnt from the texts so far. */
	forget(): void;
}>;

const longestPattern = 1000;
/** Instructions of the compiled program: a counted repetition repeats its part. */
const largestProgram = 500;
/** Characters: about 8 ns each where the automaton knows its way. */
const longestText = 2 * 1024 * 1024;
/** Instructions looked at to make transitions of the automaton, about 50 ns each: 10 ms. */
const mostWork = 200_000;
/** What a transition costs beside its instructions. */
const workOfTransition = 40;
/** Bytes that an automaton may take. */
const memory = 1024 * 1024;

class TooSlow extends RangeError {
	constructor() {
		super(
			'the pattern is too slow for this text: shorten its {n,m}, or let fewer of its parts match the same characters',
		);
	}
}

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
 * RE2JS makes its automaton while it reads, and gives it up for slower engines where it grows. Here it throws instead: what
 * is left costs a few nanoseconds for each character, and a bounded time to make the automaton.
 */
const limited = (regex: RE2JS): Pick<LinearRegex, 'forget'> => {
	const engine = regex.re2();
	// Engines and shortcuts that have no such limit.
	Object.assign(engine, {onepass: null, prefilter: null});
	const {dfa} = engine;
	const makeStep = dfa.step.bind(dfa);
	let work = 0;
	dfa.step = (...transition: Parameters<typeof makeStep>) => {
		const [state, symbol] = transition;
		const known = state.next?.[symbol];
		if (known) return known;
		const next = work > mostWork ? null : makeStep(...transition);
		if (next === null) throw new TooSlow();
		work += workOfTransition + state.nfaStates.length + next.nfaStates.length;
		return next;
	};
	const forget = (): void => {
		work = 0;
		dfa.clearCache();
	};
	dfa.stateBudget = memory;
	forget();
	return {forget};
};

/**
 * Compiles a regular expression in the syntax of RE2: matching takes time proportional to the length of the text, so there
 * are no back references and no look-around.
 * @throws SyntaxError with a message for people, for what RE2 does not know and for what is too large.
 */
export const compileRegex = (pattern: string): LinearRegex => {
	const regex = compile(pattern);
	if (regex.programSize() > largestProgram) throw new SyntaxError('repeats too much: shorten its {n,m}');
	const {forget} = limited(regex);
	return {
		test: (text) => {
			if (text.length > longestText)
				throw new RangeError(`the text has ${text.length} characters, and a pattern takes at most ${longestText}`);
			return regex.test(text);
		},
		forget,
	};
};

/**
 * Runs what tests texts. What earlier texts taught an expression speeds up the later ones, and must not be why one of them
 * is refused: then everything is forgotten and done anew. So the texts of this run alone decide.
 */
export const retryAfresh = <T>(regexes: readonly LinearRegex[], run: () => T): T => {
	try {
		return run();
	} catch (error) {
		if (!(error instanceof TooSlow)) throw error;
		for (const regex of regexes) regex.forget();
		return run();
	}
};
