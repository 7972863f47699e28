import {type GlobNode, parseGlob} from './glob-syntax.ts';

/** A compiled pattern over a whole name. */
export type Glob = Readonly<{matches(name: string): boolean}>;

/** One place in the compiled automaton; numbers are places to go to. */
type State =
	| Readonly<{kind: 'step'; accepts: (character: number) => boolean; next: number}>
	| Readonly<{kind: 'fork'; next: readonly number[]}>
	| Readonly<{kind: 'end'}>;

/**
 * Compiles a glob: `*` any run of characters (also `/`, `.` and none at all), `?` exactly one, `[a-z]` and `[!a-z]` one of
 * (not of) a set, `{a,b}` either alternative, which may hold globs. All else stands for itself, case-sensitively; a
 * wildcard that is meant literally goes into a set: `[*]`. Characters are Unicode code points. Matching takes time
 * proportional to the length of the name, whatever the pattern.
 * @throws SyntaxError for a malformed pattern, with a message for people.
 */
export const compileGlob = (pattern: string): Glob => {
	const nodes = parseGlob(pattern);
	if (nodes.every((node) => node.kind === 'literal')) return {matches: (name) => name === pattern};
	const affixes = affixesOf(nodes);
	if (affixes !== undefined) return {matches: (name) => hasAffixes(name, affixes)};
	const states: State[] = [{kind: 'end'}];
	const start = addSequence(states, nodes, 0);
	return {matches: (name) => run(states, start, name)};
};

type Affixes = Readonly<{prefix: string; suffix: string}>;

/** What stands before and after the one `*` of a pattern like `get_*`: most are, and need no automaton, which takes 1 us. */
const affixesOf = (nodes: readonly GlobNode[]): Affixes | undefined => {
	const at = nodes.findIndex((node) => node.kind === 'run');
	const prefix = literalText(nodes.slice(0, at));
	const suffix = literalText(nodes.slice(at + 1));
	return at < 0 || prefix === undefined || suffix === undefined ? undefined : {prefix, suffix};
};

const literalText = (nodes: readonly GlobNode[]): string | undefined => {
	const characters = nodes.filter((node) => node.kind === 'literal').map(({character}) => character);
	const text = String.fromCodePoint(...characters);
	// Half a character could match half of another one; the automaton knows only whole ones.
	return characters.length === nodes.length && text.isWellFormed() ? text : undefined;
};

const hasAffixes = (name: string, {prefix, suffix}: Affixes): boolean =>
	name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix);

/** What is wrong with the pattern, or undefined. */
export const globProblem = (pattern: string): string | undefined => {
	try {
		parseGlob(pattern);
		return undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return error.message;
		throw error;
	}
};

/** Adds what leads through `nodes` to the state `next`. @returns where it starts. */
const addSequence = (states: State[], nodes: readonly GlobNode[], next: number): number =>
	nodes.reduceRight((after, node) => addNode(states, node, after), next);

const addNode = (states: State[], node: GlobNode, next: number): number => {
	switch (node.kind) {
		case 'literal':
			return states.push({kind: 'step', accepts: (character) => character === node.character, next}) - 1;
		case 'any':
			return states.push({kind: 'step', accepts: () => true, next}) - 1;
		case 'set':
			return states.push({kind: 'step', accepts: (character) => node.has(character), next}) - 1;
		case 'run': {
			const fork = states.length;
			states.push({kind: 'fork', next: [next, fork + 1]}, {kind: 'step', accepts: () => true, next: fork});
			return fork;
		}
		case 'either': {
			const starts = node.alternatives.map((alternative) => addSequence(states, alternative, next));
			return states.push({kind: 'fork', next: starts}) - 1;
		}
	}
};

/** Follows every way through the automaton at once, so that no pattern can make it go back. */
const run = (states: readonly State[], start: number, name: string): boolean => {
	const reachedAt = new Int32Array(states.length).fill(-1);
	let current: number[] = [];
	enter(states, start, {into: current, reachedAt, turn: 0});
	let turn = 0;
	for (const text of name) {
		if (current.length === 0) return false;
		const character = text.codePointAt(0) as number;
		const following: number[] = [];
		turn += 1;
		for (const index of current) {
			const state = states[index] as State;
			if (state.kind === 'step' && state.accepts(character)) {
				enter(states, state.next, {into: following, reachedAt, turn});
			}
		}
		current = following;
	}
	return current.some((index) => states[index]?.kind === 'end');
};

type Turn = Readonly<{into: number[]; reachedAt: Int32Array; turn: number}>;

const enter = (states: readonly State[], start: number, {into, reachedAt, turn}: Turn): void => {
	const waiting = [start];
	for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
		if (reachedAt[index] === turn) continue;
		reachedAt[index] = turn;
		const state = states[index] as State;
		if (state.kind === 'fork') waiting.push(...state.next);
		else into.push(index);
	}
};
