import type {Resolver} from '../environment/resolver.ts';
import {DomainError} from '../errors.ts';
import {checkedPage, checkedSpan} from '../list-request.ts';
import type {EventFilter, EventKey, Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {instantOf, millisecondsOf} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {EndpointDirectory} from './endpoint-directory.ts';
import {createEventWriter} from './intake.ts';
import type {WebhookEvent} from './model/event.ts';

/**
 * Of how many events something was done, and of how many not: their bodies are gone, nothing of them failed, or the plan's
 * events of the month were used up meanwhile.
 */
export type BulkOutcome = Readonly<{count: number; skipped: number}>;

/** Webhooks that came in, and what became of them. */
export type WebhookEvents = Readonly<{
	/** Of the active team, newest first, without attempts; bodies are cut to their first 4,096 characters. */
	list(caller: Caller, filter: EventFilter, page: PageRequest): Promise<Page<WebhookEvent>>;
	get(caller: Caller, id: string): Promise<WebhookEvent>;
	/** Tries failed deliveries again, at once. @throws conflict when none failed or the body is gone. */
	retry(caller: Caller, id: string): Promise<WebhookEvent>;
	/**
	 * The same webhook again, as a new event through today's pipeline. @throws conflict when the body is gone;
	 * plan_limit_reached when the month's events are used up.
	 */
	replay(caller: Caller, id: string): Promise<WebhookEvent>;
	/** All that the filter selects in the active team. */
	retryAll(caller: Caller, filter: EventFilter): Promise<BulkOutcome>;
	/** All that the filter selects in the active team. @throws plan_limit_reached when not even one may be written. */
	replayAll(caller: Caller, filter: EventFilter): Promise<BulkOutcome>;
}>;

type Needs = Pick<
	Ports,
	| 'clock'
	| 'ids'
	| 'secrets'
	| 'signals'
	| 'teams'
	| 'notifications'
	| 'endpoints'
	| 'intake'
	| 'webhookEvents'
	| 'webhookPlanner'
> &
	Pick<Resolver, 'lookUp'> & {find: EndpointDirectory['find']};

const shownCharacters = 4096;
const batchSize = 200;
/** Whole bodies are in memory meanwhile. */
const inParallel = 8;

export const createWebhookEvents = (needs: Needs): WebhookEvents => {
	const {webhookEvents} = needs;
	const replayOne = createReplay(needs);
	const rearm = createRearm(needs);
	const find = async ({team_ids}: Caller, id: string): Promise<WebhookEvent> => {
		const event = await webhookEvents.get(team_ids, id);
		if (event === undefined) throw new DomainError('resource_not_found');
		return event;
	};
	const forEach = createForEach(needs);
	return {
		list: async ({team_id}, filter, page) =>
			webhookEvents.list(team_id, checkedSpan(filter), {...checkedPage(page), body_chars: shownCharacters}),
		get: find,
		retry: async (caller, id) => {
			const armed = await rearm(caller, id);
			if (armed === undefined) throw new DomainError('resource_not_found');
			if (armed === 'purged') throw purged();
			if (armed === 0)
				throw new DomainError('conflict', {
					message: 'Nothing of this event was tried and failed. What could not be made is made anew by a replay.',
				});
			return find(caller, id);
		},
		replay: async (caller, id) => find(caller, await replayOne(caller, id)),
		retryAll: (caller, filter) =>
			forEach(caller.team_id, filter, async ({id}) => {
				const armed = await rearm(caller, id);
				return typeof armed === 'number' && armed > 0;
			}),
		replayAll: async (caller, filter) => {
			const upToLimit = stopAtLimit(({id}) => succeeds(replayOne(caller, id)));
			const outcome = await forEach(caller.team_id, filter, upToLimit.act);
			if (outcome.count === 0) upToLimit.throwIfReached();
			return outcome;
		},
	};
};

const purged = (): DomainError =>
	new DomainError('conflict', {message: 'The body of this event is no longer kept, so it cannot be sent again.'});

/** Makes failed deliveries due, and tells whoever delivers. */
const createRearm =
	({webhookEvents, signals}: Pick<Needs, 'webhookEvents' | 'signals'>) =>
	async ({team_id, team_ids}: Caller, event_id: string) => {
		const armed = await webhookEvents.retry(team_ids, event_id);
		if (typeof armed === 'number' && armed > 0) signals.publish({type: 'webhook.delivery.due', event_id, team_id});
		return armed;
	};

/** Answers the id of the new event. */
const createReplay = (needs: Needs) => {
	const write = createEventWriter(needs);
	return async ({team_ids}: Caller, id: string): Promise<string> => {
		const received = await needs.webhookEvents.received(team_ids, id);
		const endpoint = received && (await needs.endpoints.get(team_ids, received.endpoint_id));
		if (endpoint?.is_for_notices)
			throw new DomainError('conflict', {message: 'A notice is not made anew: retry it if it failed.'});
		const ready = endpoint && (await needs.find(endpoint.slug));
		if (received === undefined || ready === undefined) throw new DomainError('resource_not_found');
		const {body, method, path, query, headers, source_ip} = received;
		if (body === undefined) throw purged();
		const written = await write(ready, {method, path, query, headers, body, source_ip, replay_of: id});
		if (written === undefined) throw new DomainError('resource_not_found');
		if (written.outcome === 'over_limit')
			throw new DomainError('plan_limit_reached', {message: "The month's events of your plan are used up."});
		const {event_id} = written;
		if (written.status === 'pending')
			needs.signals.publish({type: 'webhook.delivery.due', event_id, team_id: received.team_id});
		return event_id;
	};
};

/** Whether it resolves; what is gone or purged by then is left out, and anything else is passed on. */
const succeeds = async (promise: Promise<unknown>): Promise<boolean> => {
	try {
		await promise;
		return true;
	} catch (error) {
		if (error instanceof DomainError && (error.reason === 'conflict' || error.reason === 'resource_not_found'))
			return false;
		throw error;
	}
};

/** Ends at the plan's limit and leaves out the rest: what was written by then cannot be taken back, and is to be told. */
const stopAtLimit = (act: (key: EventKey) => Promise<boolean>) => {
	let reached: DomainError | undefined;
	return {
		act: async (key: EventKey): Promise<boolean> => {
			if (reached !== undefined) return false;
			try {
				return await act(key);
			} catch (error) {
				if (!(error instanceof DomainError) || error.reason !== 'plan_limit_reached') throw error;
				reached = error;
				return false;
			}
		},
		throwIfReached: () => {
			if (reached !== undefined) throw reached;
		},
	};
};

/** Does something to all events that a filter selects, oldest first, a few at once. Those that come in meanwhile are left alone. */
const createForEach =
	({webhookEvents, clock, ids}: Pick<Needs, 'webhookEvents' | 'clock' | 'ids'>) =>
	async (team_id: string, wanted: EventFilter, act: (key: EventKey) => Promise<boolean>): Promise<BulkOutcome> => {
		const filter = checkedSpan(wanted);
		const begun = ids.next();
		const afterNow = instantOf(millisecondsOf(clock.now()) + 1);
		const {to = afterNow} = filter;
		const bounded = {...filter, to: to < afterNow ? to : afterNow};
		let [count, skipped] = [0, 0];
		for (let after: EventKey | null = null; ; ) {
			const keys: readonly EventKey[] = await webhookEvents.keys(team_id, bounded, {after, limit: batchSize});
			const done = await inGroups(
				keys.filter(({id}) => id < begun),
				act,
			);
			count += done.filter(Boolean).length;
			skipped += done.filter((isDone) => !isDone).length;
			after = keys.at(-1) ?? null;
			if (keys.length < batchSize) return {count, skipped};
		}
	};

const inGroups = async <T>(keys: readonly EventKey[], act: (key: EventKey) => Promise<T>): Promise<readonly T[]> => {
	const done: T[] = [];
	for (let at = 0; at < keys.length; at += inParallel)
		done.push(...(await Promise.all(keys.slice(at, at + inParallel).map(act))));
	return done;
};
