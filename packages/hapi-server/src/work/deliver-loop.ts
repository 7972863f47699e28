import {
	type AttemptEnd,
	type Clock,
	type Deliveries,
	type DeliveryStore,
	type Ids,
	type LeasedDelivery,
	type LeaseRequest,
	type LeasesFor,
	millisecondsOf,
	type WebhookSender,
} from '@signalbox/core';
import type {Logger} from 'pino';
import {type AttemptPool, type AttemptPoolLimits, createAttemptPool, type KeptPlaces} from './attempt-pool.ts';

export type DeliverMetrics = Readonly<{
	countAttempt(end: AttemptEnd): void;
	countInFlight(count: number): void;
	/** How long what has been due longest has waited. Seconds. */
	observeLag(seconds: number): void;
}>;

export type DeliverNeeds = Readonly<{
	deliveries: Deliveries;
	store: Pick<DeliveryStore, 'lease' | 'release' | 'nextDue'>;
	send: WebhookSender['send'];
	clock: Clock;
	ids: Ids;
	log: Pick<Logger, 'error'>;
	metrics: DeliverMetrics;
}>;

/** Times are milliseconds. */
export type DeliverSettings = AttemptPoolLimits &
	Readonly<{
		/** Most leased by one statement. */
		batch: number;
		/** How often due deliveries are looked for when nothing tells of any. */
		look_every: number;
		/** How long `stop` waits for attempts under way. */
		grace: number;
		/** Longer than the patience, an attempt and the grace: nobody else sends what is still under way here. */
		lease_seconds: number;
	}>;

const defaultDeliverSettings: DeliverSettings = {
	in_flight: 512,
	per_destination: 10,
	leases_ahead: 64,
	quick: 1000,
	patience: 5000,
	bytes: 32 * 1024 * 1024,
	batch: 32,
	look_every: 1000,
	grace: 8_000,
	lease_seconds: 60,
};

/** Places for the first attempts of a webhook that is about to be accepted. */
export type Reservation = Readonly<{
	/** Keeps them, as many as there are for its user. To be called once at most. */
	leasesFor: LeasesFor;
	/** Begins what was leased, nothing included, and gives up the other places. To be called once. */
	take(leased: readonly LeasedDelivery[]): void;
}>;

/** Attempts what is due, as long as the process lives. */
export type DeliverLoop = Readonly<{
	/** Undefined while there is no room: then what is accepted waits for its turn. */
	reserve(): Reservation | undefined;
	/** Something was accepted that nobody leased: the next place that becomes free is worth a look. */
	expect(): void;
	/** Something became due that nobody leased: it is looked for now. */
	wake(): void;
	/** Leases nothing more, lets attempts end, and gives up those that have not after the grace. May be called again. */
	stop(): Promise<void>;
}>;

type Begin = (leased: readonly LeasedDelivery[]) => void;

type Loop = DeliverNeeds & Readonly<{pool: AttemptPool; settings: DeliverSettings; holder: string}>;

/** The leases that this process may have now, held in its name. */
const currentLeases = ({pool, settings, holder}: Loop): Omit<LeaseRequest, 'attempt_ids'> => {
	const {per_destination, ahead} = pool.leases();
	return {per_destination, ahead: {holder, ...ahead}, lease_seconds: settings.lease_seconds};
};

const woken = new Error('woken');

/** A sleep that a wake ends, also one that came before it. */
const createNap = ({clock}: Pick<DeliverNeeds, 'clock'>) => {
	let alarm = new AbortController();
	return {
		// A reason of one's own costs less than the one that is made each time.
		wake: () => alarm.abort(woken),
		sleep: async (milliseconds: number | Promise<number>) => {
			if (!alarm.signal.aborted) await clock.sleep(await milliseconds, alarm.signal);
			if (alarm.signal.aborted) alarm = new AbortController();
		},
	};
};

const lease = (loop: Loop): Promise<readonly LeasedDelivery[]> => {
	const attempt_ids = Array.from({length: Math.min(loop.pool.room(), loop.settings.batch)}, loop.ids.next);
	const user_limits = loop.pool.userLimits(attempt_ids.length);
	return loop.store.lease({attempt_ids, user_limits, ...currentLeases(loop)});
};

/** Observes the lag. @returns milliseconds until something is due; negative when it has been for that long. */
const untilDue = async ({store, clock, metrics}: Loop): Promise<number> => {
	const due = await store.nextDue();
	const next = due === undefined ? Number.POSITIVE_INFINITY : millisecondsOf(due) - millisecondsOf(clock.now());
	metrics.observeLag(Math.max(0, -next) / 1000);
	return next;
};

/** What a look found: how long to wait for the next one, and whether a place that becomes free is worth one. */
type Look = Readonly<{wait: number | Promise<number>; hasBacklog: boolean}>;

const look = async (loop: Loop, begin: Begin): Promise<Look> => {
	const {pool, settings} = loop;
	const wait = settings.look_every;
	if (pool.room() === 0) return {wait, hasBacklog: true};
	const leased = await lease(loop);
	begin(leased);
	if (leased.length === settings.batch) return {wait: 0, hasBacklog: true};
	// What is due and was not leased waits for its destination, here or at another process, or its user has enough.
	const waitFor = (next: number) => (next <= 0 ? wait : Math.min(next, wait));
	const next = untilDue(loop);
	if (leased.length === 0) return {wait: waitFor(await next), hasBacklog: (await next) <= 0};
	// Where something was, more may be: whoever is woken meanwhile need not know when.
	return {wait: next.then(waitFor, () => wait), hasBacklog: true};
};

