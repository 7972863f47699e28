/** Who makes a call, and with which credential. */
export type Sender =
	| 'anonymous'
	| 'key of Ada'
	| 'other key of Ada'
	| 'token of Ada'
	| 'key of Bob'
	| 'token of Bob'
	| 'key of a stranger'
	| 'token of a stranger'
	/** A credential of the upstream's: to us it is nobody's. */
	| 'bearer of the upstream'
	| 'deleted key of Ada'
	| 'key of a member who left'
	| 'expired token of Ada';

/** What became of the first call of the gated tool before the second one comes. */
export type FirstCall = 'waiting' | 'left behind' | 'granted and left behind' | 'rejected' | 'used' | 'expired';

export type SessionReplay = Readonly<{
	name: string;
	/** Who made the first call, in a session of the upstream. */
	first: Sender;
	state: FirstCall;
	/** Who sends it again, in the same session. */
	second: Sender;
	/** What is different about it. Default: nothing. */
	body?: (text: string) => string;
	/** It goes to another server of the team. */
	elsewhere?: boolean;
	/** Members only may call. */
	require_auth?: boolean;
}>;

const states: readonly FirstCall[] = [
	'waiting',
	'left behind',
	'granted and left behind',
	'rejected',
	'used',
	'expired',
];

const strangers: readonly (readonly [first: Sender, second: Sender])[] = [
	['key of Ada', 'key of Bob'],
	['key of Ada', 'token of Bob'],
	['key of Ada', 'other key of Ada'],
	['key of Ada', 'token of Ada'],
	['key of Ada', 'key of a stranger'],
	['key of Ada', 'anonymous'],
	['key of Ada', 'bearer of the upstream'],
	['key of Ada', 'deleted key of Ada'],
	['token of Ada', 'key of Ada'],
	['token of Ada', 'token of Bob'],
	['token of Ada', 'token of a stranger'],
	['token of Ada', 'anonymous'],
	['token of Ada', 'expired token of Ada'],
	['anonymous', 'key of Ada'],
	['anonymous', 'token of Bob'],
	['key of a member who left', 'key of Bob'],
];

const byOthers: readonly SessionReplay[] = strangers.flatMap(([first, second]) =>
	states.map((state) => ({name: `the call of ${first}, ${state}, sent again by ${second}`, first, state, second})),
);

const outside: readonly SessionReplay[] = states.flatMap((state) =>
	(['anonymous', 'key of a stranger', 'key of a member who left', 'bearer of the upstream'] as const).map((second) => ({
		name: `the call of a member, ${state}, sent again by ${second} from outside`,
		first: 'key of Ada',
		state,
		second,
		require_auth: true,
	})),
);

/** By the same caller: nobody approved this one. */
const bySelf: readonly SessionReplay[] = (['key of Ada', 'token of Ada', 'anonymous'] as const).flatMap((sender) => [
	...(['rejected', 'used', 'expired'] as const).map((state) => ({
		name: `the call of ${sender}, ${state}, sent again`,
		first: sender,
		state,
		second: sender,
	})),
	...Object.entries({
		'with a blank in its arguments': (text: string) => text.replace('"7"', ' "7"'),
		'with another argument': (text: string) => text.replace('"7"', '"8"'),
		'with an argument written with escapes': (text: string) => text.replace('"7"', '"\\u0037"'),
		'with arguments in another order': (text: string) => text.replace('"id":"7","at":1', '"at":1,"id":"7"'),
		'with a number in another form': (text: string) => text.replace('"at":1', '"at":1.0'),
		'without arguments': (text: string) => text.replace(/,"arguments":\{[^}]*\}/, ''),
	}).map(([title, body]) => ({
		name: `the call of ${sender}, granted and left behind, ${title}`,
		first: sender,
		state: 'granted and left behind' as const,
		second: sender,
		body,
	})),
	{
		name: `the call of ${sender}, granted and left behind, to another server`,
		first: sender,
		state: 'granted and left behind' as const,
		second: sender,
		elsewhere: true,
	},
]);

/** Calls of the gated tool that use a session, a hold or an approval which is not theirs. */
export const sessionReplays: readonly SessionReplay[] = [...byOthers, ...outside, ...bySelf];

/** What others may send in somebody's session while a call waits there, none of which is about their own call. */
export const interferences: readonly Readonly<{
	name: string;
	method?: string;
	headers?: readonly (readonly [string, string])[];
	body?: string;
}>[] = [
	{name: 'takes the call back', body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'},
	{
		name: 'answers under its id',
		body: '{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"approved":true}}}',
	},
	{name: 'asks something under its id', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}'},
	{name: 'resumes its stream', method: 'GET', headers: [['Last-Event-ID', '1']]},
	{name: 'opens its stream', method: 'GET', headers: [['Accept', 'text/event-stream']]},
	{name: 'ends its session', method: 'DELETE'},
	{name: 'reads its task', body: '{"jsonrpc":"2.0","id":1,"method":"tasks/result","params":{"taskId":"1"}}'},
	{
		name: 'begins its session anew',
		body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}',
	},
];
