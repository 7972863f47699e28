import {addCaller, buildNotification, createTestCore, failingStores} from '@signalbox/core/testing';
import test from 'ava';
import type {DomainError} from '../../src/errors.ts';
import type {LeasedDelivery} from '../../src/webhook/model/delivery.ts';
import type {DeliveryAnswer, DeliveryRequest} from '../../src/webhook/model/delivery-exchange.ts';

const hook = 'https://hooks.slack.com/services/T0/B0/secret';
const masked = 'https://hooks.slack.com/********';
const base_url = 'https://box.example.com/';
const url = 'https://ops.example.com/hook';

const open = async () => {
	const {core, ports, clock} = createTestCore();
	const [caller, other] = [await addCaller(ports), await addCaller(ports)];
	const {notificationChannels: channels, notificationSending} = core.live;
	const create = (fields: Partial<Parameters<typeof channels.create>[1]> = {}) =>
		channels.create(caller, {type: 'webhook', url, ...fields});
	return {core, ports, clock, caller, other, channels, create, send: () => notificationSending.send(10, base_url)};
};

type World = Awaited<ReturnType<typeof open>>;

const lease = ({ports}: World): Promise<readonly LeasedDelivery[]> =>
	ports.deliveries.lease({
		attempt_ids: ['1', '2', '3'].map(() => ports.ids.next()),
		per_destination: 10,
		lease_seconds: 60,
	});

/** Makes the attempts that are due. @returns what was sent. */
const deliver = async (world: World, answer: Partial<DeliveryAnswer> = {}): Promise<readonly DeliveryRequest[]> => {
	const sent: DeliveryRequest[] = [];
	const send = async (request: DeliveryRequest): Promise<DeliveryAnswer> => {
		sent.push(request);
		return {status_code: 200, headers: {}, body: new Uint8Array(), ...answer};
	};
	for (const delivery of await lease(world))
		await world.core.webhook.deliveries.attempt(delivery, send, new AbortController().signal);
	return sent;
};

const textOf = ({body}: DeliveryRequest): string => new TextDecoder().decode(body);

/** Tells the caller something, and hands it over to delivery. */
const tell = async (world: World, fields: Partial<Parameters<typeof buildNotification>[0]> = {}) => {
	const notification = buildNotification({
		...{id: world.ports.ids.next(), user_id: world.caller.user_id, data: {approval_id: 'a1'}},
		...fields,
	});
	await world.ports.notifications.append(notification);
	await world.send();
	return notification;
};

test('a channel has the name of its type, wants every type and is active, unless its owner says otherwise', async (t) => {
	const {create, caller, channels} = await open();
	const [one, two] = [
		await create(),
		await create({type: 'slack', url: hook, name: 'Ops', events: ['system', 'system']}),
	];
	t.like(one, {name: 'Webhook', type: 'webhook', url, is_active: true});
	t.is(one.events.length, 7);
	t.like(two, {name: 'Ops', url: masked, events: ['system']});
	t.deepEqual(await channels.list(caller), [one, two]);
	t.like(await channels.update(caller, one.id, {is_active: false, events: ['cron_failure']}), {
		...{name: 'Webhook', url, is_active: false},
		events: ['cron_failure'],
	});
});

const refused: readonly (readonly [type: 'webhook' | 'slack', url: string, because: string])[] = [
	['webhook', 'ftp://ops.example.com/', 'must be an absolute http or https URL'],
	['webhook', '/hook', 'must be an absolute http or https URL'],
	['webhook', 'https://ada:secret@ops.example.com/', 'must hold no user name or password'],
	['webhook', 'https://ops.example.com/{{env.TOKEN}}', 'takes no {{env.KEY}}: the URL itself is stored encrypted'],
	['webhook', '{{env.HOOK}}', 'takes no {{env.KEY}}: the URL itself is stored encrypted'],
	['webhook', '{{channel.01990a3c-5b1e-7c30-8a52-0f6f3f1f2b10}}', 'must be an absolute http or https URL'],
	['webhook', `https://${'a'.repeat(254)}.example/`, 'must have a host name of at most 253 characters'],
	['slack', masked, 'is the mask: send the URL itself'],
	['slack', '{{env.SLACK}}', 'takes no {{env.KEY}}: the URL itself is stored encrypted'],
];

test('a URL that nothing could be sent to is refused, on create and update, with its field', async (t) => {
	const {create, channels, caller} = await open();
	const ids = {webhook: (await create()).id, slack: (await create({type: 'slack', url})).id};
	for (const [type, given, because] of refused) {
		const error = {details: [{path: 'url', message: because}]};
		t.like(await t.throwsAsync(create({type, url: given})), error, given);
		t.like(await t.throwsAsync(channels.update(caller, ids[type], {url: given})), error, given);
	}
});

test('the mask that is sent back keeps the Slack URL, which stands sealed in the store', async (t) => {
	const world = await open();
	const {id} = await world.create({type: 'slack', url: hook});
	t.is((await world.channels.update(world.caller, id, {url: masked, name: 'Ops'})).url, masked);
	t.notRegex(JSON.stringify(await world.ports.notificationChannels.list(world.caller.user_id)), /services/);
	await tell(world);
	t.is(String((await deliver(world))[0]?.url), hook);
});

