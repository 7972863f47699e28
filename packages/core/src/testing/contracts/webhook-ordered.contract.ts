import type {OrderedStore, Unordered} from '../../ports/index.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {Middleware} from '../../webhook/model/middleware.ts';
import type {RoutingRule} from '../../webhook/model/routing-rule.ts';
import {buildId} from '../builders/identity.ts';
import {buildMiddleware, buildRoutingRule} from '../builders/webhook.ts';
import {addEndpoint, addOwner, type WebhookContract, type WebhookWorld} from './webhook-world.ts';
import {awkwardTexts, idsOf, parallel, reasonOf, tally} from './world.ts';

type Named = Readonly<{id: string; endpoint_id: string; sort_order: number; name: string; is_active: boolean}>;

/** What the cases need to know of either kind. */
type Kind<T extends Named> = Readonly<{
	subject: string;
	storeOf(world: WebhookWorld): OrderedStore<T>;
	build(endpoint: Pick<EndpointRecord, 'id'>, sort_order?: number): Unordered<T>;
	/** Every text of it is that one. */
	worded(endpoint: EndpointRecord, text: string): Unordered<T>;
}>;

const versionOf = async ({stores}: WebhookWorld, {id, team_id}: EndpointRecord) =>
	(await stores.endpoints.get([team_id], id))?.version;

const placing = <T extends Named>({subject, storeOf, build}: Kind<T>): WebhookContract => ({
	subject,
	cases: {
		'they are answered as they were made, by sort_order, equal ones by id': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const store = storeOf(world);
			await store.create(build(await addEndpoint(world, owner), 0));
			const items = [build(endpoint, 7), build(endpoint, 3), build(endpoint, 3), build(endpoint, -2)];
			const made: T[] = [];
			for (const item of items.toReversed()) made.unshift(await store.create(item));
			t.deepEqual(made, items);
			t.deepEqual(
				await store.list(endpoint.id),
				[3, 1, 2, 0].map((index) => made[index]),
			);
		},
		'without a place the first is at 0, and each next one after the last': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const add = async (sort_order?: number) => (await store.create(build(endpoint, sort_order))).sort_order;
			t.deepEqual([await add(), await add(), await add(10), await add(5), await add()], [0, 1, 10, 5, 11]);
		},
		'of parallel ones each gets a place of its own': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			await parallel(20, () => store.create(build(endpoint)));
			const places = (await store.list(endpoint.id)).map(({sort_order}) => sort_order);
			t.deepEqual(
				places,
				Array.from({length: 20}, (_, place) => place),
			);
			t.is(await versionOf(world, endpoint), endpoint.version + 20);
		},
		'there are never more than told, also under parallel calls: conflict': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const reasons = await parallel(8, () => reasonOf(store.create(build(endpoint), 3)));
			t.deepEqual(tally(reasons), {resolved: 3, conflict: 5});
			t.is((await store.list(endpoint.id)).length, 3);
		},
		'an endpoint that is gone takes none: resource_not_found': async (t, world) => {
			t.is(await reasonOf(storeOf(world).create(build({id: buildId()}))), 'resource_not_found');
		},
	},
});

const reordering = <T extends Named>({subject, storeOf, build}: Kind<T>): WebhookContract => ({
	subject,
	cases: {
		'they are put in the order of the ids, from 0': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const made: T[] = [];
			for (const place of [4, 9, 2]) made.push(await store.create(build(endpoint, place)));
			const reordered = await store.reorder(endpoint.id, idsOf(made));
			t.deepEqual(
				reordered,
				made.map((item, sort_order) => ({...item, sort_order})),
			);
			t.deepEqual(await store.list(endpoint.id), reordered);
		},
		'ids that are not exactly those of the endpoint change nothing': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const store = storeOf(world);
			const [a, b] = [await store.create(build(endpoint)), await store.create(build(endpoint))];
			const foreign = await store.create(build(await addEndpoint(world, owner)));
			const before = await versionOf(world, endpoint);
			const wrong = [[], [b.id], [b.id, b.id], [b.id, a.id, a.id], [b.id, a.id, foreign.id], [b.id, foreign.id]];
			for (const ids of [...wrong, [b.id, a.id, buildId()]])
				t.is(await store.reorder(endpoint.id, ids), undefined, ids.join());
			t.deepEqual(await store.list(endpoint.id), [a, b]);
			t.is(await versionOf(world, endpoint), before);
		},
	},
});

