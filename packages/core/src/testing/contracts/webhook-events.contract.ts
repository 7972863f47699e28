import type {EventFilter} from '../../ports/index.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {NewEvent, WebhookEvent} from '../../webhook/model/event.ts';
import type {CompactTrace} from '../../webhook/model/trace.ts';
import {buildId} from '../builders/identity.ts';
import {buildAcceptable, buildEvent} from '../builders/webhook.ts';
import {
	accept,
	addEndpoint,
	addEvent,
	addOwner,
	fail,
	leaseOne,
	listEvents,
	readEvent,
	succeed,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {awkwardTexts, idsOf, longTexts, parallel} from './world.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const at = (second: number) => `2026-01-31T10:00:${String(second).padStart(2, '0')}.000Z`;

const rest = async (
	world: WebhookWorld,
	endpoint: EndpointRecord,
	event: Partial<NewEvent> = {},
): Promise<NewEvent> => {
	const acceptable = buildAcceptable({endpoint, event, outcome: {status: 'filtered'}});
	await accept(world, acceptable);
	return acceptable.event;
};

const listed = async (world: WebhookWorld, team_id: string, filter: EventFilter = {}) =>
	idsOf((await world.stores.webhookEvents.list(team_id, filter, {limit: 100, offset: 0, body_chars: 10})).data);

/** Keys of all that the filter selects, read in pages of two. */
const keysOf = async ({stores}: WebhookWorld, team_id: string, filter: EventFilter = {}) => {
	const ids: string[] = [];
	for (let after: Pick<NewEvent, 'id' | 'created_at'> | null = null; ; ) {
		const page = await stores.webhookEvents.keys(team_id, filter, {after, limit: 2});
		ids.push(...idsOf(page));
		after = page.at(-1) ?? null;
		if (after === null) return ids;
	}
};

/** A trace that says everything it can. */
const fullTrace: CompactTrace = {
	pipeline: {
		outcome: 'passed',
		delay_seconds: 3,
		steps: [
			{
				middleware_id: buildId(),
				name: 'step',
				type: 'transform_body',
				outcome: 'passed',
				message: 'set a',
				headers: {b: 'c'},
				body: 'abc',
			},
		],
		result: {headers: {b: 'c'}, body: 'abcd'},
	},
	routing: {
		routing_mode: 'all_match',
		destinations: [{rule_id: null, name: 'primary', url: 'https://a.example/{{env.A}}', body: 'abcde'}],
		rules: [{rule_id: buildId(), name: 'rule', matched: true, reason: 'always'}],
	},
};

export const readingEvents: WebhookContract = {
	subject: 'webhook events',
	cases: {
		'an event is read as it was received, with its trace made whole': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const headers = [
				['X-A', '1'],
				['x-a', '2'],
				['Host', 'hooks.example.com'],
			] as const;
			const fields = {method: 'PUT', path: '/a/b', query: 'x=1', headers, source_ip: '2001:db8::1', trace: fullTrace};
			const event = await rest(world, endpoint, {...fields, body: bytes('received')});
			const {pipeline, routing} = fullTrace;
			const shown: WebhookEvent = {
				id: event.id,
				endpoint_id: endpoint.id,
				...{method: 'PUT', path: '/a/b', query: 'x=1', source_ip: '2001:db8::1'},
				headers: {'X-A': '1, 2', Host: 'hooks.example.com'},
				body: 'received',
				delivery_status: 'filtered',
				...{status_code: null, response_body: null, retry_count: 0, next_retry_at: null, delivered_at: null},
				created_at: event.created_at,
				trace: {
					pipeline: {...pipeline, steps: [...pipeline.steps], result: {headers: {b: 'c'}, body: 'abcd'}},
					routing: routing && {
						...routing,
						destinations: routing.destinations.map((to) => ({headers: {b: 'c'}, body: 'abcd', ...to})),
						rules: [...routing.rules],
					},
				},
				deliveries: [],
			};
			t.deepEqual(await readEvent(world, event), shown);
		},
		'for a replay it comes to the last byte, with its headers in their order': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const headers = [
				['X-A', '1'],
				['B', ''],
				['x-a', '\u00e9'],
			] as const;
			const replay_of = buildId();
			const event = await rest(world, endpoint, {headers, replay_of, body: new Uint8Array([0, 255, 10, 13, 0])});
			const {processed: _, trace: __, ...received} = event;
			t.deepEqual(await world.stores.webhookEvents.received(team_ids, event.id), received);
		},
		'the list is newest first, equally new ones by id, and pages join without gaps or doubles': async (t, world) => {
			const {endpoint, team_id} = await addOwner(world);
			const events = await parallel(12, (index) => rest(world, endpoint, {created_at: at(index % 2)}));
			const newest = events.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
			const pages = await parallel(4, (page) =>
				world.stores.webhookEvents.list(team_id, {}, {limit: 5, offset: page * 5, body_chars: 10}),
			);
			t.deepEqual(idsOf(pages.flatMap(({data}) => data)), idsOf(newest));
			t.deepEqual(
				pages.map(({total, limit, offset}) => [total, limit, offset]),
				[0, 5, 10, 15].map((offset) => [12, 5, offset]),
			);
			t.deepEqual(await keysOf(world, team_id), idsOf(newest.toReversed()));
		},
		'list and keys obey every filter, and all of them together': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const other = await addEndpoint(world, owner);
			const [early, wanted, late] = [await rest(world, endpoint, {created_at: at(1)}), at(2), at(3)];
			const ids = {
				early: early.id,
				late: (await rest(world, endpoint, {created_at: late})).id,
				other: (await rest(world, other, {created_at: wanted})).id,
				pending: (await addEvent(world, endpoint, {created_at: wanted})).id,
				wanted: (await rest(world, endpoint, {created_at: wanted})).id,
			};
			const {early: first, late: last, other: foreign, pending} = ids;
			const filters: readonly (readonly [EventFilter, readonly string[]])[] = [
				[{endpoint_id: other.id}, [foreign]],
				[{status: 'pending'}, [pending]],
				[{status: 'filtered'}, [first, foreign, ids.wanted, last]],
				[{status: 'delivered'}, []],
				[{from: wanted}, [foreign, pending, ids.wanted, last]],
				[{to: wanted}, [first]],
				[{endpoint_id: endpoint.id, status: 'filtered', from: wanted, to: late}, [ids.wanted]],
			];
			for (const [filter, expected] of filters) {
				t.deepEqual(await keysOf(world, owner.team_id, filter), expected, JSON.stringify(filter));
				const newest = (await listed(world, owner.team_id, filter)).toReversed();
				t.deepEqual(newest, expected, JSON.stringify(filter));
			}
		},
		'another team sees no event, and retries none': async (t, world) => {
			const [{endpoint, ...owner}, other] = [await addOwner(world), await world.addTenant()];
			const event = await addEvent(world, endpoint);
			await fail(world, await leaseOne(world));
			const {webhookEvents} = world.stores;
			for (const team_ids of [other.team_ids, []]) {
				t.is(await webhookEvents.get(team_ids, event.id), undefined);
				t.is(await webhookEvents.received(team_ids, event.id), undefined);
				t.is(await webhookEvents.retry(team_ids, event.id), undefined);
			}
			t.deepEqual(await listed(world, other.team_id, {endpoint_id: endpoint.id}), []);
			t.deepEqual(await keysOf(world, other.team_id), []);
			t.is((await webhookEvents.get(['elsewhere', ...owner.team_ids], event.id))?.id, event.id);
		},
		'in a list every body is cut to its first characters, and no attempt is shown': async (t, world) => {
			const {endpoint, team_id} = await addOwner(world);
			const trace: CompactTrace = {...fullTrace, pipeline: {...fullTrace.pipeline, result: {}}};
			await addEvent(world, endpoint, {body: bytes('a👩é\u0301z'), trace});
			await succeed(world, await leaseOne(world));
			const cut = async (body_chars: number) => {
				const page = await world.stores.webhookEvents.list(team_id, {}, {limit: 1, offset: 0, body_chars});
				const [event] = page.data;
				const {pipeline, routing} = event?.trace ?? {};
				t.deepEqual(event?.deliveries[0]?.attempts, []);
				const traced = [pipeline?.steps[0], pipeline?.result, routing?.destinations[0]];
				const marked = traced.map((part) => `${part?.body}${part?.body_truncated ? '…' : ''}`);
				return [event?.body, event?.response_body, ...marked];
			};
			t.deepEqual(await cut(0), ['', '', '…', '…', '…']);
			t.deepEqual(await cut(1), ['a', 'o', 'a…', 'a…', 'a…']);
			t.deepEqual(await cut(2), ['a👩', 'ok', 'ab…', 'a👩…', 'ab…']);
			t.deepEqual(await cut(4), ['a👩é\u0301', 'ok', 'abc', 'a👩é\u0301…', 'abcd…']);
			t.deepEqual(await cut(5), ['a👩é\u0301z', 'ok', 'abc', 'a👩é\u0301z', 'abcde']);
		},
		'long bodies come back whole and are delivered whole, and begin in a list as they were sent': async (t, world) => {
			const {endpoint, team_id} = await addOwner(world);
			for (const text of longTexts) {
				const event = await addEvent(world, endpoint, {body: bytes(text)});
				const leased = await leaseOne(world);
				const sent = new TextDecoder().decode(leased.event.body.bytes);
				t.is(sent === text, true, `delivered ${text.length} characters`);
				await succeed(world, leased);
				t.is((await readEvent(world, event)).body === text, true, `read ${text.length} characters`);
				for (const body_chars of [10, 16_384, 40_000]) {
					const {data} = await world.stores.webhookEvents.list(team_id, {}, {limit: 1, offset: 0, body_chars});
					const characters = Array.from(text).slice(0, body_chars).join('');
					t.is(data[0]?.body === characters, true, `${body_chars} of ${text.length} characters`);
				}
			}
		},
		'what a caller does to an event it gave or got changes nothing in the store': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const event = buildEvent({endpoint, body: bytes('kept')});
			await accept(world, buildAcceptable({endpoint, event}));
			event.body.fill(0);
			const got = await world.stores.webhookEvents.received([endpoint.team_id], event.id);
			got?.body?.fill(0);
			t.is((await readEvent(world, event)).body, 'kept');
		},
	},
};