test('nobody else sees, changes or deletes a channel', async (t) => {
	const {create, channels, other} = await open();
	const {id} = await create();
	const missing = {message: /no such resource/};
	t.deepEqual(await channels.list(other), []);
	await t.throwsAsync(channels.get(other, id), missing);
	await t.throwsAsync(channels.update(other, id, {is_active: false}), missing);
	await t.throwsAsync(channels.delete(other, id), missing);
});

test('a user has at most 20 channels', async (t) => {
	const {create, channels, caller} = await open();
	for (let count = 0; count < 20; count += 1) await create();
	await t.throwsAsync(create(), {message: /20 notification channels already/});
	t.is((await channels.list(caller)).length, 20);
});

test('who changed a channel is on record, and no URL is', async (t) => {
	const {core, create, channels, caller} = await open();
	const {id} = await create({type: 'slack', url: hook});
	await channels.update(caller, id, {url: `${hook}2`, is_active: false});
	await channels.delete(caller, id);
	const {data} = await core.live.audit.list(caller, {limit: 10, offset: 0});
	t.deepEqual(
		data.map(({action, data: said}) => [action, said]),
		[
			['notification_channel.deleted', {}],
			['notification_channel.updated', {fields: ['is_active', 'url']}],
			['notification_channel.created', {type: 'slack'}],
		],
	);
});

test('a notification goes to the channels that want its type, a webhook with the notification, Slack with a text', async (t) => {
	const world = await open();
	await world.create({events: ['approval_pending']});
	await world.create({type: 'slack', url: hook});
	await world.create({url: 'https://other.example.com/', events: ['system']});
	await world.create({url: 'https://off.example.com/', is_active: false});
	const message = 'It waits.\n\u2028<https://evil.example|Decide>';
	const notification = await tell(world, {title: 'a<!channel>&b waits', message});
	const sent = await deliver(world);
	t.deepEqual(sent.map((request) => String(request.url)).toSorted(), [hook, url]);
	const link = `https://box.example.com/approvals/a1`;
	const {user_id: _, ...shown} = notification;
	const bodies = new Map(sent.map((request) => [String(request.url), JSON.parse(textOf(request))]));
	t.deepEqual(bodies.get(url), {
		...{type: 'notification.approval_pending', timestamp: notification.created_at},
		data: {...shown, link},
	});
	const told = 'It waits. &lt;https://evil.example|Decide&gt;';
	t.deepEqual(bodies.get(hook), {
		text: `*a&lt;!channel&gt;&amp;b waits*\n${told}\n<${link}|Decide>`,
		parse: 'none',
	});
});

test('what is about no approval has no link', async (t) => {
	const world = await open();
	await world.create({type: 'slack', url: hook});
	await tell(world, {type: 'system', title: 'Tonight', message: '', data: {}});
	t.deepEqual((await deliver(world)).map(textOf), [JSON.stringify({text: '*Tonight*', parse: 'none'})]);
});

test('a process that dies once a notification is handed over does not send it twice', async (t) => {
	const world = await open();
	await world.create();
	const {ports} = world;
	const dying = createTestCore({
		ports: {...ports, ...failingStores(ports, {notificationOutbox: {done: new Error('killed')}})},
	});
	await ports.notifications.append(buildNotification({id: ports.ids.next(), user_id: world.caller.user_id}));
	await t.throwsAsync(dying.core.live.notificationSending.send(10, base_url), {message: 'killed'});
	t.is(await world.send(), 1);
	t.is((await deliver(world)).length, 1);
	t.is(await world.send(), 0);
	t.is((await deliver(world)).length, 0);
});

test('one notification that cannot be handed over holds up no other', async (t) => {
	const world = await open();
	await world.create();
	const {ports, caller} = world;
	const [bad, good] = [1, 2].map(() => buildNotification({id: ports.ids.next(), user_id: caller.user_id}));
	if (!bad || !good) return t.fail();
	const accept: typeof ports.intake.accept = async (acceptable, ...more) => {
		if (acceptable.event.id === bad.id) throw new Error('not this one');
		return ports.intake.accept(acceptable, ...more);
	};
	const picky = createTestCore({ports: {...ports, intake: {...ports.intake, accept}}});
	await ports.notifications.append(bad, good);
	await t.throwsAsync(picky.core.live.notificationSending.send(10, base_url), {message: 'not this one'});
	t.deepEqual(
		(await ports.notificationOutbox.waiting(10)).map(({id}) => id),
		[bad.id],
	);
	t.is((await deliver(world)).length, 1);
});

