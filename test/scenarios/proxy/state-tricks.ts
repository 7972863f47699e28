import {gatedTool} from './lenient-upstream.ts';

/** States that were given to Ada for calls of the gated tool. */
export type GivenStates = Readonly<{
	/** Her call still waits for its approval. */
	held: string;
	/** Another call of hers waits: other arguments. */
	other: string;
	/** A call of hers ran, and the upstream asked for more. */
	asked: string;
	/** The same, and she answered already. */
	answered: string;
	/** A call of hers was rejected. */
	rejected: string;
}>;

export type StateTrick = Readonly<{
	name: string;
	/** Members of the params beside name and arguments. */
	params(states: GivenStates): Readonly<Record<string, unknown>>;
	/** Default: those of the call that the states belong to. */
	arguments?: Readonly<Record<string, unknown>>;
	tool?: string;
	/** Default: Ada. */
	sender?: 'Bob' | 'anonymous';
	/** It goes to another server of the team. */
	elsewhere?: boolean;
}>;

const flipped = (state: string, at: number): string =>
	state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);

const parts = (state: string): readonly [version: string, approval: string, run: string, signature: string] => {
	const [version = '', approval = '', run = '', signature = ''] = state.split('.');
	return [version, approval, run, signature];
};

const inputResponses = {confirm: {action: 'accept', content: {confirmed: true}}};
const otherApproval = '01890000-0000-7000-8000-000000000000';

const requestState = (forge: (states: GivenStates) => unknown): StateTrick['params'] => {
	return (states) => ({requestState: forge(states), inputResponses});
};

const forged: readonly StateTrick[] = [
	{name: 'a state of the upstream', params: requestState(() => 'of-the-upstream')},
	{name: 'an empty state', params: requestState(() => '')},
	{name: 'a state that is null', params: requestState(() => null)},
	{name: 'a state that is a number', params: requestState(() => 1)},
	{name: 'a state that is an object', params: requestState(({asked}) => ({state: asked}))},
	{name: 'a state in a list', params: requestState(({asked}) => [asked])},
	{name: 'a state without a signature', params: requestState(({asked}) => parts(asked).slice(0, 3).join('.'))},
	{name: 'an empty signature', params: requestState(({asked}) => [...parts(asked).slice(0, 3), ''].join('.'))},
	{
		name: 'a changed signature',
		params: requestState(({asked}) => flipped(asked, parts(asked).slice(0, 3).join('.').length + 3)),
	},
	{name: 'a cut signature', params: requestState(({asked}) => parts(asked).join('.').slice(0, -1))},
	{name: 'another approval', params: requestState(({asked}) => asked.replace(parts(asked)[1], otherApproval))},
	{
		name: 'the approval of another call',
		params: requestState(({asked, held}) => asked.replace(parts(asked)[1], parts(held)[1])),
	},
	{name: 'a held call that says it runs', params: requestState(({held}) => held.replace(/\.0\./, '.1.'))},
	{name: 'a later run', params: requestState(({asked}) => asked.replace(/\.1\./, '.2.'))},
	{name: 'another upstream state behind the signature', params: requestState(({asked}) => `${asked}x`)},
	{name: 'an upstream state behind that of a held call', params: requestState(({held}) => `${held}.of-the-upstream`)},
	{name: 'another version', params: requestState(({asked}) => asked.replace(/^sbx1/, 'sbx0'))},
	{name: 'the version in capitals', params: requestState(({asked}) => asked.toUpperCase())},
	{name: 'a blank before the state', params: requestState(({asked}) => ` ${asked}`)},
	{name: 'the state twice', params: requestState(({asked}) => `${asked}.${asked}`)},
	{name: 'the state under another key', params: ({asked}) => ({request_state: asked, inputResponses})},
	{name: 'the state among the metadata', params: ({asked}) => ({_meta: {requestState: asked}, inputResponses})},
];

const foreign: readonly StateTrick[] = (['held', 'asked'] as const).flatMap((state) => [
	{name: `a ${state} state, by Bob`, params: requestState((states) => states[state]), sender: 'Bob' as const},
	{name: `a ${state} state, by nobody`, params: requestState((states) => states[state]), sender: 'anonymous' as const},
	{name: `a ${state} state, to another server`, params: requestState((states) => states[state]), elsewhere: true},
	{name: `a ${state} state, other arguments`, params: requestState((states) => states[state]), arguments: {id: '9'}},
	{name: `a ${state} state, no arguments`, params: requestState((states) => states[state]), arguments: {}},
	{name: `a ${state} state, another tool`, params: requestState((states) => states[state]), tool: `${gatedTool}s`},
]);

const stale: readonly StateTrick[] = [
	{name: 'a state that was used', params: requestState(({answered}) => answered)},
	{name: 'a state that was used, without answers', params: ({answered}) => ({requestState: answered})},
	{name: 'a state that was used, by Bob', params: requestState(({answered}) => answered), sender: 'Bob'},
	{name: 'the state of a rejected call', params: requestState(({rejected}) => rejected)},
	{
		name: 'the state of a rejected call that says it runs',
		params: requestState(({rejected}) => rejected.replace('.0.', '.1.')),
	},
	{name: 'the state of a call that waits', params: requestState(({held}) => held)},
	{name: 'the state of another call that waits', params: requestState(({other}) => other)},
	{name: 'answers without a state', params: () => ({inputResponses})},
];

/** Calls of the gated tool that try to be taken for the continuation of one that was approved. */
export const stateTricks: readonly StateTrick[] = [...forged, ...foreign, ...stale];
