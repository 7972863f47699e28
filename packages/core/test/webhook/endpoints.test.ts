import {createHmac} from 'node:crypto';
import {defaultSettings} from '@signalbox/core';
import test from 'ava';
import type {EndpointSettings} from '../../src/webhook/model/endpoint-settings.ts';
import {openVerification} from '../../src/webhook/sealed-secrets.ts';
import {refusalOf} from '../mcp/support.ts';
import {incoming, startWorld, type World, wanted, withKey} from './world.ts';

const mask = '********';

const recordOf = async ({ports, caller, endpoint}: World) => {
	const record = await ports.endpoints.get(caller.team_ids, endpoint.id);
	if (record === undefined) throw new Error('the endpoint is gone');
	return record;
};

const signedBy = (secret: string, body: string): [string, string][] => [
	['x-hub-signature-256', `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`],
];

test('[RTE-018] what a request leaves out has its default', async (t) => {
	const {endpoint, clock} = await startWorld();
	const {id: _, slug, signing_secret, ...settings} = endpoint;
	t.deepEqual(settings, {
		...wanted,
		routing_mode: 'single',
		retry_config: null,
		verification: {type: 'none'},
		response: null,
		is_active: true,
		created_at: clock.now(),
		updated_at: clock.now(),
	});
	t.regex(slug, /^[A-Za-z0-9_-]{22}$/);
	t.regex(signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('[WHK-003] the signing secret is whole in the answer that makes it, masked in every other, and sealed in the store', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	t.is((await webhooks.endpoints.get(caller, endpoint.id)).signing_secret, mask);
	t.is((await webhooks.endpoints.list(caller))[0]?.signing_secret, mask);
	t.is((await webhooks.endpoints.update(caller, endpoint.id, {name: 'Other'})).signing_secret, mask);
	t.false(JSON.stringify(await recordOf(world)).includes(endpoint.signing_secret.slice(6)));
});

test('a rotation answers a new secret whole, and keeps the old one for 24 hours', async (t) => {
	const world = await startWorld();
	const before = await recordOf(world);
	const rotated = await world.webhooks.endpoints.rotateSecret(world.caller, world.endpoint.id);
	t.regex(rotated.signing_secret, /^whsec_/);
	t.not(rotated.signing_secret, world.endpoint.signing_secret);
	const {previous_signing_secret} = await recordOf(world);
	await world.clock.advance(24 * 3600 * 1000);
	t.deepEqual(previous_signing_secret, {secret: before.signing_secret, until: world.clock.now()});
});

const badSettings: readonly (readonly [unknown, string])[] = [
	[{name: ''}, 'name'],
	[{destination_url: 'ftp://example.com'}, 'destination_url'],
	[{destination_url: 'orders.example.com'}, 'destination_url'],
	[{destination_url: 'https://{{env.HOST}}/hook'}, 'destination_url'],
	[{destination_url: 'https://user:password@example.com'}, 'destination_url'],
	[{routing_mode: 'random'}, 'routing_mode'],
	[{retry_config: {max_retries: -1, intervals: [5]}}, 'retry_config.max_retries'],
	[{retry_config: {max_retries: 1, intervals: []}}, 'retry_config.intervals'],
	[{retry_config: {max_retries: 1, intervals: [5], jitter: 0}}, 'retry_config.jitter'],
	[{response: {status: 302, body: ''}}, 'response.status'],
	[{verification: {type: 'guess'}}, 'verification.type'],
	[{verification: {type: 'github'}}, 'verification.secret'],
	[{verification: {type: 'github', secret: mask}}, 'verification.secret'],
	[{verification: {type: 'hmac', secret: 's', header: 'a b'}}, 'verification.header'],
	[{is_active: 'yes'}, 'is_active'],
	[{slug: 'chosen'}, 'slug'],
];

test('settings that are not valid are refused by field, at create and at update', async (t) => {
	const {webhooks, caller, endpoint} = await startWorld();
	for (const [settings, field] of badSettings) {
		const request = settings as EndpointSettings;
		const refusal = `validation_error ${field}`;
		t.is(await refusalOf(webhooks.endpoints.create(caller, {...wanted, ...request})), refusal);
		t.is(await refusalOf(webhooks.endpoints.update(caller, endpoint.id, request)), refusal);
	}
	t.is((await webhooks.endpoints.list(caller)).length, 1);
	const nothing = {} as typeof wanted;
	t.is(await refusalOf(webhooks.endpoints.create(caller, nothing)), 'validation_error name destination_url');
});

test('destinations that are templates in path and query, or as a whole, are taken', async (t) => {
	const {webhooks, caller} = await startWorld();
	for (const destination_url of ['{{env.URL}}', 'https://x.example/{{ env.PATH }}?a={{env.A}}', 'http://127.0.0.1:9/'])
		t.is((await webhooks.endpoints.create(caller, {...wanted, destination_url})).destination_url, destination_url);
});

test('[WHK-008] the plan limits the endpoints of a user, also under parallel calls', async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, endpoints: 4}));
	const {webhooks, caller} = await startWorld({}, {settings: {plans}});
	const answers = await Promise.all(
		Array.from({length: 10}, () => refusalOf(webhooks.endpoints.create(caller, wanted))),
	);
	t.is(answers.filter((answer) => answer === 'resolved').length, 3);
	t.is(answers.filter((answer) => answer === 'plan_limit_reached').length, 7);
});

