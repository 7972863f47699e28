import type {Resolver} from '../environment/resolver.ts';
import {DomainError} from '../errors.ts';
import type {Accepted, FirstAttempts, Ports, ReceivedEvent} from '../ports/index.ts';
import {nextMonthOf, secondsBetween} from '../values/instant.ts';
import type {EndpointDirectory, ReadyEndpoint} from './endpoint-directory.ts';
import type {LeasedDelivery} from './model/delivery.ts';
import type {Acceptance, EndpointRecord} from './model/endpoint.ts';
import type {EventStatus, NewEvent} from './model/event.ts';
import type {WebhookMessage} from './model/message.ts';
import {createWebhookPlanner, type WebhookPlan} from './plan-webhook.ts';
import type {Handshake} from './rules/handshake.ts';
import {withoutCredential} from './rules/without-credential.ts';
import {createSenderCheck} from './sender-check.ts';
import {createUnsendableNews} from './unsendable-news.ts';
import {createUsageWarning} from './usage-warning.ts';

/** A request at the door of an endpoint. */
export type IncomingWebhook = WebhookMessage & Readonly<{source_ip: string}>;

/** What this process delivers at once, and of how many deliveries: the lease of each first attempt. */
export type FirstLeases = Omit<FirstAttempts, 'ids'> & Readonly<{most: number}>;

/** Asked once it is known whose webhook it is and where it goes. Undefined: what is accepted waits for its turn. */
export type LeasesFor = (webhook: Readonly<{user_id: string; deliveries: number}>) => FirstLeases | undefined;

/** What became of a request, and what its sender is answered. */
export type Reception =
	/** Durable: it cannot be lost any more. `response` null: 202 with the event's id and status. */
	| Readonly<{
			outcome: 'accepted';
			event_id: string;
			status: EventStatus;
			response: Acceptance | null;
			leased: readonly LeasedDelivery[];
	  }>
	/** No webhook: what its provider wants to read. */
	| (Readonly<{outcome: 'handshake'}> & Handshake)
	| Readonly<{outcome: 'unknown'}>
	/** `because` is for the log, not for the sender. */
	| Readonly<{outcome: 'unauthorized'; because: string}>
	/** The month's events of the plan are used up. */
	| Readonly<{outcome: 'over_limit'; retry_after_seconds: number}>;

/** Where webhooks come in: a data plane reads the request, and maps what comes out of here. */
export type WebhookIntake = Readonly<{
	/** The user whose active endpoint has that slug; undefined refuses a request before its body is read. */
	ownerOf(slug: string): Promise<string | undefined>;
	/**
	 * Verifies, takes through the pipeline and routing, and resolves once everything is written.
	 * @throws service_unavailable; then nothing was accepted.
	 */
	accept(slug: string, request: IncomingWebhook, leasesFor?: LeasesFor): Promise<Reception>;
}>;

type Needs = Pick<Ports, 'cipher' | 'signatures'> & WriterNeeds & Resolver & {find: EndpointDirectory['find']};

export const createWebhookIntake = (needs: Needs): WebhookIntake => {
	const checkSender = createSenderCheck(needs);
	const write = createEventWriter(needs);
	const findOpen = async (slug: string): Promise<ReadyEndpoint | undefined> => {
		const ready = await needs.find(slug);
		return ready?.pipeline.endpoint.is_active ? ready : undefined;
	};
	return {
		ownerOf: async (slug) => (await findOpen(slug))?.pipeline.endpoint.user_id,
		accept: async (slug, webhook, leasesFor) => {
			const ready = await findOpen(slug);
			if (ready === undefined) return {outcome: 'unknown'};
			const verdict = await checkSender(ready.pipeline.endpoint, webhook);
			if (!verdict.ok) return {outcome: 'unauthorized', because: verdict.because};
			if (verdict.handshake !== undefined) return {outcome: 'handshake', ...verdict.handshake};
			const headers = withoutCredential(ready.pipeline.endpoint.verification, webhook.headers);
			const {method, path, query, body, source_ip} = webhook;
			const arrived = {method, path, query, headers, body, source_ip, replay_of: null};
			return receptionOf(ready, await write(ready, arrived, leasesFor), needs);
		},
	};
};

const receptionOf = ({pipeline}: ReadyEndpoint, written: Written | undefined, {clock}: Needs): Reception => {
	if (written === undefined) return {outcome: 'unknown'};
	if (written.outcome === 'over_limit') {
		const now = clock.now();
		return {outcome: 'over_limit', retry_after_seconds: secondsBetween(now, nextMonthOf(now))};
	}
	const {event_id, status, leased} = written;
	return {outcome: 'accepted', event_id, status, leased, response: pipeline.endpoint.response};
};

type Written = Accepted & Readonly<{event_id: string}>;

/** A webhook as it came, or came once. */
type Arrived = IncomingWebhook & Pick<ReceivedEvent, 'replay_of'>;

type WriterNeeds = Pick<Ports, 'clock' | 'ids' | 'secrets' | 'intake' | 'teams' | 'notifications' | 'webhookPlanner'> &
	Pick<Resolver, 'lookUp'>;

/** Plans what becomes of a webhook and writes it, all or nothing; undefined when its endpoint is gone by then. */
export const createEventWriter = (needs: WriterNeeds) => {
	const plan = createWebhookPlanner(needs);
	const warn = createUsageWarning(needs);
	const tellOfUnsendable = createUnsendableNews(needs);
	return async (ready: ReadyEndpoint, arrived: Arrived, leasesFor?: LeasesFor): Promise<Written | undefined> => {
		const planned = await plan(ready, arrived, arrived.replay_of !== null);
		const {event, claims, outcome} = planned;
		const attempts =
			'deliveries' in outcome ? firstAttempts(needs, [ready, outcome.deliveries.length], leasesFor) : undefined;
		const written = await unlessGone(
			needs.intake.accept(
				{
					event: newEvent(ready.pipeline.endpoint, arrived, planned),
					claims,
					outcome,
					is_counted: true,
					monthly_limit: ready.monthly_limit,
				},
				attempts,
			),
		);
		if (written === undefined) return undefined;
		await warn(ready, written);
		await tellOfUnsendable(ready, planned, written);
		return {...written, event_id: event.id};
	};
};

const firstAttempts = (
	{ids}: Pick<Ports, 'ids'>,
	[{pipeline}, deliveries]: readonly [ReadyEndpoint, number],
	leasesFor?: LeasesFor,
): FirstAttempts | undefined => {
	const leases = leasesFor?.({user_id: pipeline.endpoint.user_id, deliveries});
	if (leases === undefined) return undefined;
	const {most, ...rest} = leases;
	return {...rest, ids: Array.from({length: Math.min(most, deliveries)}, () => ids.next())};
};

/** Named one by one: a webhook is written down thousands of times a second, and spreading four objects costs more than all of it. */
const newEvent = (
	{id: endpoint_id, team_id, user_id}: EndpointRecord,
	{method, path, query, headers, body, source_ip, replay_of}: Arrived,
	{event: {id, created_at}, processed, trace}: Pick<WebhookPlan, 'event' | 'processed' | 'trace'>,
): NewEvent => ({
	id,
	endpoint_id,
	team_id,
	user_id,
	method,
	path,
	query,
	headers,
	body,
	source_ip,
	replay_of,
	processed,
	trace,
	created_at,
});

const unlessGone = async (accepted: Promise<Accepted>): Promise<Accepted | undefined> => {
	try {
		return await accepted;
	} catch (error) {
		if (error instanceof DomainError && error.reason === 'resource_not_found') return undefined;
		throw error;
	}
};
