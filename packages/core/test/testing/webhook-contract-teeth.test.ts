import test from 'ava';
import {compositeKey, type MemoryDatabase} from '../../src/memory/database.ts';
import type {DeliveryRow} from '../../src/memory/webhook/tables.ts';
import {type Fault, failedCases} from './support/failed-cases.ts';

/** Lets others in between a check and its write. */
const interrupted = () => Promise.resolve();

type SeededFault = Readonly<{fault: string; subject: string; caughtBy: string; seed: Fault}>;

const changeDelivery = (db: MemoryDatabase, id: string, change: Partial<DeliveryRow>) => {
	const row = db.deliveries.get(id);
	if (row !== undefined) db.deliveries.set(id, {...row, ...change});
};

const configurationFaults: readonly SeededFault[] = [
	{
		fault: 'a pipeline that is known for good',
		subject: 'endpoint pipelines',
		caughtBy: 'after any change it is read anew',
		seed: (stores) => ({
			endpoints: {
				pipelineBySlug: async (slug, known) =>
					known?.endpoint.slug === slug ? known : stores.endpoints.pipelineBySlug(slug),
			},
		}),
	},
	{
		fault: 'steps whose deletion leaves the version of the endpoint',
		subject: 'middlewares',
		caughtBy: 'of parallel deletions exactly one deletes',
		seed: (_stores, db) => ({
			middlewares: {
				delete: async (endpoint_id, id) =>
					db.middlewares.get(id)?.endpoint_id === endpoint_id && db.middlewares.delete(id),
			},
		}),
	},
	{
		fault: 'a last place that is looked up before the write',
		subject: 'routing rules',
		caughtBy: 'of parallel ones each gets a place of its own',
		seed: (stores) => ({
			routingRules: {
				create: async (rule) => {
					const last = (await stores.routingRules.list(rule.endpoint_id)).at(-1)?.sort_order ?? -1;
					return stores.routingRules.create({...rule, sort_order: rule.sort_order ?? last + 1});
				},
			},
		}),
	},
	{
		fault: 'a reorder that takes some of the ids',
		subject: 'middlewares',
		caughtBy: 'ids that are not exactly those of the endpoint change nothing',
		seed: (stores) => ({
			middlewares: {
				reorder: async (endpoint_id, ids) => {
					const others = (await stores.middlewares.list(endpoint_id)).filter(({id}) => !ids.includes(id));
					return stores.middlewares.reorder(endpoint_id, [...ids, ...others.map(({id}) => id)]);
				},
			},
		}),
	},
	{
		fault: 'a deleted endpoint that leaves its deliveries behind',
		subject: 'endpoints',
		caughtBy: 'a deleted endpoint takes its steps, rules, events, deliveries and claims with it',
		seed: (stores, db) => ({
			endpoints: {
				delete: async (team_ids, id) => {
					const [events, deliveries] = [new Map(db.webhookEvents), new Map(db.deliveries)];
					const deleted = await stores.endpoints.delete(team_ids, id);
					for (const [key, row] of events) db.webhookEvents.set(key, row);
					for (const [key, row] of deliveries) db.deliveries.set(key, row);
					return deleted;
				},
			},
		}),
	},
	{
		fault: 'notices that are looked for before the write',
		subject: 'endpoints',
		caughtBy: 'of those for notices a team has one',
		seed: (stores, db) => ({
			endpoints: {
				create: async (endpoint, limit) => {
					const has = (await stores.endpoints.list(endpoint.team_id, 'notices')).length > 0;
					if (has || !endpoint.is_for_notices) return stores.endpoints.create(endpoint, limit);
					await interrupted();
					db.endpoints.set(endpoint.id, endpoint);
				},
			},
		}),
	},
	{
		fault: 'notices that count as endpoints',
		subject: 'endpoints',
		caughtBy: 'of those for notices a team has one',
		seed: (stores, db) => ({
			endpoints: {
				create: (endpoint, limit) => {
					const count = [...db.endpoints.values()].filter(({user_id}) => user_id === endpoint.user_id).length;
					return stores.endpoints.create(endpoint, limit === null ? null : Math.max(0, limit - count));
				},
			},
		}),
	},
	{
		fault: 'a key rotation that sees the signing secret only',
		subject: 'endpoints',
		caughtBy: 'those of which any field is sealed by another key are found',
		seed: (_stores, db) => ({
			endpoints: {
				sealedOtherwise: async (kid, limit) =>
					[...db.endpoints.values()].filter((row) => row.signing_secret.kid !== kid).slice(0, limit),
			},
		}),
	},
];

