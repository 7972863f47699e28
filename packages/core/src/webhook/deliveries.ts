import type {Resolver} from '../environment/resolver.ts';
import {isUnavailable} from '../errors.ts';
import type {Ports, Settlement, WebhookSender, WebhookStores} from '../ports/index.ts';
import {referencedChannel} from '../values/channel-reference.ts';
import {type Instant, millisecondsOf} from '../values/instant.ts';
import {type Addressed, addressOf, channelOf} from './channel-address.ts';
import {createSignerDirectory, type Signer} from './endpoint-secrets.ts';
import {lookUpValues} from './env-values.ts';
import {tellOfFailure} from './failure-news.ts';
import type {LeasedDelivery} from './model/delivery.ts';
import type {DeliveryAnswer, DeliveryFailure} from './model/delivery-exchange.ts';
import type {EnvValues} from './model/env-values.ts';
import {concealValues} from './rules/conceal-values.ts';
import {type BuiltRequest, deliveryRequest, referencesOf} from './rules/delivery-request.ts';
import {type JudgedAttempt, judgeAttempt} from './rules/judge-attempt.ts';
import type {NextAttempt} from './rules/next-attempt.ts';

/**
 * How an attempt ended. `lost`: the delivery is somebody else's by now, or gone. `abandoned`: the signal aborted, nothing
 * is recorded, and the delivery is attempted again once its lease has run out.
 */
export type AttemptEnd = 'delivered' | 'retrying' | 'failed' | 'lost' | 'abandoned';

/** Deliveries, one attempt at a time. */
export type Deliveries = Readonly<{
	/**
	 * Attempts a delivery that is leased to this process, and records how that ended.
	 * @throws service_unavailable when the store is not there, also not for as long as the lease lasts.
	 */
	attempt(delivery: LeasedDelivery, send: WebhookSender['send'], signal: AbortSignal): Promise<AttemptEnd>;
}>;

type Needs = Pick<
	Ports,
	'clock' | 'cipher' | 'ids' | 'signals' | 'signatures' | 'teams' | 'notifications' | 'notificationChannels'
> &
	Pick<WebhookStores, 'endpoints' | 'routingRules' | 'webhookEvents' | 'deliveries'> &
	Readonly<{
		lookUp: Resolver['lookUp'];
		/** From 0 up to, not including, 1. */
		random(): number;
	}>;

/** Seconds that a store may be away before an answer that is known is given up. A lease lasts longer. */
const patience = 20;

const secondsOf = (now: Instant): number => millisecondsOf(now) / 1000;

type Result = DeliveryAnswer | DeliveryFailure;

/** How an attempt ended, without a value of a variable in it, and what it means. */
type Ended = Readonly<{
	result: Result;
	next: NextAttempt;
	error: string | null;
	began: number;
}>;

const keysOf = (signer: Signer, now: Instant): readonly Uint8Array[] | undefined => {
	try {
		return signer.keysAt(now);
	} catch {
		return undefined;
	}
};

const conceal = (result: Result, values: EnvValues, secrets: readonly string[]): Result => {
	if (!('error_code' in result)) return concealValues(result, values, secrets);
	return {...result, answer: result.answer && concealValues(result.answer, values, secrets)};
};

type Sending = Readonly<{send: WebhookSender['send']; signal: AbortSignal}>;

const perform = async (
	needs: Needs,
	[delivery, signer]: readonly [LeasedDelivery, Signer],
	{send, signal}: Sending,
): Promise<Ended> => {
	const addressed = await addressOf(needs, signer.endpoint, delivery);
	const values = await lookUpValues(needs, signer.endpoint, referencesOf(delivery));
	const now = needs.clock.now();
	const began = millisecondsOf(now);
	const built = addressed.ok ? buildRequest(needs, [addressed.delivery, signer], {values, now}) : addressed;
	const result: Result = built.ok ? await send(built.request, signal) : {error_code: 'unresolved', answer: null};
	const judged = judge(needs, [delivery, addressed], result);
	const concealed = conceal(result, values, addressed.ok ? addressed.secrets : []);
	return {result: concealed, ...judged, ...(!built.ok && {error: built.because}), began};
};

const buildRequest = (
	{signatures}: Needs,
	[delivery, signer]: readonly [LeasedDelivery, Signer],
	{values, now}: Readonly<{values: EnvValues; now: Instant}>,
): BuiltRequest => {
	const keys = keysOf(signer, now);
	if (keys === undefined)
		return {ok: false, because: 'The signing secret does not open with the master keys that are set.'};
	return deliveryRequest(delivery, {values, keys, now: secondsOf(now), signatures});
};

const judge = (
	{clock, random}: Needs,
	[delivery, addressed]: readonly [LeasedDelivery, Addressed],
	result: Result,
): JudgedAttempt => {
	if (!addressed.ok && addressed.is_over) return {next: {status: 'failed', because: 'unwanted'}, error: null};
	return judgeAttempt(delivery, result, {now: secondsOf(clock.now()), random: random()});
};