/** Looks for what is due until it is stopped. An error costs no more than one look. */
const startLooking = (loop: Loop, begin: Begin, giveBack: () => void) => {
	const nap = createNap(loop);
	const {settings, log} = loop;
	let last: Look = {wait: 0, hasBacklog: false};
	let isStopping = false;
	const lookOnce = (): Promise<Look> =>
		look(loop, begin).catch((err) => {
			log.error({err}, 'due deliveries were not found');
			return {wait: settings.look_every, hasBacklog: false};
		});
	const run = async () => {
		while (!isStopping) {
			giveBack();
			last = await lookOnce();
			await nap.sleep(last.wait);
		}
	};
	const running = run();
	return {
		expect: () => {
			last = {...last, hasBacklog: true};
		},
		wake: nap.wake,
		/** A place is free. */
		tell: () => {
			if (last.hasBacklog) nap.wake();
		},
		stop: async () => {
			isStopping = true;
			nap.wake();
			await running;
		},
	};
};

/** Gives leases back that are not used. */
const createReturns = ({store, log}: Pick<DeliverNeeds, 'store' | 'log'>) => {
	const given = new Set<Promise<void>>();
	return {
		add: (leased: readonly LeasedDelivery[]) => {
			const leases = leased.map(({id, fence, attempt}) => ({delivery_id: id, fence, attempt_id: attempt.id}));
			const giving = store
				.release(leases)
				.catch((err) => log.error({err}, 'leases were not given back'))
				.finally(() => given.delete(giving));
			given.add(giving);
		},
		all: () => Promise.all(given),
	};
};

/** Resolves once the pool is empty, after the grace at the latest with what is left given up. */
const drain = async ({clock, pool, settings}: Loop): Promise<void> => {
	const patience = new AbortController();
	const drained = pool.drained().then(() => patience.abort());
	await clock.sleep(settings.grace, patience.signal);
	pool.abandon();
	await drained;
};

/** Tells before an end is recorded: what is next at its destination begins, or is leased in the same commit. */
const tellingEnds =
	(send: WebhookSender['send'], tell: () => void): WebhookSender['send'] =>
	async (request, signal) => {
		const result = await send(request, signal);
		tell();
		return result;
	};

/** @param tell hears of each place that becomes free. */
const createPool = (needs: DeliverNeeds, settings: DeliverSettings, tell: () => void): AttemptPool => {
	const {deliveries, send, clock, metrics, log} = needs;
	return createAttemptPool(
		{
			attempt: (delivery, leave, signal) => {
				const free = () => {
					leave();
					tell();
				};
				return deliveries.attempt(delivery, tellingEnds(send, free), signal);
			},
			now: () => millisecondsOf(clock.now()),
			countInFlight: metrics.countInFlight,
			onEnd: (end) => {
				metrics.countAttempt(end);
				tell();
			},
			onError: (err, {id: delivery_id, endpoint_id}) =>
				log.error({err, delivery_id, endpoint_id}, 'an attempt to deliver failed'),
		},
		settings,
	);
};

type Reserving = Readonly<{begin: Begin; expect(): void; isStopping(): boolean}>;

const createReservation = (loop: Loop, {begin, expect, isStopping}: Reserving): Reservation => {
	let kept: KeptPlaces | undefined;
	return {
		leasesFor: ({user_id, deliveries}) => {
			if (isStopping()) return undefined;
			kept = loop.pool.reserve(user_id, deliveries);
			if (kept.count < deliveries) expect();
			return kept.count === 0 ? undefined : {...currentLeases(loop), most: kept.count};
		},
		take: (leased) => {
			kept?.giveBack();
			begin(leased);
		},
	};
};

/** Starts looking for due deliveries. */
export const startDeliverLoop = (needs: DeliverNeeds, overrides: Partial<DeliverSettings> = {}): DeliverLoop => {
	const settings = {...defaultDeliverSettings, ...overrides};
	let isStopping = false;
	const pool = createPool(needs, settings, () => looking.tell());
	const returns = createReturns(needs);
	const begin: Begin = (leased) => {
		if (!isStopping) leased.forEach(pool.begin);
		else if (leased.length > 0) returns.add(leased);
	};
	const loop = {...needs, pool, settings, holder: needs.ids.next()};
	const giveBack = (all?: boolean) => {
		const back = pool.giveBack(all);
		if (back.length > 0) returns.add(back);
	};
	const looking = startLooking(loop, begin, giveBack);
	return {
		reserve: () => {
			if (isStopping || pool.room() === 0) return undefined;
			return createReservation(loop, {begin, expect: looking.expect, isStopping: () => isStopping});
		},
		expect: looking.expect,
		wake: looking.wake,
		stop: async () => {
			isStopping = true;
			giveBack(true);
			await looking.stop();
			await drain(loop);
			await returns.all();
		},
	};
};
