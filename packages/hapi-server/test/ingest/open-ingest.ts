import type {WebhookIntake, Webhooks} from '@signalbox/core';
import type {ExecutionContext} from 'ava';
import {pino} from 'pino';
import {listen} from '../../../../test/support/mcp/listen.ts';
import {createClientAddress} from '../../src/http/client-address.ts';
import {createIngestHandler, type IngestSettings} from '../../src/ingest/create-ingest-handler.ts';
import {createHeldSender, openDeliveries} from '../delivery/open-deliveries.ts';

type Options = Readonly<{
	endpoint?: Partial<Parameters<Webhooks['endpoints']['create']>[1]>;
	settings?: Partial<IngestSettings>;
	intake?: (real: WebhookIntake) => Partial<WebhookIntake>;
}>;

/** An endpoint on a port of its own, whose deliveries are held; all of it ends with the test. */
export const openIngest = async (t: ExecutionContext, options: Options = {}) => {
	const world = await openDeliveries(t);
	const {webhooks, ports, caller} = world;
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	const answered: number[] = [];
	const logs: string[] = [];
	const ingest = createIngestHandler(
		{
			intake: {...webhooks.intake, ...options.intake?.(webhooks.intake)},
			deliver: loop,
			ids: ports.ids,
			client_address: createClientAddress([]),
			log: pino({}, {write: (line: string) => void logs.push(line)}),
			metrics: {observeIngest: (status) => void answered.push(status)},
		},
		options.settings,
	);
	const server = await listen(ingest.handle);
	t.teardown(async () => {
		await server.close();
		await ingest.close();
	});
	const endpoint = await webhooks.endpoints.create(caller, {
		name: 'Orders',
		destination_url: 'https://orders.example/hook',
		...options.endpoint,
	});
	return {
		...{...world, sender, loop, answered, logs, endpoint, port: server.port},
		url: `${server.origin}/wh/${endpoint.slug}`,
		event: async (id: string) => webhooks.events.get(caller, id),
		bodies: async () => {
			const {data} = await webhooks.events.list(caller, {}, {limit: 100, offset: 0});
			return Promise.all(data.map(async ({id}) => (await webhooks.events.get(caller, id)).body));
		},
		count: async () => (await webhooks.events.list(caller, {}, {limit: 1, offset: 0})).total,
	};
};

export const post = (url: string, init: RequestInit = {}) => fetch(url, {method: 'POST', body: '{"a":1}', ...init});
