import type {EndpointPipeline} from '../../ports/index.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {buildAcceptable, buildClaim, buildMiddleware, buildRoutingRule} from '../builders/webhook.ts';
import {
	accept,
	addEndpoint,
	addEvent,
	addOwner,
	lease,
	listEvents,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {idsOf, reasonOf} from './world.ts';

const pipelineOf = async ({stores}: WebhookWorld, {slug}: EndpointRecord): Promise<EndpointPipeline> => {
	const pipeline = await stores.endpoints.pipelineBySlug(slug);
	if (pipeline === undefined) throw new Error(`no endpoint has the slug ${slug}`);
	return pipeline;
};

/** Everything that makes another version of an endpoint. */
const changesOf = ({stores}: WebhookWorld, {id, team_id}: EndpointRecord) => {
	const step = buildMiddleware({endpoint: {id}});
	const rule = buildRoutingRule({endpoint: {id}});
	return {
		'a new step': () => stores.middlewares.create(step),
		'a changed step': () => stores.middlewares.update(id, step.id, (current) => ({...current, name: 'Other'})),
		'reordered steps': () => stores.middlewares.reorder(id, [step.id]),
		'a deleted step': () => stores.middlewares.delete(id, step.id),
		'a new rule': () => stores.routingRules.create(rule),
		'a changed rule': () => stores.routingRules.update(id, rule.id, (current) => ({...current, is_active: false})),
		'reordered rules': () => stores.routingRules.reorder(id, [rule.id]),
		'a deleted rule': () => stores.routingRules.delete(id, rule.id),
		'a changed endpoint': async () => {
			const current = await stores.endpoints.get([team_id], id);
			if (current !== undefined) await stores.endpoints.update([team_id], {...current, name: 'B'}, current.version);
		},
	};
};

export const pipelines: WebhookContract = {
	subject: 'endpoint pipelines',
	cases: {
		'by its slug an endpoint comes with its active middleware and rules, in their order': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const addStep = (sort_order: number, is_active = true) =>
				world.stores.middlewares.create(buildMiddleware({endpoint, sort_order, is_active}));
			const addRule = (sort_order: number, is_active = true) =>
				world.stores.routingRules.create(buildRoutingRule({endpoint, sort_order, is_active}));
			const [second, , first] = [await addStep(5), await addStep(2, false), await addStep(1)];
			const [last, middle, , front] = [await addRule(9), await addRule(3), await addRule(0, false), await addRule(-1)];
			const {middlewares, rules} = await pipelineOf(world, endpoint);
			t.deepEqual(middlewares, [first, second]);
			t.deepEqual(rules, [front, middle, last]);
		},
		'nothing of another endpoint is among them': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const other = await addEndpoint(world, owner);
			await world.stores.middlewares.create(buildMiddleware({endpoint: other}));
			await world.stores.routingRules.create(buildRoutingRule({endpoint: other}));
			t.deepEqual(await pipelineOf(world, endpoint), {endpoint, middlewares: [], rules: []});
		},
		'what is known already is answered again, itself, while the version stands': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const known = await pipelineOf(world, endpoint);
			const ask = () => world.stores.endpoints.pipelineBySlug(endpoint.slug, known);
			t.is(await ask(), known);
			const other = await addEndpoint(world, owner);
			await world.stores.middlewares.create(buildMiddleware({endpoint: other}));
			t.is(await ask(), known);
		},
		'after any change it is read anew, and its version has risen by one': async (t, world) => {
			const {endpoint} = await addOwner(world);
			for (const [title, change] of Object.entries(changesOf(world, endpoint))) {
				const known = await pipelineOf(world, endpoint);
				await change();
				const changed = await world.stores.endpoints.pipelineBySlug(endpoint.slug, known);
				t.deepEqual(changed, await pipelineOf(world, endpoint), title);
				t.is(changed?.endpoint.version, known.endpoint.version + 1, title);
			}
		},
		'what is known of one endpoint is not taken for another': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const known = await pipelineOf(world, await addEndpoint(world, owner));
			const {endpoints} = world.stores;
			t.deepEqual(await endpoints.pipelineBySlug(endpoint.slug, known), {endpoint, middlewares: [], rules: []});
			t.is(await endpoints.pipelineBySlug('unknown', known), undefined);
		},
		'an inactive endpoint is answered too, and says so': async (t, world) => {
			const endpoint = await addEndpoint(world, await world.addTenant(), {is_active: false});
			t.is((await pipelineOf(world, endpoint)).endpoint.is_active, false);
		},
	},
};

