import {sign} from '@octokit/webhooks-methods';
import test, {type ExecutionContext} from 'ava';
import type {Body} from '../support/api.ts';
import {examples} from '../support/github-payloads.ts';
import {openDestination, openWebhooks} from '../support/webhooks.ts';

const path = '/v1/cron/chains';
const secret = "It's a secret to everybody";

/** An endpoint, and a chain that is linked to it. */
const start = async (t: ExecutionContext, statuses: readonly number[] = [], fields: Body = {}) => {
	const world = await openWebhooks(t);
	const destination = await openDestination(t, statuses);
	const endpoint = await world.addEndpoint({destination_url: destination.url, ...fields});
	const job = {name: 'Deploy', schedule: '@yearly', command: './deploy.sh'};
	const steps = [{cron_job_id: (await world.api.post('/v1/cron-jobs', job)).body.id, step_order: 0}];
	const link = {trigger_type: 'webhook', trigger_endpoint_id: endpoint.id, steps};
	const addChain = async (changes: Body = {}): Promise<Body> => {
		const {status, body, text} = await world.api.post(path, {name: 'On push', ...link, ...changes});
		t.is(status, 201, text);
		return body;
	};
	const startsOf = async ({id}: Body): Promise<readonly Body[]> =>
		(await world.api.get(`${path}/${id}/executions`)).body.data;
	return {...world, destination, endpoint, addChain, startsOf, chain: await addChain()};
};

const push = examples.find(({event}) => event === 'push');

const gitHubPush = async (url: string, guid: string): Promise<Response> => {
	const body = push?.text ?? '';
	const headers = {
		...{'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': guid},
		'x-hub-signature-256': await sign(secret, body),
	};
	return fetch(url, {method: 'POST', headers, body});
};

test('[CHN-052 CHN-092 CHN-096] an accepted webhook starts the chain: with its 202 the execution exists', async (t) => {
	const {endpoint, send, startsOf, chain} = await start(t);
	const {event_id} = await send(endpoint.url);
	const [execution, ...others] = await startsOf(chain);
	t.deepEqual(others, []);
	t.like(execution, {chain_id: chain.id, triggered_by: 'webhook', trigger_event_id: event_id, status: 'running'});
});

test('[CHN-090] a push of GitHub starts its chain once, also when it is sent again with the same delivery id', async (t) => {
	const verification = {type: 'github', secret};
	const {endpoint, addStep, startsOf, chain} = await start(t, [], {verification});
	await addStep(endpoint, 'deduplicate', {key: 'headers.x-github-delivery', ttl: 3600});
	for (const sent of [1, 2, 3]) {
		const answer = await gitHubPush(endpoint.url, 'guid-1');
		const {status} = (await answer.json()) as {status: string};
		t.deepEqual([answer.status, status === 'duplicate'], [202, sent > 1]);
	}
	t.is((await startsOf(chain)).length, 1);
	await Promise.all(Array.from({length: 20}, () => gitHubPush(endpoint.url, 'guid-2')));
	t.is((await startsOf(chain)).length, 2);
	const forged = await fetch(endpoint.url, {method: 'POST', body: push?.text ?? ''});
	t.true(forged.status >= 400);
	t.is((await startsOf(chain)).length, 2);
});

test('[CHN-089 CHN-098] a webhook that is blocked, or whose pipeline fails, starts none', async (t) => {
	const {endpoint, addStep, send, startsOf, chain} = await start(t);
	await addStep(endpoint, 'filter', {field: '$.order', operator: 'equals', value: '8'});
	await addStep(endpoint, 'transform_body', {set: {seen: true}});
	const blocked = await send(endpoint.url, {body: '{"order":8}'});
	const failed = await send(endpoint.url, {body: 'no JSON'});
	t.deepEqual([blocked.status, failed.status], ['filtered', 'pipeline_error']);
	t.deepEqual(await startsOf(chain), []);
});

test('[CHN-091] an event whose deliveries are sent again starts no second one', async (t) => {
	const {api, endpoint, send, eventWhen, startsOf, chain} = await start(t, [410]);
	const {event_id} = await send(endpoint.url);
	await eventWhen(event_id, 'failed');
	const retried = await api.post(`/v1/webhook/events/${event_id}/retry`);
	t.true(retried.status < 300, retried.text);
	await eventWhen(event_id, 'delivered');
	t.is((await startsOf(chain)).length, 1);
});

test('[CHN-029 CHN-053] a chain that is disabled, or started by hand, is started by no webhook', async (t) => {
	const {api, endpoint, send, addChain, startsOf, chain} = await start(t);
	const manual = await addChain({trigger_type: 'manual'});
	await api.put(`${path}/${chain.id}`, {is_enabled: false});
	await send(endpoint.url);
	for (const each of [manual, chain]) t.deepEqual(await startsOf(each), []);
	t.is((await api.post(`${path}/${chain.id}/run`)).body.triggered_by, 'manual');
	await api.put(`${path}/${chain.id}`, {is_enabled: true});
	await send(endpoint.url);
	t.is((await startsOf(chain)).length, 2);
	t.deepEqual(await startsOf(manual), []);
});
