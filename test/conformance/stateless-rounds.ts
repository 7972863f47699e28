import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {text} from './fixture-content.ts';

type InputRequests = Readonly<Record<string, Readonly<{method: string; params: object}>>>;
type Capabilities = Readonly<Record<string, unknown>>;

/** What the params of a request bring of earlier rounds. */
export type Answered = Readonly<{
	name: string;
	requestState?: string;
	/** An object, when it is what it should be. */
	inputResponses?: unknown;
	capabilities: Capabilities;
}>;

const form = (message: string, field: string, type = 'string') => ({
	method: 'elicitation/create',
	params: {
		mode: 'form',
		message,
		requestedSchema: {type: 'object', properties: {[field]: {type}}, required: [field]},
	},
});

const sampling = {
	method: 'sampling/createMessage',
	params: {messages: [{role: 'user', content: text('What is the capital of France?')}], maxTokens: 100},
};

const roots = {method: 'roots/list', params: {}};
const userName = form('What is your name?', 'name');
const confirm = form('Please confirm', 'ok', 'boolean');

/** What is asked of the client, round by round, before a tool or prompt answers. */
const rounds: Readonly<Record<string, readonly InputRequests[]>> = {
	test_input_required_result_elicitation: [{user_name: userName}],
	test_input_required_result_sampling: [{sample_request: sampling}],
	test_input_required_result_list_roots: [{roots_request: roots}],
	test_input_required_result_request_state: [{confirm}],
	test_input_required_result_multiple_inputs: [{user_name: userName, greeting: sampling, client_roots: roots}],
	test_input_required_result_multi_round: [{step1: userName}, {step2: form('What is your favorite color?', 'color')}],
	test_input_required_result_tampered_state: [{confirm}],
	test_input_required_result_capabilities: [{elicit_input: form('Some input', 'value'), sample_input: sampling}],
	test_input_required_result_prompt: [{user_context: form('What context should the prompt use?', 'context')}],
};

export const interactiveTools = Object.keys(rounds).filter((name) => !name.endsWith('_prompt'));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const secret = randomBytes(32);
const macOf = (round: string): Buffer => createHmac('sha256', secret).update(round).digest();

const sign = (round: string): string => `${round}.${macOf(round).toString('base64url')}`;

/** The round that a state was made for; undefined when it was not made here. */
const verify = (state: string): string | undefined => {
	const [, round = '', mac = ''] = /^(\w+:\d+)\.([\w-]+)$/.exec(state) ?? [];
	const [given, own] = [Buffer.from(mac, 'base64url'), macOf(round)];
	return given.length === own.length && timingSafeEqual(given, own) ? round : undefined;
};

const neededFor: Readonly<Record<string, string>> = {
	'elicitation/create': 'elicitation',
	'sampling/createMessage': 'sampling',
	'roots/list': 'roots',
};

const askable = (asked: InputRequests, capabilities: Capabilities): InputRequests =>
	Object.fromEntries(
		Object.entries(asked).filter(([, {method}]) => Object.hasOwn(capabilities, neededFor[method] ?? '')),
	);

const words = (inputResponses: object): string => `state-ok integrity-ok: ${JSON.stringify(inputResponses)}`;

export type RoundAnswer =
	| Readonly<{inputs: InputRequests; requestState: string}>
	| Readonly<{said: string}>
	| 'refused';

const shapes: Readonly<Record<string, string>> = {
	'elicitation/create': 'action',
	'sampling/createMessage': 'content',
	'roots/list': 'roots',
};

const answers = (asked: InputRequests[string] | undefined, given: unknown): boolean =>
	isRecord(given) && Object.hasOwn(given, shapes[asked?.method ?? ''] ?? '');

/**
 * The round a request is in: what it must still be asked, or what is said in the end. Undefined for a name without rounds;
 * refused when the state was not made here or the answers are no object.
 */
export const answerRound = ({
	name,
	requestState,
	inputResponses = {},
	capabilities,
}: Answered): RoundAnswer | undefined => {
	const asked = Object.hasOwn(rounds, name) ? rounds[name] : undefined;
	if (asked === undefined) return undefined;
	if (!isRecord(inputResponses)) return 'refused';
	const round = requestState === undefined ? `${name}:0` : verify(requestState);
	if (round === undefined || !round.startsWith(`${name}:`)) return 'refused';
	const index = Number(round.slice(name.length + 1));
	const inputs = askable(asked[index] ?? {}, capabilities);
	const isAnswered = Object.keys(inputs).every((key) => answers(inputs[key], inputResponses[key]));
	if (!isAnswered) return {inputs, requestState: sign(round)};
	const next = asked[index + 1];
	return next === undefined
		? {said: words(inputResponses)}
		: {inputs: askable(next, capabilities), requestState: sign(`${name}:${index + 1}`)};
};
