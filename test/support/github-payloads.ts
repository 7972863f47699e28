import events from '@octokit/webhooks-examples' with {type: 'json'};
import type {RoutingRule} from '@signalbox/core';

type Payload = Readonly<Record<string, unknown>> &
	Readonly<{sender?: Readonly<{login: string; id: number}>; repository?: Readonly<{full_name: string}>}>;

/** A payload of GitHub, its event, and the bytes in which it comes. */
export type Example = Readonly<{event: string; payload: Payload; text: string}>;

const definitions = events as unknown as readonly Readonly<{name: string; examples: readonly Payload[]}>[];

/** All that `@octokit/webhooks-examples` holds. */
export const examples: readonly Example[] = definitions.flatMap(({name, examples: payloads}) =>
	payloads.map((payload) => ({event: name, payload, text: JSON.stringify(payload)})),
);

type Condition = Pick<RoutingRule, 'condition_source' | 'condition_field' | 'condition_operator' | 'condition_value'>;
type Expectation = Readonly<{rule: Condition; matches: (example: Example) => boolean}>;

const on =
	(condition_source: Condition['condition_source'], condition_field: string | null = null) =>
	(
		condition_operator: Condition['condition_operator'],
		condition_value: string | null,
		matches: Expectation['matches'],
	): Expectation => ({rule: {condition_source, condition_field, condition_operator, condition_value}, matches});

const onEvent = on('header', 'x-github-event');
const onLogin = on('body', '$.sender.login');
const onMethod = on('method');

/** A rule of each source and operator, and what it says of a payload, told without JSONPath and without the rules. */
export const expectations: readonly Expectation[] = [
	onEvent('equals', 'push', ({event}) => event === 'push'),
	onEvent('not_equals', 'push', ({event}) => event !== 'push'),
	onEvent('contains', 'pull_request', ({event}) => event.includes('pull_request')),
	onEvent('matches', '^(issues?|star)', ({event}) => /^(issues?|star)/.test(event)),
	onEvent('exists', null, () => true),
	onLogin('equals', 'Codertocat', ({payload}) => payload.sender?.login === 'Codertocat'),
	onLogin('not_equals', 'Codertocat', ({payload}) => payload.sender?.login !== 'Codertocat'),
	onLogin('contains', 'to', ({payload}) => payload.sender?.login.includes('to') ?? false),
	onLogin('matches', '(?i)CAT$', ({payload}) => /cat$/i.test(payload.sender?.login ?? '')),
	onLogin('exists', null, ({payload}) => payload.sender !== undefined),
	on('body', "$..[?search(@.full_name, '/')].id")('exists', null, ({text}) => /"full_name":"[^"]*\//.test(text)),
	onMethod('equals', 'POST', () => true),
	onMethod('not_equals', 'POST', () => false),
];
