import {sign, verify} from '@octokit/webhooks-methods';
import test from 'ava';
import {Webhook} from 'standardwebhooks';
import Stripe from 'stripe';
import {type Example, examples, expectations} from '../support/github-payloads.ts';
import {until} from '../support/mcp/until.ts';
import {openDestination, openWebhooks, type Received} from '../support/webhooks.ts';

const secret = "It's a secret to everybody";

/** The name of a payload on its way, as GitHub gives one to each delivery. */
const guidOf = (index: number): string => `guid-${index}`;

type Post = Readonly<{body: string; signature: string; guid: string; event: string}>;

const postOf = async ({event, text}: Example, index: number): Promise<Post> => ({
	body: text,
	signature: await sign(secret, text),
	guid: guidOf(index),
	event,
});

const gitHubPost = (url: string, {body, signature, guid, event}: Post): Promise<Response> =>
	fetch(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'user-agent': 'GitHub-Hookshot/044aadd',
			'x-github-event': event,
			'x-github-delivery': guid,
			'x-hub-signature-256': signature,
		},
		body,
	});

const inParallel = 16;

/** One after the other in each of a few lanes. */
const forEach = async <T>(items: readonly T[], act: (item: T, index: number) => Promise<void>): Promise<void> => {
	const left = items.entries();
	const lane = async () => {
		for (const [index, item] of left) await act(item, index);
	};
	await Promise.all(Array.from({length: inParallel}, lane));
};

const guidsIn = (received: readonly Received[]) => received.map(({headers}) => headers['x-github-delivery']).toSorted();

const isSignedBy = (signing_secret: string, {body, headers}: Received): boolean => {
	const webhook = new Webhook(signing_secret);
	return webhook.verify(body, headers as Record<string, string>) !== undefined;
};

/** Every type of middleware, and none that changes a body. */
const changeless = [
	['filter', {field: 'headers.x-github-event', operator: 'equals', value: 'no such event'}],
	['filter', {field: '$..url', operator: 'matches', value: '^ftp://'}],
	['filter', {field: 'body', operator: 'contains', value: 'no such text'}],
	['transform_headers', {set: {'x-from': 'github'}, remove: ['user-agent']}],
	['transform_body', {remove: ['no.such.field']}],
	['delay', {seconds: 60}],
	['deduplicate', {key: 'headers.x-github-delivery', ttl: 600}],
] as const;

test('[MID-055] all payloads of GitHub pass every type of middleware, and reach whom a rule of each source and operator names, byte for byte', async (t) => {
	const {server, api, addEndpoint, addStep, addRule} = await openWebhooks(t);
	const verification = {type: 'github', secret};
	const fields = {destination_url: 'http://127.0.0.1:9/', routing_mode: 'all_match', verification};
	const endpoint = await addEndpoint(fields);
	for (const [type, config] of changeless) await addStep(endpoint, type, config);
	const destinations = await Promise.all(
		expectations.map(async ({rule, matches}) => {
			const {url, received} = await openDestination(t);
			await addRule(endpoint, {...rule, destination_url: url});
			const guids = examples.flatMap((example, index) => (matches(example) ? [guidOf(index)] : []));
			return {received, guids};
		}),
	);
	const posts = await Promise.all(examples.map(postOf));
	await forEach(posts, async (post) => {
		t.is((await gitHubPost(endpoint.url, post)).status, 202);
		const again = (await (await gitHubPost(endpoint.url, post)).json()) as {status: string};
		t.is(again.status, 'duplicate');
	});
	t.deepEqual(
		destinations.flatMap(({received}) => received),
		[],
	);
	server.advance(60_000);
	for (const {received, guids} of destinations)
		await until(() => received.length >= guids.length, 'the arrival of all that a rule names');
	await until(async () => {
		const {body} = await api.get('/v1/webhook/events?status=delivered&limit=1');
		return body.total === examples.length;
	}, 'the delivery of every event');
	const texts = new Map(posts.map(({guid, body}) => [guid, Buffer.from(body)]));
	for (const {received, guids} of destinations) {
		t.deepEqual(guidsIn(received), guids.toSorted());
		for (const one of received) {
			const {headers, body} = one;
			t.true(texts.get(String(headers['x-github-delivery']))?.equals(body));
			t.is(headers['x-from'], 'github');
			t.is(headers['user-agent'], undefined);
			t.true(isSignedBy(endpoint.signing_secret, one));
		}
	}
});

test('[MID-048 MID-054] all payloads of GitHub arrive with the change of a step, signed as they arrive', async (t) => {
	const {addEndpoint, addStep} = await openWebhooks(t);
	const {url, received} = await openDestination(t);
	const endpoint = await addEndpoint({destination_url: url, verification: {type: 'github', secret}});
	await addStep(endpoint, 'transform_body', {set: {'signalbox.seen': true}, remove: ['sender']});
	await forEach(examples, async (example, index) => {
		t.is((await gitHubPost(endpoint.url, await postOf(example, index))).status, 202);
	});
	await until(() => received.length === examples.length, 'the arrival of all');
	for (const one of received) {
		const index = Number(String(one.headers['x-github-delivery']).slice('guid-'.length));
		const {sender, ...rest} = examples[index]?.payload ?? {};
		t.is(String(one.body), JSON.stringify({...rest, signalbox: {seen: true}}));
		t.true(isSignedBy(endpoint.signing_secret, one));
	}
});

test('[WHK-018 WHK-023] of all payloads of GitHub the door takes in those that @octokit/webhooks-methods finds well signed', async (t) => {
	const {api, addEndpoint, addStep} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/', verification: {type: 'github', secret}});
	await addStep(endpoint, 'filter', {field: 'method', operator: 'exists'});
	await forEach(examples, async (example, index) => {
		const post = await postOf(example, index);
		const tampered = [
			{...post, body: `${post.body} `},
			{...post, body: JSON.stringify(example.payload, null, 2)},
			{...post, signature: await sign('another secret', post.body)},
		];
		for (const each of [post, ...tampered.slice(index % 3, (index % 3) + 1)]) {
			const isRight = await verify(secret, each.body, each.signature);
			t.is(isRight, each === post);
			t.is((await gitHubPost(endpoint.url, each)).status, isRight ? 202 : 401);
		}
	});
	t.is((await api.get('/v1/webhook/events?limit=1')).body.total, examples.length);
});

test('[WHK-024] what Stripe signs is taken in where its library takes it in', async (t) => {
	const {addEndpoint, addStep} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/', verification: {type: 'stripe', secret}});
	await addStep(endpoint, 'filter', {field: 'method', operator: 'exists'});
	const {webhooks} = new Stripe('sk_test_1');
	const acceptedByLibrary = (body: string, header: string): boolean => {
		try {
			return webhooks.constructEvent(body, header, secret) !== undefined;
		} catch {
			return false;
		}
	};
	const now = Math.floor(Date.now() / 1000);
	await forEach(examples, async ({text}, index) => {
		const signed = (timestamp: number, key = secret) =>
			webhooks.generateTestHeaderString({payload: text, secret: key, timestamp});
		const tampered = [
			[`${text} `, signed(now)],
			[text, signed(now, 'another secret')],
			[text, signed(now - 3600)],
		] as const;
		const right = [text, signed(now)] as const;
		for (const each of [right, ...tampered.slice(index % 3, (index % 3) + 1)]) {
			const [body, header] = each;
			const isRight = each === right;
			t.is(acceptedByLibrary(body, header), isRight);
			const {status} = await fetch(endpoint.url, {method: 'POST', headers: {'stripe-signature': header}, body});
			t.is(status, isRight ? 202 : 401);
		}
	});
});
