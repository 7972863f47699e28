import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {buildSealed} from '../builders/environment.ts';
import {buildId} from '../builders/identity.ts';
import {buildEndpoint} from '../builders/webhook.ts';
import {addEndpoint, addOwner, type WebhookContract} from './webhook-world.ts';
import {awkwardTexts, idsOf, parallel, reasonOf, tally} from './world.ts';

/** Every field other than its default. */
const furnished = ({user_id, team_id}: Readonly<{user_id: string; team_id: string}>): EndpointRecord =>
	buildEndpoint({
		user_id,
		team_id,
		name: 'Payments',
		destination_url: 'https://pay.example.com/{{env.PATH}}',
		routing_mode: 'all_match',
		retry_config: {max_retries: 2, intervals: [1, 60]},
		verification: {type: 'hmac', secret: '…', header: 'X-Signature', algorithm: 'sha512', tolerance: [1, null]},
		verification_secrets: buildSealed(),
		previous_signing_secret: {secret: buildSealed(), until: '2026-02-01T09:30:00.000Z'},
		response: {status: 200, body: 'ok'},
		is_active: false,
	});

export const endpoints: WebhookContract = {
	subject: 'endpoints',
	cases: {
		'a created endpoint is answered as it was made, by id, in the list and by slug': async (t, world) => {
			const owner = await world.addTenant();
			const endpoint = furnished(owner);
			await world.stores.endpoints.create(endpoint, null);
			t.deepEqual(await world.stores.endpoints.get(owner.team_ids, endpoint.id), endpoint);
			t.deepEqual(await world.stores.endpoints.list(owner.team_id), [endpoint]);
			const pipeline = {endpoint, middlewares: [], rules: []};
			t.deepEqual(await world.stores.endpoints.pipelineBySlug(endpoint.slug), pipeline);
		},
		'endpoints come oldest first, equally old ones by id': async (t, world) => {
			const owner = await world.addTenant();
			const young = buildEndpoint({...owner, created_at: '2026-01-31T10:00:00.000Z'});
			const [first, second] = [buildEndpoint(owner), buildEndpoint(owner)];
			for (const {id, created_at} of [young, second, first]) await addEndpoint(world, owner, {id, created_at});
			t.deepEqual(idsOf(await world.stores.endpoints.list(owner.team_id)), [first.id, second.id, young.id]);
		},
		'another team neither sees, changes nor deletes an endpoint': async (t, world) => {
			const [{endpoint, ...owner}, other] = [await addOwner(world), await world.addTenant()];
			const {endpoints: store} = world.stores;
			t.is(await store.get(other.team_ids, endpoint.id), undefined);
			t.is(await store.get([], endpoint.id), undefined);
			t.deepEqual(await store.list(other.team_id), []);
			t.is(await store.update(other.team_ids, {...endpoint, name: 'Mine'}, endpoint.version), undefined);
			t.is(await store.delete(other.team_ids, endpoint.id), false);
			t.deepEqual(await store.get(['elsewhere', ...owner.team_ids], endpoint.id), endpoint);
		},
		'a team that is gone takes no endpoints: resource_not_found': async (t, world) => {
			const {user_id} = await world.addTenant();
			const endpoint = buildEndpoint({user_id, team_id: buildId()});
			t.is(await reasonOf(world.stores.endpoints.create(endpoint, null)), 'resource_not_found');
		},
		'a slug is given once': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			t.is(await reasonOf(addEndpoint(world, owner, {slug: endpoint.slug})), 'resource_exists');
			const other = await addEndpoint(world, owner);
			const taking = world.stores.endpoints.update(owner.team_ids, {...other, slug: endpoint.slug}, other.version);
			t.is(await reasonOf(taking), 'resource_exists');
			t.deepEqual(await world.stores.endpoints.list(owner.team_id), [endpoint, other]);
		},
	},
};

