import {sign, verify} from '@octokit/webhooks-methods';
import test from 'ava';
import {type Example, examples, expectations} from '../../../../test/support/github-payloads.ts';
import {createSignatures} from '../../src/node/index.ts';
import type {HeaderField} from '../../src/webhook/model/message.ts';
import type {TypedConfig} from '../../src/webhook/model/middleware.ts';
import {chooseDestinations} from '../../src/webhook/rules/choose-destinations.ts';
import {compilePipeline} from '../../src/webhook/rules/compile-pipeline.ts';
import {compileRouting} from '../../src/webhook/rules/compile-routing.ts';
import {runPipeline} from '../../src/webhook/rules/run-pipeline.ts';
import {verifyRequest} from '../../src/webhook/rules/verify-request.ts';
import {bodyOf, markersOf, messageOf, ruleOf, steps} from './support.ts';

const secret = "It's a secret to everybody";
const signatures = createSignatures();
const markers = markersOf();

const received = ({event, text}: Example, fields: readonly HeaderField[] = []) =>
	messageOf(text, {headers: [['X-GitHub-Event', event], ...fields]});

test('there are 329 payloads of GitHub', (t) => {
	t.is(examples.length, 329);
});

test('[WHK-023][WHK-030] each payload, signed as GitHub signs, is judged as by @octokit/webhooks-methods', async (t) => {
	for (const example of examples) {
		const signature = await sign(secret, example.text);
		for (const [text, key, isRight] of [
			[example.text, secret, true],
			[`${example.text} `, secret, false],
			[JSON.stringify(example.payload, null, 2), secret, false],
			[example.text, 'another secret', false],
		] as const) {
			const request = received({...example, text}, [['X-Hub-Signature-256', signature]]);
			const {ok} = verifyRequest({type: 'github', secret: key}, {request, now: 0, signatures});
			t.is(ok, isRight);
			t.is(ok, await verify(key, text, signature));
		}
	}
});

const changeless: readonly TypedConfig[] = [
	{type: 'filter', config: {field: 'headers.x-github-event', operator: 'equals', value: 'no such event'}},
	{type: 'filter', config: {field: '$..url', operator: 'matches', value: '^ftp://'}},
	{type: 'filter', config: {field: 'body', operator: 'contains', value: 'no such text'}},
	{type: 'transform_headers', config: {set: {'x-from': 'github'}, remove: ['x-github-event']}},
	{type: 'transform_body', config: {remove: ['no.such.field']}},
	{type: 'delay', config: {seconds: 5}},
	{type: 'deduplicate', config: {key: 'body.sender.id', ttl: 60}},
];
const quiet = compilePipeline(steps(...changeless));

test('[MID-055] each payload goes through every type of middleware: where none changed the body, it is the very bytes', (t) => {
	for (const example of examples) {
		const message = received(example);
		const {view, trace, claims} = runPipeline(quiet, message, {markers, is_replay: false});
		t.is(view.message.body, message.body);
		t.like(trace, {outcome: 'passed', delay_seconds: 5, result: {headers: {'x-from': 'github'}}});
		const {sender} = example.payload;
		t.deepEqual(
			claims.map(({value}) => value),
			sender === undefined ? [] : [JSON.stringify(['body.sender.id', String(sender.id)])],
		);
	}
});

test('[MID-048][MID-054] each payload is transformed where the step says so, and nowhere else', (t) => {
	const config = {set: {'signalbox.seen': true}, remove: ['sender']};
	const pipeline = compilePipeline(steps({type: 'transform_body', config}));
	for (const example of examples) {
		const {view} = runPipeline(pipeline, received(example), {markers, is_replay: false});
		const {sender, ...rest} = example.payload;
		t.is(bodyOf(view.message), JSON.stringify({...rest, signalbox: {seen: true}}));
	}
});

test('each payload is routed by a rule of each source and operator', (t) => {
	const routing = compileRouting(
		expectations.map(({rule}, index) => ruleOf({...rule, id: `r${index}`, sort_order: index})),
	);
	for (const example of examples) {
		const {view} = runPipeline([], received(example), {markers, is_replay: false});
		const {rules, failed} = chooseDestinations('all_match', routing, {view, markers});
		t.false(failed);
		t.deepEqual(
			rules.map(({matched}) => matched),
			expectations.map(({matches}) => matches(example)),
			example.event,
		);
	}
});
