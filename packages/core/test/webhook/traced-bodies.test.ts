import test from 'ava';
import type {EndpointRecord} from '../../src/webhook/model/endpoint.ts';
import type {WebhookMessage} from '../../src/webhook/model/message.ts';
import type {TypedConfig} from '../../src/webhook/model/middleware.ts';
import type {RoutingRule} from '../../src/webhook/model/routing-rule.ts';
import {tracedCharacters} from '../../src/webhook/model/trace.ts';
import {compileEndpoint} from '../../src/webhook/rules/compile-endpoint.ts';
import {expandTrace} from '../../src/webhook/rules/expand-trace.ts';
import {planAcceptance} from '../../src/webhook/rules/plan-acceptance.ts';
import {markersOf, messageOf, ruleOf, steps} from './support.ts';

const mebibyte = 1024 * 1024;

const plan = (
	received: WebhookMessage,
	{configs = [], rules = []}: Readonly<{configs?: readonly TypedConfig[]; rules?: readonly RoutingRule[]}>,
) => {
	const endpoint = {
		name: 'endpoint',
		destination_url: 'https://a.example',
		routing_mode: 'broadcast',
	} as EndpointRecord;
	return planAcceptance(compileEndpoint(endpoint, steps(...configs), rules), received, {
		event: {id: 'e1', created_at: '2026-01-31T09:30:00.000Z'},
		markers: markersOf({TOKEN: 's3cret'}),
		is_replay: false,
		nextId: () => 'd1',
	});
};

/** The bodies that a trace shows: of each step, of the result, and of each destination. */
const shownBy = (received: WebhookMessage, settings: Parameters<typeof plan>[1]) => {
	const {pipeline, routing} = expandTrace(plan(received, settings).trace, received);
	return [...pipeline.steps, pipeline.result, ...(routing?.destinations ?? [])].map(({body, body_truncated}) => ({
		body,
		body_truncated,
	}));
};

const setting = (set: Record<string, string | number | boolean>): TypedConfig => ({
	type: 'transform_body',
	config: {set},
});

test('twenty steps that change a body of 1 MiB leave less than 1 MiB of trace, and the body whole', (t) => {
	const received = messageOf({text: 'x'.repeat(mebibyte)});
	const configs = Array.from({length: 20}, (_, index) => setting({[`step_${index}`]: true}));
	const {trace, processed} = plan(received, {configs, rules: [ruleOf()]});
	t.is(trace.pipeline.steps.length, 20);
	t.true(JSON.stringify(trace).length < mebibyte);
	t.true((processed.body?.bytes.length ?? 0) > mebibyte);
});

test('a body that is cut says so, wherever a trace shows it', (t) => {
	const text = 'x'.repeat(tracedCharacters);
	const cut = {body: text, body_truncated: true as const};
	t.deepEqual(shownBy(messageOf(`${text}y`), {rules: [ruleOf()]}), [cut, cut]);
	const rules = [ruleOf({transform_body: `${text}z`})];
	t.deepEqual(shownBy(messageOf('short'), {rules}).at(-1), cut);
	const [step, result] = shownBy(messageOf({text}), {configs: [setting({more: 1})]});
	t.deepEqual(step, {body: `{"text":"${text}`.slice(0, tracedCharacters), body_truncated: true});
	t.deepEqual(result, step);
});

test('a body that fits is whole and has no mark, whatever came before it', (t) => {
	const whole = {body: 'x'.repeat(tracedCharacters), body_truncated: undefined};
	t.deepEqual(shownBy(messageOf(whole.body), {rules: [ruleOf()]}), [whole, whole]);
	const long = messageOf({text: 'x'.repeat(tracedCharacters)});
	const configs: readonly TypedConfig[] = [{type: 'transform_body', config: {remove: ['text']}}];
	const short = {body: '{}', body_truncated: undefined};
	t.deepEqual(shownBy(long, {configs, rules: [ruleOf()]}), [short, short, short]);
	const rules = [ruleOf({transform_body: 'fixed'}), ruleOf({sort_order: 1})];
	const [, fixed, plain] = shownBy(long, {rules});
	t.deepEqual(fixed, {body: 'fixed', body_truncated: undefined});
	t.true(plain?.body_truncated);
});

test('a cut goes through no character, and leaves nothing of a stand-in but the name of its variable', (t) => {
	const people = '👩'.repeat(tracedCharacters);
	t.deepEqual(shownBy(messageOf(`${people}👩`), {}), [{body: people, body_truncated: true}]);
	const before = tracedCharacters - '{"text":"'.length;
	for (let shift = 0; shift < 40; shift += 1) {
		const text = `${'x'.repeat(before - shift)}{{env.TOKEN}}${'x'.repeat(40)}`;
		const [step] = shownBy(messageOf('{}'), {configs: [setting({text})]});
		t.deepEqual(step, {body: `{"text":"${text}`.slice(0, tracedCharacters), body_truncated: true});
	}
});