const intakeFaults: readonly SeededFault[] = [
	{
		fault: 'a claim that is looked up before the write',
		subject: 'deduplication claims',
		caughtBy: 'of 1,000 equal ones in parallel exactly one is first',
		seed: (stores, db) => ({
			intake: {
				accept: async (acceptable, attempts) => {
					const free = acceptable.claims.every(
						(claim) => !db.claims.has(compositeKey(claim.middleware_id, claim.digest)),
					);
					await interrupted();
					return stores.intake.accept(free ? {...acceptable, claims: []} : acceptable, attempts);
				},
			},
		}),
	},
	{
		fault: 'a duplicate that prolongs the claim',
		subject: 'deduplication claims',
		caughtBy: 'duplicates do not prolong it',
		seed: (stores, db) => ({
			intake: {
				accept: async (acceptable, attempts) => {
					const answer = await stores.intake.accept(acceptable, attempts);
					for (const {middleware_id, digest, ttl_seconds} of acceptable.claims) {
						const expires_at = new Date(Date.parse(db.now()) + ttl_seconds * 1000).toISOString();
						db.claims.set(compositeKey(middleware_id, digest), {endpoint_id: acceptable.event.endpoint_id, expires_at});
					}
					return answer;
				},
			},
		}),
	},
	{
		fault: 'claims that an event with a pipeline_error keeps',
		subject: 'deduplication claims',
		caughtBy: 'an event that ends in pipeline_error leaves no claim',
		seed: (stores) => ({
			intake: {
				accept: (acceptable, attempts) => {
					const isError = 'status' in acceptable.outcome && acceptable.outcome.status === 'pipeline_error';
					return stores.intake.accept(isError ? {...acceptable, outcome: {status: 'filtered'}} : acceptable, attempts);
				},
			},
		}),
	},
	{
		fault: 'a dry run that claims',
		subject: 'deduplication claims',
		caughtBy: 'asking whether a value is claimed remembers nothing',
		seed: (stores, db) => ({
			intake: {
				isClaimed: async (claim) => {
					const isClaimed = await stores.intake.isClaimed(claim);
					const key = compositeKey(claim.middleware_id, claim.digest);
					if (!isClaimed) db.claims.set(key, {endpoint_id: '', expires_at: '2099-01-01T00:00:00.000Z'});
					return isClaimed;
				},
			},
		}),
	},
	{
		fault: 'a monthly limit that is counted before the write',
		subject: 'intake',
		caughtBy: 'parallel events never exceed it',
		seed: (stores, db) => ({
			intake: {
				accept: async (acceptable, attempts) => {
					const {monthly_limit} = acceptable;
					const isFull = monthly_limit !== null && db.webhookEvents.size >= monthly_limit;
					await interrupted();
					return isFull
						? {outcome: 'over_limit'}
						: stores.intake.accept({...acceptable, monthly_limit: null}, attempts);
				},
			},
		}),
	},
	{
		fault: 'first attempts that ask not how many are out already',
		subject: 'intake',
		caughtBy: 'a destination is not leased more often than it may',
		seed: (stores) => ({
			intake: {
				accept: (acceptable, attempts) =>
					stores.intake.accept(acceptable, attempts && {...attempts, per_destination: 1000}),
			},
		}),
	},
	{
		fault: 'first attempts ahead that ask not whose the other leases are',
		subject: 'intake',
		caughtBy: 'whoever holds every lease of a destination may have more there',
		seed: (stores) => ({
			intake: {
				accept: (acceptable, attempts) => {
					const per_destination = attempts?.ahead?.limit ?? attempts?.per_destination ?? 0;
					return stores.intake.accept(acceptable, attempts && {...attempts, per_destination});
				},
			},
		}),
	},
];