test('secrets of a verification are sealed, masked in answers, and kept when the mask comes back', async (t) => {
	const world = await startWorld({verification: {type: 'hmac', secret: 's3cret', header: 'x-sig'}});
	const {webhooks, caller, endpoint, ports} = world;
	const shown = {type: 'hmac', secret: mask, header: 'x-sig', algorithm: 'sha256', encoding: 'hex', prefix: ''};
	t.deepEqual(endpoint.verification, shown);
	t.false(JSON.stringify(await recordOf(world)).includes('s3cret'));
	const verification = {type: 'hmac' as const, secret: mask, header: 'x-other'};
	const updated = await webhooks.endpoints.update(caller, endpoint.id, {verification});
	t.deepEqual(updated.verification, {...shown, header: 'x-other'});
	t.like(openVerification(ports.cipher, await recordOf(world)), {secret: 's3cret', header: 'x-other'});
});

test('a mask is no secret of another type of verification', async (t) => {
	const {webhooks, caller, endpoint} = await startWorld({verification: {type: 'github', secret: 's3cret'}});
	const verification = {type: 'stripe' as const, secret: mask};
	const refused = webhooks.endpoints.update(caller, endpoint.id, {verification});
	t.is(await refusalOf(refused), 'validation_error verification.secret');
});

test('a change is seen by the next webhook: verification, then activity', async (t) => {
	const {webhooks, caller, endpoint} = await startWorld();
	const receive = async (request = incoming()) => (await webhooks.intake.accept(endpoint.slug, request)).outcome;
	t.is(await receive(), 'accepted');
	await webhooks.endpoints.update(caller, endpoint.id, {verification: {type: 'github', secret: 'one'}});
	t.is(await receive(), 'unauthorized');
	t.is(await receive(incoming({body: '{}', headers: signedBy('one', '{}')})), 'accepted');
	await webhooks.endpoints.update(caller, endpoint.id, {is_active: false});
	t.is(await receive(incoming({body: '{}', headers: signedBy('one', '{}')})), 'unknown');
	t.is(await webhooks.intake.ownerOf(endpoint.slug), undefined);
});

test('an API key of the default scope does all of it, and the record of changes tells who did, without a secret', async (t) => {
	const {webhooks, caller, core} = await startWorld();
	const key = withKey(caller);
	const {id} = await webhooks.endpoints.create(key, {...wanted, verification: {type: 'github', secret: 's3cret'}});
	await webhooks.endpoints.update(key, id, {verification: {type: 'github', secret: 'n3w'}, name: 'Renamed'});
	await webhooks.endpoints.rotateSecret(key, id);
	await webhooks.endpoints.delete(key, id);
	const {data} = await core.live.audit.list(caller, {limit: 4, offset: 0});
	t.deepEqual(
		data.map(({action}) => action),
		['deleted', 'secret_rotated', 'updated', 'created'].map((what) => `webhook_endpoint.${what}`),
	);
	t.deepEqual(data[2]?.data, {name: 'Renamed', verification: {type: 'github', secret: mask}});
	t.true(data.every(({api_key_id, target_id}) => api_key_id !== null && target_id === id));
	t.notRegex(JSON.stringify(data), /s3cret|n3w|whsec_/);
});

test('endpoints of others are not there', async (t) => {
	const {webhooks, endpoint} = await startWorld();
	const {caller: stranger} = await startWorld();
	const attempts = [
		webhooks.endpoints.get(stranger, endpoint.id),
		webhooks.endpoints.update(stranger, endpoint.id, {name: 'Mine'}),
		webhooks.endpoints.rotateSecret(stranger, endpoint.id),
		webhooks.endpoints.delete(stranger, endpoint.id),
		webhooks.middlewares.list(stranger, endpoint.id),
		webhooks.routingRules.list(stranger, endpoint.id),
		webhooks.dryRun.testMiddlewares(stranger, endpoint.id, {}),
		webhooks.dryRun.testRouting(stranger, endpoint.id, {}),
	];
	for (const attempt of attempts) t.is(await refusalOf(attempt), 'resource_not_found');
});

test('parallel changes of different fields all hold', async (t) => {
	const {webhooks, caller, endpoint} = await startWorld();
	const changes: EndpointSettings[] = [
		{name: 'Renamed'},
		{routing_mode: 'broadcast'},
		{retry_config: {max_retries: 1, intervals: [5]}},
		{response: {status: 200, body: 'ok'}},
	];
	await Promise.all(changes.map((change) => webhooks.endpoints.update(caller, endpoint.id, change)));
	t.like(await webhooks.endpoints.get(caller, endpoint.id), Object.assign({}, ...changes));
});