const claim = buildClaim();

const furnish = async (world: WebhookWorld, endpoint: EndpointRecord) => {
	await world.stores.middlewares.create(buildMiddleware({endpoint}));
	await world.stores.routingRules.create(buildRoutingRule({endpoint}));
	await addEvent(world, endpoint, {deliveries: [{}, {}]});
	await accept(world, buildAcceptable({endpoint, outcome: {status: 'filtered'}}));
};

const traces = async (world: WebhookWorld, {id, team_id}: EndpointRecord) => ({
	steps: (await world.stores.middlewares.list(id)).length,
	rules: (await world.stores.routingRules.list(id)).length,
	events: (await listEvents(world, team_id)).filter((event) => event.endpoint_id === id).length,
});

export const deletingEndpoints: WebhookContract = {
	subject: 'endpoints',
	cases: {
		'a deleted endpoint takes its steps, rules, events, deliveries and claims with it, and no others': async (
			t,
			world,
		) => {
			const {endpoint, ...owner} = await addOwner(world);
			const kept = await addEndpoint(world, owner);
			for (const each of [endpoint, kept]) await furnish(world, each);
			await accept(world, buildAcceptable({endpoint, claims: [claim]}));
			const keptClaim = buildClaim();
			await accept(world, buildAcceptable({endpoint: kept, claims: [keptClaim], outcome: {status: 'unmatched'}}));
			t.is(await world.stores.endpoints.delete(owner.team_ids, endpoint.id), true);
			t.deepEqual(await traces(world, endpoint), {steps: 0, rules: 0, events: 0});
			t.deepEqual(await traces(world, kept), {steps: 1, rules: 1, events: 3});
			t.is(await world.stores.intake.isClaimed(claim), false);
			t.is(await world.stores.intake.isClaimed(keptClaim), true);
			t.deepEqual(
				(await lease(world, 10)).map(({endpoint_id}) => endpoint_id),
				[kept.id, kept.id],
			);
		},
		'a deleted team takes its endpoints with it': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const gone = await addEndpoint(world, {user_id: owner.user_id, team_id: team.id});
			const kept = await addEndpoint(world, owner);
			for (const each of [gone, kept]) await furnish(world, each);
			await world.stores.teams.delete(team.id);
			t.is(await world.stores.endpoints.pipelineBySlug(gone.slug), undefined);
			t.deepEqual(await traces(world, gone), {steps: 0, rules: 0, events: 0});
			t.deepEqual(idsOf(await world.stores.endpoints.list(owner.team_id)), [kept.id]);
			t.is((await lease(world, 10)).length, 2);
		},
		'what is written in parallel with a deletion leaves no trace': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const lateWrites = () => [
				reasonOf(world.stores.middlewares.create(buildMiddleware({endpoint}))),
				reasonOf(world.stores.routingRules.create(buildRoutingRule({endpoint}))),
				reasonOf(addEvent(world, endpoint)),
			];
			const before = [lateWrites(), lateWrites()].flat();
			const deletion = world.stores.endpoints.delete(owner.team_ids, endpoint.id);
			await Promise.all([...before, deletion, ...lateWrites(), ...lateWrites()]);
			t.deepEqual(await traces(world, endpoint), {steps: 0, rules: 0, events: 0});
			t.deepEqual(await lease(world, 10), []);
		},
	},
};
