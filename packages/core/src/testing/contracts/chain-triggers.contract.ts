import type {ChainRecord} from '../../cron/model/chain.ts';
import {buildMembership} from '../builders/accounts.ts';
import {buildAcceptable, buildClaim, buildEndpoint, buildPlannedDelivery} from '../builders/webhook.ts';
import {addChain, addChainOwner} from './chain-world.ts';
import type {CronContract, CronWorld} from './cron-world.ts';
import {parallel} from './world.ts';

/** A tenant with an endpoint, and a chain that is linked to it. */
const addLinked = async (world: CronWorld, fields: Partial<ChainRecord> = {}) => {
	const owner = await addChainOwner(world);
	const endpoint = buildEndpoint({user_id: owner.user_id, team_id: owner.team_id});
	await world.stores.endpoints.create(endpoint, null);
	const link = {trigger_type: 'webhook', trigger_endpoint_id: endpoint.id} as const;
	return {...owner, endpoint, chain: await addChain(world, owner, {...link, ...fields})};
};

type Linked = Awaited<ReturnType<typeof addLinked>>;

const accept = ({stores}: CronWorld, {endpoint}: Linked, fields: object = {}) => {
	const acceptable = {...buildAcceptable({endpoint}), ...fields};
	return stores.intake.accept(acceptable).then((accepted) => ({accepted, event_id: acceptable.event.id}));
};

/** The events that started the chain. */
const startedBy = async ({stores}: CronWorld, {user_id, id}: ChainRecord): Promise<readonly (string | null)[]> => {
	const found = await stores.chainExecutions.list(user_id, id, {limit: 1000, offset: 0});
	return (found?.data ?? []).map(({trigger_event_id}) => trigger_event_id);
};

const delivered = () => ({outcome: {deliveries: [buildPlannedDelivery()]}});

export const triggeredChains: CronContract = {
	subject: 'chains of webhooks',
	cases: {
		'an accepted event starts what is linked to its endpoint, and is there with it': async (t, world) => {
			const owner = await addLinked(world);
			const link = {trigger_type: 'webhook', trigger_endpoint_id: owner.endpoint.id} as const;
			const second = await addChain(world, owner, link);
			const {event_id} = await accept(world, owner, delivered());
			for (const chain of [owner.chain, second]) t.deepEqual(await startedBy(world, chain), [event_id]);
			const {executions} = await world.stores.chainExecutions.due(10);
			t.is(executions.length, 2);
			const {triggered_by, status, steps} = executions[0]?.execution ?? {};
			t.deepEqual(
				[triggered_by, status, steps?.map((step) => step.job_name)],
				['webhook', 'running', [owner.job.name, owner.job.name]],
			);
		},
		'each of many events in parallel starts it once': async (t, world) => {
			const owner = await addLinked(world);
			const accepted = await parallel(50, () => accept(world, owner, delivered()));
			const started = await startedBy(world, owner.chain);
			t.deepEqual([...started].sort(), accepted.map(({event_id}) => event_id).sort());
		},
		'an event that no rule wants starts it too; one that was not let through does not': async (t, world) => {
			const owner = await addLinked(world);
			for (const status of ['filtered', 'duplicate', 'pipeline_error']) await accept(world, owner, {outcome: {status}});
			t.deepEqual(await startedBy(world, owner.chain), []);
			const {event_id} = await accept(world, owner, {outcome: {status: 'unmatched'}});
			t.deepEqual(await startedBy(world, owner.chain), [event_id]);
		},
		'of equal claims in parallel the one that wins starts it': async (t, world) => {
			const owner = await addLinked(world);
			const claims = [buildClaim()];
			const accepted = await parallel(20, () => accept(world, owner, {...delivered(), claims}));
			const winners = accepted.filter(
				(each) => each.accepted.outcome === 'accepted' && each.accepted.status !== 'duplicate',
			);
			t.deepEqual(
				await startedBy(world, owner.chain),
				winners.map(({event_id}) => event_id),
			);
			t.is(winners.length, 1);
		},
		'one that is disabled, of another trigger, or linked elsewhere is not started': async (t, world) => {
			const owner = await addLinked(world, {is_enabled: false});
			const manual = await addChain(world, owner, {trigger_type: 'manual', trigger_endpoint_id: owner.endpoint.id});
			const other = await addLinked(world);
			await accept(world, owner, delivered());
			for (const chain of [owner.chain, manual, other.chain]) t.deepEqual(await startedBy(world, chain), []);
		},
		'who has left the team of the endpoint starts nothing by it': async (t, world) => {
			const [owner, other] = [await addLinked(world), await addLinked(world)];
			const link = {trigger_type: 'webhook', trigger_endpoint_id: owner.endpoint.id} as const;
			const chain = await addChain(world, other, link);
			await accept(world, owner, delivered());
			t.deepEqual(await startedBy(world, chain), []);
			const membership = buildMembership({team_id: owner.team_id, user_id: other.user_id, role: 'member'});
			await world.stores.teams.addMember(membership, 1000);
			const {event_id} = await accept(world, owner, delivered());
			t.deepEqual(await startedBy(world, chain), [event_id]);
		},
		'an event comes in whoever deletes the chain meanwhile': async (t, world) => {
			for (let round = 0; round < 20; round += 1) {
				const owner = await addLinked(world);
				const [{accepted}, deleted] = await Promise.all([
					accept(world, owner, delivered()),
					world.stores.chains.delete(owner.user_id, owner.chain.id),
				]);
				t.deepEqual([accepted.outcome, deleted === undefined], ['accepted', false]);
			}
		},
		'what is refused starts nothing': async (t, world) => {
			const owner = await addLinked(world);
			await accept(world, owner, {...delivered(), monthly_limit: 0});
			t.deepEqual(await startedBy(world, owner.chain), []);
		},
	},
};