export const limitsOfEndpoints: WebhookContract = {
	subject: 'endpoints',
	cases: {
		'the limit counts what the user created in any team, and a deleted one makes room': async (t, world) => {
			const [owner, other] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			const first = await addEndpoint(world, owner);
			const create = (fields: Readonly<{user_id: string; team_id: string}>) =>
				reasonOf(world.stores.endpoints.create(buildEndpoint(fields), 1));
			t.is(await create({user_id: owner.user_id, team_id: team.id}), 'plan_limit_reached');
			t.is(await create({user_id: other.user_id, team_id: owner.team_id}), 'resolved');
			await world.stores.endpoints.delete(owner.team_ids, first.id);
			t.is(await create({user_id: owner.user_id, team_id: team.id}), 'resolved');
		},
		'of those for notices a team has one, also under parallel calls, beside all others and uncounted': async (
			t,
			world,
		) => {
			const [{user_id, team_id}, member] = [await world.addTenant(), await world.addTenant()];
			const create = (is_for_notices: boolean, by = user_id) =>
				reasonOf(world.stores.endpoints.create(buildEndpoint({user_id: by, team_id, is_for_notices}), 1));
			await parallel(10, () => world.stores.endpoints.list(team_id));
			const made = await parallel(10, (index) => create(true, index % 2 === 0 ? user_id : member.user_id));
			t.deepEqual(tally(made), {resolved: 1, resource_exists: 9});
			t.deepEqual([await create(false), await create(false)], ['resolved', 'plan_limit_reached']);
			const purposes = [undefined, 'intake', 'notices'] as const;
			const lists = await Promise.all(purposes.map((purpose) => world.stores.endpoints.list(team_id, purpose)));
			t.deepEqual(
				lists.map((list) => list.map(({is_for_notices}) => is_for_notices)),
				[[false], [false], [true]],
			);
		},
		'parallel creates never exceed the limit': async (t, world) => {
			const {user_id, team_id} = await world.addTenant();
			const create = () => reasonOf(world.stores.endpoints.create(buildEndpoint({user_id, team_id}), 3));
			t.deepEqual(tally(await parallel(30, create)), {resolved: 3, plan_limit_reached: 27});
			t.is((await world.stores.endpoints.list(team_id)).length, 3);
		},
		'parallel creates without a limit all succeed': async (t, world) => {
			const owner = await world.addTenant();
			await parallel(20, () => addEndpoint(world, owner));
			t.is((await world.stores.endpoints.list(owner.team_id)).length, 20);
		},
	},
};

export const changingEndpoints: WebhookContract = {
	subject: 'endpoints',
	cases: {
		'an update writes the whole record, and the version rises by one': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const other = await addEndpoint(world, owner);
			const {id, slug, created_at, version} = endpoint;
			const changed = {...furnished(owner), id, slug, created_at, version: version + 1};
			const {endpoints: store} = world.stores;
			t.deepEqual(await store.update(owner.team_ids, {...changed, version: 99}, version), changed);
			t.deepEqual(await store.get(owner.team_ids, id), changed);
			t.deepEqual(await store.get(owner.team_ids, other.id), other);
		},
		'of parallel updates from one version exactly one is written': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const update = (index: number) =>
				world.stores.endpoints.update(team_ids, {...endpoint, name: `Name ${index}`}, endpoint.version);
			const written = (await parallel(20, update)).filter((record) => record !== undefined);
			t.is(written.length, 1);
			t.is(await update(20), undefined);
			t.deepEqual(await world.stores.endpoints.get(team_ids, endpoint.id), written[0]);
		},
		'an endpoint that is gone is not written again, and was deleted once': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const {endpoints: store} = world.stores;
			t.deepEqual(tally(await parallel(5, () => store.delete(team_ids, endpoint.id))), {true: 1, false: 4});
			t.is(await store.update(team_ids, endpoint, endpoint.version), undefined);
			t.is(await store.get(team_ids, endpoint.id), undefined);
			t.is(await store.pipelineBySlug(endpoint.slug), undefined);
		},
		'another slug leads to the endpoint, the old one nowhere': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const {endpoints: store} = world.stores;
			const moved = await store.update(team_ids, {...endpoint, slug: 'moved'}, endpoint.version);
			t.deepEqual((await store.pipelineBySlug('moved'))?.endpoint, moved);
			t.is(await store.pipelineBySlug(endpoint.slug), undefined);
		},
	},
};

const sealedBy = (kid: string) => buildSealed({kid});
const until = '2026-02-01T09:30:00.000Z';