test('what waits for a channel that was deleted or switched off is given up, and nobody is told', async (t) => {
	for (const end of ['delete', 'switch off'] as const) {
		const world = await open();
		const {id} = await world.create();
		const told = await tell(world);
		if (end === 'delete') await world.channels.delete(world.caller, id);
		else await world.channels.update(world.caller, id, {is_active: false});
		t.deepEqual(await deliver(world), []);
		const event = await world.core.webhook.events.get(world.caller, told.id);
		t.is(event.delivery_status, 'failed');
		t.regex(event.deliveries[0]?.last_error ?? '', /channel (was deleted|is switched off)/);
		t.is(await world.ports.notifications.countUnread(world.caller.user_id), 1);
	}
});

test('a Slack URL stands in no event, also when the other end echoes it', async (t) => {
	const world = await open();
	await world.create({type: 'slack', url: hook});
	const told = await tell(world);
	const body = new TextEncoder().encode(`no such hook: ${hook}, /services/T0/B0/secret`);
	await deliver(world, {status_code: 404, body, headers: {location: hook}});
	const event = await world.core.webhook.events.get(world.caller, told.id);
	t.is(event.deliveries[0]?.attempts[0]?.status_code, 404);
	t.notRegex(JSON.stringify(event), /services/);
});

test('that a channel cannot be reached is told in the list, and goes to no channel', async (t) => {
	const world = await open();
	for (const host of ['a', 'b']) await world.create({url: `https://${host}.example.com/`});
	await tell(world);
	t.is((await deliver(world, {status_code: 410})).length, 2);
	t.is(await world.send(), 0);
	const {data} = await world.core.live.notifications.list(world.caller, {unread_only: true}, {limit: 10, offset: 0});
	t.deepEqual(
		data.map(({type}) => type),
		['endpoint_failure', 'endpoint_failure', 'approval_pending'],
	);
	t.regex(data[0]?.message ?? '', /^Webhook: .* 410.* the channel stays active\.$/);
});

test('a test goes to that channel alone, in the form of its type, whatever it wants to be told of', async (t) => {
	const world = await open();
	const {channels, caller} = world;
	await world.create({url: 'https://other.example.com/'});
	const [plain, slack] = [
		await world.create({events: ['approval_pending'], name: 'Mine'}),
		await world.create({type: 'slack', url: hook, name: '<!channel>'}),
	];
	const event = await channels.test(caller, plain.id);
	t.like(event, {delivery_status: 'pending', deliveries: [{name: 'Mine', status: 'pending'}]});
	const [request, ...none] = await deliver(world);
	t.deepEqual([String(request?.url), none], [url, []]);
	t.truthy(request?.headers.find(([name]) => name === 'webhook-signature'));
	const message = 'This is how you are told at Mine.';
	t.like(JSON.parse(request ? textOf(request) : ''), {
		type: 'notification.system',
		data: {id: event.id, type: 'system', title: 'A test of Signalbox', message, data: {is_test: true}, link: null},
	});
	t.like(await world.core.webhook.events.get(caller, event.id), {delivery_status: 'delivered', status_code: 200});

	await channels.test(caller, slack.id);
	const text = '*A test of Signalbox*\nThis is how you are told at &lt;!channel&gt;.';
	t.deepEqual((await deliver(world)).map(textOf), [JSON.stringify({text, parse: 'none'})]);
	t.is((await world.core.live.notifications.list(caller, {unread_only: false}, {limit: 1, offset: 0})).total, 0);
	const {data} = await world.core.live.audit.list(caller, {limit: 1, offset: 0});
	t.like(data[0], {action: 'notification_channel.tested', target_id: slack.id});
});

test('a test that fails has failed at once, and shows no Slack URL', async (t) => {
	const world = await open();
	const {id} = await world.create({type: 'slack', url: hook});
	const event = await world.channels.test(world.caller, id);
	await deliver(world, {status_code: 404, body: new TextEncoder().encode(`no ${hook}`)});
	const after = await world.core.webhook.events.get(world.caller, event.id);
	t.like(after, {delivery_status: 'failed', status_code: 404, next_retry_at: null});
	t.notRegex(JSON.stringify(after), /services/);
});

test('nobody else tests a channel, nor anybody one that is switched off', async (t) => {
	const {create, channels, caller, other, ports} = await open();
	const {id} = await create({is_active: false});
	await t.throwsAsync(channels.test(other, id), {message: /no such resource/});
	await t.throwsAsync(channels.test(caller, id), {message: /switched off: switch it on first/});
	t.is((await ports.webhookEvents.list(caller.team_id, {}, {limit: 1, offset: 0, body_chars: 10})).total, 0);
});

test('tests flood nobody: a user has 6 a minute for all channels, and one more each 10 seconds', async (t) => {
	const {create, channels, caller, clock} = await open();
	const ids = [(await create()).id, (await create()).id];
	for (let count = 0; count < 6; count += 1) await channels.test(caller, ids[count % 2] ?? '');
	const refused = await t.throwsAsync<DomainError>(channels.test(caller, ids[0] ?? ''));
	t.like(refused, {code: 'rate_limited', retryAfterSeconds: 10});
	await clock.advance(10_000);
	await t.notThrowsAsync(channels.test(caller, ids[0] ?? ''));
	await t.throwsAsync(channels.test(caller, ids[1] ?? ''), {message: /Too many/});
});
