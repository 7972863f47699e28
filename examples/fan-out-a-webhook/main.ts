import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {SignalboxClient} from '@signalbox/client-sdk';
import {Webhook} from 'standardwebhooks';
import {openService, startSignalbox} from './local.ts';

const signalbox = await startSignalbox();
const [builds, chat, archive] = await Promise.all([openService(), openService(), openService()]);

const client = new SignalboxClient({baseUrl: signalbox.url});
const account = {email: 'ops@example.com', password: 'correct horse battery staple'};
await client.auth.register({body: account});
await client.signIn(account);

// An endpoint that takes in what GitHub signs with this secret, and nothing else.
const secret = "It's a secret to everybody";
const {id, slug, signing_secret} = await client.webhook.endpoints.create({
	body: {
		name: 'GitHub',
		destination_url: archive.url,
		routing_mode: 'all_match',
		verification: {type: 'github', secret},
	},
});

// Three rules: each that matches gets the webhook.
const rules = [
	{
		name: 'Build main',
		destination_url: builds.url,
		condition_source: 'body',
		condition_field: '$.ref',
		condition_operator: 'equals',
		condition_value: 'refs/heads/main',
	},
	{
		name: 'Tell the team',
		destination_url: chat.url,
		condition_source: 'header',
		condition_field: 'x-github-event',
		condition_operator: 'equals',
		condition_value: 'push',
		transform_body:
			'{"text":{{ body.pusher.name | append: " pushed to " | append: body.repository.full_name | json }}}',
	},
	{name: 'Keep everything', destination_url: archive.url},
] as const;
for (const rule of rules)
	await client.webhook.routingRules.create({path: {endpoint_id: id}, body: {...rule, is_active: true}});

/** What GitHub does when something happens. */
const happens = (event: string, body: string, key = secret) =>
	fetch(`${signalbox.url}/wh/${slug}`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-github-event': event,
			'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
		},
		body,
	});
const eventOf = async (answer: Response) => {
	const {event_id} = (await answer.json()) as {event_id: string};
	return client.webhook.events.get({path: {id: event_id}});
};

const push = '{"ref":"refs/heads/main","pusher":{"name":"mona"},"repository":{"full_name":"octo/hello"}}';
const pushed = await happens('push', push);
const arrived = await Promise.all([builds.next(), chat.next(), archive.next()]);
assert.deepEqual(
	arrived.map(({body}) => body),
	[push, '{"text":"mona pushed to octo/hello"}', push],
);

// How a receiver knows who sent it: every delivery is signed (Standard Webhooks) with the endpoint's signing secret.
for (const {body, headers} of arrived) new Webhook(signing_secret).verify(body, headers);

// Why it went where it went.
for (const {name, reason} of (await eventOf(pushed)).trace.routing?.rules ?? []) console.log(`${name}: ${reason}`);

// A star builds nothing and is not worth a message; what somebody else signed is not taken in.
const [starred, kept] = await Promise.all([happens('star', '{"action":"created"}'), archive.next()]);
assert.equal(kept.headers['x-github-event'], 'star');
assert.deepEqual(
	(await eventOf(starred)).deliveries.map(({name}) => name),
	['Keep everything'],
);
assert.equal((await happens('push', push, 'another secret')).status, 401);

await signalbox.stop();
for (const service of [builds, chat, archive]) service.close();
