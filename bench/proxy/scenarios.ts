export type UpstreamKind = 'cheap' | 'node';

/** Load put on each contestant in turn. */
export type Scenario = Readonly<{
	name: 'cheap' | 'cheap, one connection' | 'cheap, paced' | 'node:http' | 'large answers';
	connections: number;
	/** Requests a second, sent whether or not earlier ones were answered. Default: each connection as fast as it can. */
	rate?: number;
}>;

/** Scenarios that share one upstream, and one start of every contestant before it. */
export type Stage = Readonly<{upstream: UpstreamKind; answerBytes: number; scenarios: readonly Scenario[]}>;

/** Bytes of an answer as most tools give it. */
export const smallAnswer = 1200;
const largeAnswer = 32 * 1024;

export const stages: readonly Stage[] = [
	{
		upstream: 'cheap',
		answerBytes: smallAnswer,
		scenarios: [
			{name: 'cheap', connections: 32},
			{name: 'cheap, one connection', connections: 1},
			{name: 'cheap, paced', connections: 32, rate: 1000},
		],
	},
	{upstream: 'node', answerBytes: smallAnswer, scenarios: [{name: 'node:http', connections: 32}]},
	{upstream: 'cheap', answerBytes: largeAnswer, scenarios: [{name: 'large answers', connections: 32}]},
];