export const resealingEndpoints: WebhookContract = {
	subject: 'endpoints',
	cases: {
		'those of which any field is sealed by another key are found across tenants, up to the limit': async (t, world) => {
			const [one, two] = [await world.addTenant(), await world.addTenant()];
			const current = {signing_secret: sealedBy('k2'), verification_secrets: sealedBy('k2')};
			const old = [
				await addEndpoint(world, one, {...current, signing_secret: sealedBy('k1')}),
				await addEndpoint(world, two, {...current, verification_secrets: sealedBy('k0')}),
				await addEndpoint(world, two, {...current, previous_signing_secret: {secret: sealedBy('k1'), until}}),
			];
			await addEndpoint(world, one, {...current, previous_signing_secret: {secret: sealedBy('k2'), until}});
			await addEndpoint(world, one, {signing_secret: sealedBy('k2')});
			t.deepEqual(idsOf(await world.stores.endpoints.sealedOtherwise('k2', 10)).toSorted(), idsOf(old));
			t.is((await world.stores.endpoints.sealedOtherwise('k2', 2)).length, 2);
			t.is((await world.stores.endpoints.sealedOtherwise('k1', 10)).length, 5);
		},
		'each sealed field is replaced by itself, if it still is the one named, and an update of before writes nothing':
			async (t, world) => {
				const owner = await world.addTenant();
				const secrets = {signing: sealedBy('k1'), verification: sealedBy('k1'), previous: sealedBy('k1')};
				const endpoint = await addEndpoint(world, owner, {
					signing_secret: secrets.signing,
					verification_secrets: secrets.verification,
					previous_signing_secret: {secret: secrets.previous, until},
				});
				const to = {signing: sealedBy('k2'), verification: sealedBy('k2'), previous: sealedBy('k2')};
				const get = () => world.stores.endpoints.get(owner.team_ids, endpoint.id);
				t.is(await world.stores.endpoints.reseal(endpoint.id, secrets.signing, to.signing), true);
				t.deepEqual(await get(), {...endpoint, signing_secret: to.signing, version: 2});
				t.is(await world.stores.endpoints.update(owner.team_ids, {...endpoint, name: 'renamed'}, 1), undefined);
				t.is(await world.stores.endpoints.reseal(endpoint.id, secrets.verification, to.verification), true);
				t.is(await world.stores.endpoints.reseal(endpoint.id, secrets.previous, to.previous), true);
				t.deepEqual(await get(), {
					...endpoint,
					signing_secret: to.signing,
					verification_secrets: to.verification,
					previous_signing_secret: {secret: to.previous, until},
					version: 4,
				});
			},
		'what is no field of the endpoint any more is not replaced, and nothing twice': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const [from, to] = [endpoint.signing_secret, sealedBy('k2')];
			const {endpoints: store} = world.stores;
			t.is(await store.reseal(endpoint.id, {...from, data: 'other'}, to), false);
			t.is(await store.reseal(endpoint.id, {...from, kid: 'k0'}, to), false);
			t.is(await store.reseal(buildId(), from, to), false);
			t.deepEqual(await store.get(owner.team_ids, endpoint.id), endpoint);
			const resealed = await parallel(5, () => store.reseal(endpoint.id, from, to));
			t.deepEqual(tally(resealed), {true: 1, false: 4});
		},
	},
};

export const textOfEndpoints: WebhookContract = {
	subject: 'endpoints',
	needs: 'exact_text',
	cases: {
		'slugs that differ in case or a trailing blank are different': async (t, world) => {
			const owner = await world.addTenant();
			const [lower, upper] = [
				await addEndpoint(world, owner, {slug: 'abc'}),
				await addEndpoint(world, owner, {slug: 'ABC'}),
			];
			const idBy = async (slug: string) => (await world.stores.endpoints.pipelineBySlug(slug))?.endpoint.id;
			t.deepEqual([await idBy('abc'), await idBy('ABC')], [lower.id, upper.id]);
			for (const slug of ['Abc', 'abc ', '']) t.is(await idBy(slug), undefined);
		},
		'names, addresses and answers are kept to the last character': async (t, world) => {
			const owner = await world.addTenant();
			for (const text of awkwardTexts) {
				const fields = {name: text, destination_url: text, response: {status: 200, body: text}};
				const endpoint = await addEndpoint(world, owner, fields);
				t.deepEqual(await world.stores.endpoints.get(owner.team_ids, endpoint.id), endpoint);
			}
		},
	},
};
