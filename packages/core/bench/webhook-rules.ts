import {createHmac} from 'node:crypto';
import events from '@octokit/webhooks-examples' with {type: 'json'};
import {createSignatures} from '../src/node/index.ts';
import type {EndpointRecord} from '../src/webhook/model/endpoint.ts';
import {compileEndpoint} from '../src/webhook/rules/compile-endpoint.ts';
import {createEnvMarkers} from '../src/webhook/rules/env-markers.ts';
import {planAcceptance} from '../src/webhook/rules/plan-acceptance.ts';
import {verifyRequest} from '../src/webhook/rules/verify-request.ts';
import {ruleOf, steps} from '../test/webhook/support.ts';

/** What the pure rules cost for one push of GitHub: verification, five steps and two rules with JSONPath. */
type Definition = Readonly<{name: string; examples: readonly object[]}>;
const pushes = (events as unknown as readonly Definition[]).find(({name}) => name === 'push')?.examples ?? [];
const text = JSON.stringify({...pushes[0], padding: 'x'.repeat(2400)});

const secret = 'a shared secret';
const signatures = createSignatures();
const message = {
	method: 'POST',
	path: '',
	query: '',
	headers: [
		['Content-Type', 'application/json'],
		['X-GitHub-Event', 'push'],
		['X-GitHub-Delivery', '1'],
		['X-Hub-Signature-256', `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`],
	],
	body: new TextEncoder().encode(text),
} as const;

const endpoint = {
	name: 'endpoint',
	destination_url: 'https://a.example/hook',
	routing_mode: 'all_match',
	retry_config: null,
} as EndpointRecord;
const onBody = {condition_source: 'body', condition_operator: 'equals'} as const;
const compiled = compileEndpoint(
	endpoint,
	steps(
		{type: 'filter', config: {field: 'headers.x-github-event', operator: 'equals', value: 'ping'}},
		{type: 'filter', config: {field: '$.ref', operator: 'matches', value: '^refs/heads/gh-pages'}},
		{type: 'transform_headers', config: {set: {'x-from': 'github'}}},
		{type: 'transform_body', config: {set: {'signalbox.seen': true}}},
		{type: 'deduplicate', config: {key: 'headers.x-github-delivery', ttl: 60}},
	),
	[
		ruleOf({...onBody, id: 'a', condition_field: '$.repository.full_name', condition_value: 'Codertocat/Hello-World'}),
		ruleOf({...onBody, id: 'b', condition_field: '$.commits[*].modified[*]', condition_value: 'README.md'}),
	],
);

const once = (): void => {
	if (!verifyRequest({type: 'github', secret}, {request: message, now: 0, signatures}).ok) throw new Error('refused');
	planAcceptance(compiled, message, {
		event: {id: 'e', created_at: '2026-01-31T09:30:00.000Z'},
		markers: createEnvMarkers(() => 'n'.repeat(32), new Map()),
		is_replay: false,
		nextId: () => 'd',
	});
};

const times = 5000;
for (let run = 0; run < 4; run += 1) {
	const before = process.cpuUsage();
	for (let index = 0; index < times; index += 1) once();
	const {user, system} = process.cpuUsage(before);
	const isWarm = run > 0;
	if (isWarm) console.log(`${((user + system) / times).toFixed(0)} us of CPU for each webhook of ${text.length} bytes`);
}