const changing = <T extends Named>({subject, storeOf, build}: Kind<T>): WebhookContract => ({
	subject,
	cases: {
		'a change is made of what is stored, and of nothing else': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const [first, second] = [await store.create(build(endpoint)), await store.create(build(endpoint))];
			const change = (current: T): T => ({...current, name: `${current.name}!`, sort_order: 5, is_active: false});
			t.deepEqual(await store.update(endpoint.id, first.id, change), change(first));
			t.deepEqual(await store.list(endpoint.id), [second, change(first)]);
		},
		'of parallel changes none is lost': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const {id} = await store.create(build(endpoint, 0));
			await parallel(20, () => store.update(endpoint.id, id, (row) => ({...row, sort_order: row.sort_order + 1})));
			t.is((await store.list(endpoint.id))[0]?.sort_order, 20);
			t.is(await versionOf(world, endpoint), endpoint.version + 21);
		},
		'a change that answers what it was given, or throws, writes nothing': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const item = await store.create(build(endpoint));
			const before = await versionOf(world, endpoint);
			t.deepEqual(await store.update(endpoint.id, item.id, (current) => current), item);
			const refuse = () => {
				throw new RangeError('refused');
			};
			const refused = store.update(endpoint.id, item.id, refuse).catch((error: unknown) => error);
			t.is((await refused) instanceof RangeError, true);
			t.deepEqual(await store.list(endpoint.id), [item]);
			t.is(await versionOf(world, endpoint), before);
		},
	},
});

const keeping = <T extends Named>({subject, storeOf, build}: Kind<T>): WebhookContract => ({
	subject,
	cases: {
		'under another endpoint none is found': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const other = await addEndpoint(world, owner);
			const store = storeOf(world);
			const item = await store.create(build(endpoint));
			t.deepEqual(await store.list(other.id), []);
			t.is(await store.update(other.id, item.id, (current) => ({...current, name: 'Mine'})), undefined);
			t.is(await store.update(endpoint.id, buildId(), (current) => ({...current, name: 'None'})), undefined);
			t.is(await store.delete(other.id, item.id), false);
			t.deepEqual(await store.list(endpoint.id), [item]);
			t.is(await versionOf(world, other), other.version);
		},
		'of parallel deletions exactly one deletes': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const [gone, kept] = [await store.create(build(endpoint)), await store.create(build(endpoint))];
			t.deepEqual(tally(await parallel(5, () => store.delete(endpoint.id, gone.id))), {true: 1, false: 4});
			t.deepEqual(await store.list(endpoint.id), [kept]);
			t.is(await versionOf(world, endpoint), endpoint.version + 3);
		},
		'what a caller does to one it gave or got changes nothing in the store': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const given = build(endpoint);
			const made = await store.create(given);
			const untouched = structuredClone(made);
			for (const held of [given, made, ...(await store.list(endpoint.id))]) Object.assign(held, {name: 'bent'});
			t.deepEqual(await store.list(endpoint.id), [untouched]);
		},
	},
});

const wording = <T extends Named>({subject, storeOf, worded}: Kind<T>): WebhookContract => ({
	subject,
	needs: 'exact_text',
	cases: {
		'every text is kept to the last character': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const store = storeOf(world);
			const made: T[] = [];
			for (const text of awkwardTexts) made.push(await store.create(worded(endpoint, text)));
			t.deepEqual(await store.list(endpoint.id), made);
		},
	},
});

const steps: Kind<Middleware> = {
	subject: 'middlewares',
	storeOf: ({stores}) => stores.middlewares,
	build: (endpoint, sort_order) => buildMiddleware({endpoint, sort_order}),
	worded: (endpoint, text) =>
		buildMiddleware({endpoint, name: text, type: 'transform_body', config: {set: {[text]: [text, 1, null]}}}),
};

const rules: Kind<RoutingRule> = {
	subject: 'routing rules',
	storeOf: ({stores}) => stores.routingRules,
	build: (endpoint, sort_order) => buildRoutingRule({endpoint, sort_order}),
	worded: (endpoint, text) =>
		buildRoutingRule({
			endpoint,
			name: text,
			destination_url: text,
			condition_source: 'body',
			condition_field: text,
			condition_operator: 'matches',
			condition_value: text,
			retry_config: {max_retries: 3, intervals: [1, 2]},
			headers_override: {'X-Text': text},
			transform_body: text,
			is_active: false,
		}),
};

const contractsOf = <T extends Named>(kind: Kind<T>): readonly WebhookContract[] => [
	placing(kind),
	reordering(kind),
	changing(kind),
	keeping(kind),
	wording(kind),
];

export const middlewares: readonly WebhookContract[] = contractsOf(steps);
export const routingRules: readonly WebhookContract[] = contractsOf(rules);