const deliveryFaults: readonly SeededFault[] = [
	{
		fault: 'leases that are chosen before they are written',
		subject: 'delivery leases',
		caughtBy: 'each is leased to one, also among parallel callers',
		seed: (stores, db) => ({
			deliveries: {
				lease: async (request) => {
					const seen = new Map(db.deliveries);
					await interrupted();
					for (const [id, row] of seen) db.deliveries.set(id, row);
					return stores.deliveries.lease(request);
				},
			},
		}),
	},
	{
		fault: 'leases by age alone',
		subject: 'delivery leases',
		caughtBy: 'none gets another turn before each destination had one',
		seed: (stores, db) => ({
			deliveries: {
				lease: async (request) => {
					const ready = [...db.deliveries.values()].filter((row) => row.due_at !== null && row.due_at <= db.now());
					const chosen = new Set(ready.slice(0, request.attempt_ids.length).map(({id}) => id));
					const hidden = new Map([...db.deliveries].filter(([id]) => !chosen.has(id)));
					for (const id of hidden.keys()) db.deliveries.delete(id);
					const leased = await stores.deliveries.lease(request);
					for (const [id, row] of hidden) db.deliveries.set(id, row);
					return leased;
				},
			},
		}),
	},
	{
		fault: 'a limit of each destination that one call knows of itself only',
		subject: 'delivery leases',
		caughtBy: 'a destination never has more leases at once than it may',
		seed: (stores, db) => ({
			deliveries: {
				lease: (request) => {
					const out = [...db.deliveries.values()].filter(({leased_until}) => leased_until !== null).length;
					return stores.deliveries.lease({...request, per_destination: request.per_destination + out});
				},
			},
		}),
	},
	{
		fault: 'leases ahead that ask not whose the others are',
		subject: 'delivery leases',
		caughtBy: 'where somebody else holds a lease, nobody has more of that destination than it may have',
		seed: (stores) => ({
			deliveries: {
				lease: ({ahead, ...request}) =>
					stores.deliveries.lease({...request, per_destination: ahead?.limit ?? request.per_destination}),
			},
		}),
	},
	{
		fault: 'leases that know nothing of users',
		subject: 'delivery leases of users',
		caughtBy: 'one who may have no more is passed over, however much waits before that of others',
		seed: (stores) => ({
			deliveries: {lease: ({user_limits: _, ...request}) => stores.deliveries.lease(request)},
		}),
	},
	{
		fault: 'what waits of limited users in the way of others',
		subject: 'delivery leases of users',
		caughtBy: 'one who may have no more is passed over, however much waits before that of others',
		seed: (stores, db) => ({
			deliveries: {
				lease: async ({user_limits, ...request}) => {
					const before = new Map(db.deliveries);
					const leased = await stores.deliveries.lease(request);
					const kept = leased.filter(({user_id}) => user_limits?.get(user_id) !== 0);
					for (const {id} of leased) {
						const row = before.get(id);
						if (row && !kept.some((each) => each.id === id)) db.deliveries.set(id, row);
					}
					return kept;
				},
			},
		}),
	},
	{
		fault: 'a fence that stands still',
		subject: 'settling deliveries',
		caughtBy: 'whoever lost the lease completes the attempt, and leaves the delivery to the holder',
		seed: (stores, db) => ({
			deliveries: {
				settle: (settlement) => {
					const fence = db.deliveries.get(settlement.delivery_id)?.fence ?? settlement.fence;
					return stores.deliveries.settle({...settlement, fence});
				},
			},
		}),
	},
	{
		fault: 'a delivery that is settled twice',
		subject: 'settling deliveries',
		caughtBy: 'of parallel settlements of one lease exactly one counts',
		seed: (stores, db) => ({
			deliveries: {
				settle: async (settlement) => {
					const settled = await stores.deliveries.settle(settlement);
					const isHolder = db.deliveries.get(settlement.delivery_id)?.fence === settlement.fence;
					if (isHolder) changeDelivery(db, settlement.delivery_id, {status: settlement.next.status});
					return settled || isHolder;
				},
			},
		}),
	},
	{
		fault: 'a settlement that drops what came too late',
		subject: 'settling deliveries',
		caughtBy: 'whoever lost the lease completes the attempt',
		seed: (stores, db) => ({
			deliveries: {
				settle: async (settlement) =>
					db.deliveries.get(settlement.delivery_id)?.fence === settlement.fence && stores.deliveries.settle(settlement),
			},
		}),
	},
	{
		fault: 'a release that keeps the attempt',
		subject: 'delivery leases',
		caughtBy: 'one that is given back is due at once, as if it had never been leased',
		seed: (_stores, db) => ({
			deliveries: {
				release: async (leases) => {
					for (const {delivery_id} of leases) changeDelivery(db, delivery_id, {leased_until: null});
				},
			},
		}),
	},
	{
		fault: 'a retry that arms what is not failed',
		subject: 'retrying webhook events',
		caughtBy: 'failed deliveries are due again at once, all others are left alone',
		seed: (stores, db) => ({
			webhookEvents: {
				retry: async (team_ids, id) => {
					for (const row of db.deliveries.values())
						if (row.event_id === id && row.status === 'delivered') changeDelivery(db, row.id, {status: 'failed'});
					return stores.webhookEvents.retry(team_ids, id);
				},
			},
		}),
	},
	{
		fault: 'a purge that forgets who is alive',
		subject: 'retention of webhook events',
		caughtBy: 'a live delivery keeps its event',
		seed: (stores, db) => ({
			webhookEvents: {
				purge: async (retention, limit) => {
					for (const {id, status} of db.deliveries.values())
						if (status === 'pending') changeDelivery(db, id, {status: 'failed', due_at: null});
					return stores.webhookEvents.purge(retention, limit);
				},
			},
		}),
	},
	{
		fault: 'purged bodies that the trace keeps',
		subject: 'retention of webhook events',
		caughtBy: 'bodies can go before their event: everything else is left',
		seed: (stores, db) => ({
			webhookEvents: {
				purgeBodies: async (retention, limit) => {
					const before = new Map(db.webhookEvents);
					const count = await stores.webhookEvents.purgeBodies(retention, limit);
					for (const [id, row] of db.webhookEvents)
						db.webhookEvents.set(id, {...row, trace: before.get(id)?.trace ?? row.trace});
					return count;
				},
			},
		}),
	},
];

for (const {fault, subject, caughtBy, seed} of [...configurationFaults, ...intakeFaults, ...deliveryFaults]) {
	test(`the contract catches ${fault}`, async (t) => {
		const failed = await failedCases(subject, seed);
		t.true(
			failed.some((title) => title.includes(caughtBy)),
			`not caught by "${caughtBy}", only by: ${failed.join('; ')}`,
		);
	});
}
