import type {Accepted, FirstAttempts, LeaseRequest, Settlement, Stores, WebhookStores} from '../../ports/index.ts';
import type {Acceptable} from '../../webhook/model/acceptable.ts';
import type {LeasedDelivery, PlannedDelivery} from '../../webhook/model/delivery.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {NewEvent, WebhookEvent} from '../../webhook/model/event.ts';
import {buildId} from '../builders/identity.ts';
import {buildAcceptable, buildEndpoint, buildPlannedDelivery, buildSettlement} from '../builders/webhook.ts';
import type {Contract} from './contract.ts';
import type {ContractWorld, Tenant} from './world.ts';

export type WebhookWorld = ContractWorld<Stores & WebhookStores>;
export type WebhookContract = Contract<Stores & WebhookStores>;

export const addEndpoint = async (
	{stores}: WebhookWorld,
	{user_id, team_id}: Pick<Tenant, 'user_id' | 'team_id'>,
	fields: Partial<EndpointRecord> = {},
): Promise<EndpointRecord> => {
	const endpoint = buildEndpoint({user_id, team_id, ...fields});
	await stores.endpoints.create(endpoint, null);
	return endpoint;
};

/** A tenant with an endpoint. */
export const addOwner = async (world: WebhookWorld): Promise<Tenant & Readonly<{endpoint: EndpointRecord}>> => {
	const owner = await world.addTenant();
	return {...owner, endpoint: await addEndpoint(world, owner)};
};

/** Accepts, and answers what that answered, where nothing else is expected. */
export const accept = async (
	{stores}: WebhookWorld,
	acceptable: Acceptable,
	attempts?: FirstAttempts,
): Promise<Extract<Accepted, {outcome: 'accepted'}>> => {
	const answer = await stores.intake.accept(acceptable, attempts);
	if (answer.outcome !== 'accepted') throw new Error(`an event was not accepted: ${answer.outcome}`);
	return answer;
};

/** An accepted event with deliveries of those fields; one that is due at once, unless told otherwise. */
export const addEvent = async (
	world: WebhookWorld,
	endpoint: EndpointRecord,
	{deliveries = [{}], ...event}: Partial<NewEvent> & Readonly<{deliveries?: readonly Partial<PlannedDelivery>[]}> = {},
): Promise<NewEvent> => {
	const outcome = {deliveries: deliveries.map(buildPlannedDelivery)};
	const acceptable = buildAcceptable({endpoint, event, outcome});
	await accept(world, acceptable);
	return acceptable.event;
};

export const lease = (
	{stores}: WebhookWorld,
	count: number,
	fields: Partial<Omit<LeaseRequest, 'attempt_ids'>> = {},
): Promise<readonly LeasedDelivery[]> =>
	stores.deliveries.lease({
		attempt_ids: Array.from({length: count}, buildId),
		per_destination: 100,
		lease_seconds: 60,
		...fields,
	});

export const leaseOne = async (world: WebhookWorld): Promise<LeasedDelivery> => {
	const [leased] = await lease(world, 1);
	if (leased === undefined) throw new Error('nothing is due');
	return leased;
};

/** Of deliveries that were leased, in their order. */
export const namesOf = (leases: readonly Pick<LeasedDelivery, 'name'>[]): readonly string[] =>
	leases.map(({name}) => name);

type Attempted = Pick<LeasedDelivery, 'id' | 'fence' | 'attempt'>;

/** It was delivered. */
export const succeed = ({stores}: WebhookWorld, leased: Attempted): Promise<boolean> =>
	stores.deliveries.settle(buildSettlement({leased}));

/** It answered 500, and that was the last try, unless told otherwise. */
export const fail = (
	{stores}: WebhookWorld,
	leased: Attempted,
	next: Settlement['next'] = {status: 'failed'},
): Promise<boolean> =>
	stores.deliveries.settle(
		buildSettlement({leased, attempt: {outcome: 'failed', status_code: 500}, next, error: 'answered 500'}),
	);

export const readEvent = async (
	{stores}: WebhookWorld,
	{id, team_id}: Pick<NewEvent, 'id' | 'team_id'>,
): Promise<WebhookEvent> => {
	const event = await stores.webhookEvents.get([team_id], id);
	if (event === undefined) throw new Error(`event ${id} is not there`);
	return event;
};

const allOf = {limit: 1000, offset: 0, body_chars: 100};

/** Every event of the team, newest first. */
export const listEvents = async ({stores}: WebhookWorld, team_id: string): Promise<readonly WebhookEvent[]> =>
	(await stores.webhookEvents.list(team_id, {}, allOf)).data;
