import type {
	AttemptEnd,
	Caller,
	Clock,
	DeliveryAnswer,
	DeliveryRequest,
	LeaseRequest,
	WebhookSender,
	Webhooks,
} from '@signalbox/core';
import {addCaller, createTestCore, failingStores, type StoreFailures, type TestCore} from '@signalbox/core/testing';
import type {ExecutionContext} from 'ava';
import {pino} from 'pino';
import {type DeliverLoop, type DeliverSettings, startDeliverLoop} from '../../src/work/deliver-loop.ts';

type World = TestCore & Readonly<{caller: Caller; webhooks: Webhooks}>;

export type OpenDeliveries = World &
	Readonly<{
		/** An endpoint whose webhooks go there, and what accepts one. Without an owner it is the caller's. */
		addDestination(url: string, owner?: Caller): Promise<Destination>;
		startLoop(send: WebhookSender['send'], given?: LoopOptions): Promise<WatchedLoop>;
		/** How often each status stands among the caller's events. */
		statuses(): Promise<Readonly<Record<string, number>>>;
	}>;

export type Destination = Readonly<{
	/** Accepts a webhook, and begins its first attempt at that loop if it has room. */
	accept(loop?: DeliverLoop): Promise<string>;
}>;

type LoopOptions = Readonly<{settings?: Partial<DeliverSettings>; clock?: Clock; failures?: StoreFailures}>;

export type WatchedLoop = DeliverLoop &
	Readonly<{
		ends: AttemptEnd[];
		logs: string[];
		most(): number;
		lag(): number;
		/** How often something was leased, or was to be. */
		looks(): number;
		/** Ends the failures of the stores. */
		recover(): void;
	}>;

export const answer = (status_code: number): DeliveryAnswer => ({status_code, headers: {}, body: new Uint8Array()});

/** A sender whose answers wait until the test gives them, by host of the destination. */
export const createHeldSender = () => {
	const waiting: Readonly<{request: DeliveryRequest; give(answer: DeliveryAnswer): void}>[] = [];
	const send: WebhookSender['send'] = (request, signal) =>
		new Promise((resolve, reject) => {
			waiting.push({request, give: resolve});
			signal.addEventListener('abort', () => reject(signal.reason));
		});
	return {
		send,
		waiting,
		to: (host: string) => waiting.filter(({request}) => request.url.hostname === host),
		giveAll: (status = 200) => {
			for (const {give} of waiting.splice(0)) give(answer(status));
		},
	};
};

const destinationOf = ({webhooks}: World, slug: string): Destination => ({
	accept: async (loop) => {
		const place = loop?.reserve();
		const webhook = {method: 'POST', path: '', query: '', headers: [], body: Buffer.from('{"a":1}'), source_ip: ''};
		const reception = await webhooks.intake.accept(slug, webhook, place?.leasesFor);
		if (reception.outcome !== 'accepted') throw new Error(reception.outcome);
		place?.take(reception.leased);
		return reception.event_id;
	},
});

const loopStarter =
	(t: ExecutionContext, {ports, webhooks, clock}: World): OpenDeliveries['startLoop'] =>
	async (send, given = {}) => {
		const ends: AttemptEnd[] = [];
		const logs: string[] = [];
		let [most, lag, looks] = [0, 0, 0];
		const metrics = {
			countAttempt: (end: AttemptEnd) => void ends.push(end),
			countInFlight: (count: number) => {
				most = Math.max(most, count);
			},
			observeLag: (seconds: number) => {
				lag = seconds;
			},
		};
		const log = pino({}, {write: (line: string) => void logs.push(line)});
		let stores = failingStores(ports, given.failures ?? {});
		const lease = (request: LeaseRequest) => {
			looks += 1;
			return stores.deliveries.lease(request);
		};
		const store = {...ports.deliveries, lease};
		const needs = {deliveries: webhooks.deliveries, store, send, ids: ports.ids, log, metrics};
		const recover = () => {
			stores = ports;
		};
		const loop = startDeliverLoop({...needs, clock: given.clock ?? clock}, given.settings);
		t.teardown(async () => {
			const stopped = loop.stop();
			// The wait for attempts that hang begins once nothing is looked for any more.
			await clock.advance(0);
			await clock.advance(60_000);
			await stopped;
		});
		await clock.advance(0);
		return {...loop, ends, logs, most: () => most, lag: () => lag, looks: () => looks, recover};
	};

/** Deliveries over the memory stores and a clock that stands still. */
export const openDeliveries = async (t: ExecutionContext): Promise<OpenDeliveries> => {
	const testCore = createTestCore();
	const {core, ports} = testCore;
	const webhooks = core.webhook;
	const caller = await addCaller(ports);
	const world = {...testCore, caller, webhooks};
	return {
		...world,
		addDestination: async (destination_url, owner = caller) => {
			const {slug} = await webhooks.endpoints.create(owner, {name: destination_url, destination_url});
			return destinationOf(world, slug);
		},
		startLoop: loopStarter(t, world),
		statuses: async () => {
			const {data} = await webhooks.events.list(caller, {}, {limit: 100, offset: 0});
			const counts: Record<string, number> = {};
			for (const {delivery_status: status} of data) counts[status] = (counts[status] ?? 0) + 1;
			return counts;
		},
	};
};