export const textOfEvents: WebhookContract = {
	subject: 'webhook events',
	needs: 'exact_text',
	cases: {
		'every text of an event is kept to the last character': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			for (const text of awkwardTexts) {
				const headers = [['X-Text', text]] as const;
				const fields = {method: text, path: text, query: text, headers, body: bytes(text), source_ip: text};
				const event = await addEvent(world, endpoint, {...fields, deliveries: [{name: text, url: text}]});
				const {processed: _, trace: __, ...received} = event;
				t.deepEqual(await world.stores.webhookEvents.received(team_ids, event.id), received);
				const read = await readEvent(world, event);
				t.deepEqual([read.body, read.headers['X-Text'], read.path], [text, text, text]);
				t.deepEqual([read.deliveries[0]?.name, read.deliveries[0]?.url], [text, text]);
			}
		},
		'bodies of a megabyte are kept whole, empty ones stay empty, bytes that are no text are replaced': async (
			t,
			world,
		) => {
			const {endpoint, team_id} = await addOwner(world);
			const text = '👩 {"a":"\u00e9"}\r\n'.repeat(60_000);
			t.is((await readEvent(world, await rest(world, endpoint, {body: bytes(text)}))).body, text);
			t.is((await readEvent(world, await rest(world, endpoint, {body: new Uint8Array()}))).body, '');
			t.is(
				(await readEvent(world, await rest(world, endpoint, {body: new Uint8Array([97, 255, 98])}))).body,
				'a\ufffdb',
			);
			t.is((await listEvents(world, team_id)).length, 3);
		},
	},
};