const settlementOf = (delivery: LeasedDelivery, ended: Ended, now: Instant): Settlement => {
	const {result, next, error, began} = ended;
	const failure = 'error_code' in result ? result : undefined;
	const answer = 'error_code' in result ? result.answer : result;
	return {
		delivery_id: delivery.id,
		fence: delivery.fence,
		attempt: {
			id: delivery.attempt.id,
			outcome: next.status === 'delivered' ? 'delivered' : 'failed',
			status_code: answer?.status_code ?? null,
			error_code: failure?.error_code ?? null,
			response_headers: answer?.headers ?? {},
			response_body: answer?.body ?? new Uint8Array(),
			duration_ms: Math.max(0, millisecondsOf(now) - began),
		},
		next: next.status === 'retrying' ? {status: 'retrying', after_seconds: next.after_seconds} : {status: next.status},
		error,
	};
};

/** Whether the delivery stands as its attempt left it: nobody took it up since. */
const stands = async ({webhookEvents}: Needs, {event_id, team_id, id, attempt}: LeasedDelivery): Promise<boolean> => {
	const event = await webhookEvents.get([team_id], event_id);
	const last = event?.deliveries.find((delivery) => delivery.id === id)?.attempts.at(-1);
	return last?.id === attempt.id;
};

/** What is known of an attempt is worth waiting for the store: forgotten, the destination would get it once more. */
const patiently = async <T>(
	{clock}: Pick<Needs, 'clock'>,
	signal: AbortSignal,
	work: (tries: number) => Promise<T>,
): Promise<T> => {
	for (let tries = 0; ; tries += 1) {
		try {
			return await work(tries);
		} catch (error) {
			if (!isUnavailable(error) || tries >= patience || signal.aborted) throw error;
			await clock.sleep(1000, signal);
		}
	}
};

const settle = (
	needs: Needs,
	[delivery, settlement]: readonly [LeasedDelivery, Settlement],
	signal: AbortSignal,
): Promise<boolean> =>
	patiently(needs, signal, async (tries) => {
		if (await needs.deliveries.settle(settlement)) return true;
		// A write that was interrupted may have been kept.
		return tries > 0 && (await stands(needs, delivery));
	});

/**
 * A destination that is gone is asked no more: the rule that names it ends. One that leads elsewhere by now goes on.
 * @returns what that means, for people.
 */
const endRule = async ({routingRules, signals}: Needs, delivery: LeasedDelivery): Promise<string> => {
	const {endpoint_id, team_id, rule_id, url} = delivery;
	if (rule_id === null)
		return `It is not tried again; the ${referencedChannel(url) === undefined ? 'endpoint' : 'channel'} stays active.`;
	const rule = await routingRules.update(endpoint_id, rule_id, (current) =>
		current.is_active && current.destination_url === url ? {...current, is_active: false} : current,
	);
	signals.publish({type: 'webhook.endpoint.changed', endpoint_id, team_id});
	return rule?.is_active === false ? 'Its rule is switched off.' : 'Its rule no longer names it.';
};

const tellOfDelivery = async (
	needs: Needs,
	{endpoint}: Signer,
	[delivery, explanation]: readonly [LeasedDelivery, string],
): Promise<void> => {
	const {event_id, id: delivery_id, endpoint_id, rule_id, name} = delivery;
	const channel_id = channelOf(endpoint, delivery);
	await tellOfFailure(needs, endpoint, {
		title: `Delivery from ${endpoint.name} failed`,
		message: `${name}: ${explanation}`,
		destination: channel_id ?? rule_id ?? name,
		data: {endpoint_id, event_id, delivery_id, rule_id, ...(channel_id !== undefined && {channel_id})},
	});
};

const record = async (
	needs: Needs,
	[delivery, signer]: readonly [LeasedDelivery, Signer],
	[ended, signal]: readonly [Ended, AbortSignal],
): Promise<AttemptEnd> => {
	const {next} = ended;
	// Before it is settled: a process that dies in between asks a destination once more that says the same.
	const isGone = next.status === 'failed' && next.because === 'gone';
	const consequence = isGone ? await endRule(needs, delivery) : 'It was not delivered, and is not tried again.';
	const settlement = settlementOf(delivery, ended, needs.clock.now());
	if (!(await settle(needs, [delivery, settlement], signal))) return 'lost';
	const {id: delivery_id, event_id, endpoint_id, team_id} = delivery;
	needs.signals.publish({type: 'webhook.delivery', delivery_id, event_id, endpoint_id, team_id, status: next.status});
	if (next.status === 'failed' && next.because !== 'unwanted')
		await patiently(needs, signal, () =>
			tellOfDelivery(needs, signer, [delivery, `${ended.error ?? ''} ${consequence}`]),
		);
	return next.status;
};

export const createDeliveries = (needs: Needs): Deliveries => {
	const signerFor = createSignerDirectory(needs);
	return {
		attempt: async (delivery, send, signal) => {
			const signer = await signerFor(delivery);
			if (signer === undefined) return 'lost';
			const ended = await perform(needs, [delivery, signer], {send, signal}).catch((error: unknown) => {
				if (signal.aborted) return undefined;
				throw error;
			});
			return ended === undefined ? 'abandoned' : await record(needs, [delivery, signer], [ended, signal]);
		},
	};
};
