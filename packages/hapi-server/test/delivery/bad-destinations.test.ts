import type {RequestListener} from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {createClock} from '@signalbox/core/node';
import test from 'ava';
import {listen} from '../../../../test/support/mcp/listen.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {createWebhookSender} from '../../src/delivery/webhook-sender.ts';
import {createAddressGuard} from '../../src/outbound/address-guard.ts';
import {openDeliveries} from './open-deliveries.ts';

const bomb = gzipSync(Buffer.alloc(10_000_000));

/** What destinations do to whoever calls them, and what their webhooks are once each was attempted. */
const bad: readonly (readonly [
	what: string,
	status: 'delivered' | 'retrying' | 'hanging',
	listener: RequestListener,
])[] = [
	['answers 500', 'retrying', (_request, response) => response.writeHead(500).end('no')],
	['hangs', 'hanging', () => {}],
	['hangs after its headers', 'hanging', (_request, response) => response.writeHead(200).flushHeaders()],
	[
		'drips',
		'hanging',
		async (_request, response) => {
			response.writeHead(200);
			while (!response.destroyed) {
				response.write('.');
				await pause(20);
			}
		},
	],
	[
		'resets mid-body',
		'retrying',
		(_request, response) => {
			response.writeHead(200, {'content-length': 1000}).write('half', () => response.socket?.resetAndDestroy());
		},
	],
	[
		'sends an endless body',
		'delivered',
		(_request, response) => {
			const more = () => {
				while (!response.destroyed && response.write(Buffer.alloc(16_384)));
			};
			response.on('drain', more);
			more();
		},
	],
	['sends a gzip bomb', 'delivered', (_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb)],
	[
		'redirects to a private address',
		'retrying',
		(_request, response) => response.writeHead(307, {location: 'http://169.254.169.254/'}).end(),
	],
];

test('[WHK-075] whatever a destination does, another one gets all its webhooks meanwhile, and only a whole 2xx delivers', async (t) => {
	const world = await openDeliveries(t);
	const guard = createAddressGuard(['127.0.0.0/8']);
	// Nothing that hangs comes to its end while the test runs: what is asserted does not hang on how fast this machine is.
	const sender = createWebhookSender({guard, timeout_ms: 3_600_000});
	t.teardown(() => sender.close());
	const loop = await world.startLoop(sender.send, {clock: createClock({offset: () => 0}), settings: {grace: 1}});
	const counts = {delivered: 0, retrying: 0, hanging: 0};
	for (const [, status, listener] of bad) {
		const server = await listen(listener);
		t.teardown(() => server.close());
		const destination = await world.addDestination(server.origin);
		for (let count = 0; count < 15; count += 1) await destination.accept(loop);
		counts[status] += 15;
	}
	let arrived = 0;
	const good = await listen((_request, response) => {
		arrived += 1;
		response.end();
	});
	t.teardown(() => good.close());
	const destination = await world.addDestination(good.origin);
	for (let count = 0; count < 60; count += 1) await destination.accept(loop);
	const ended = (end: string) => loop.ends.filter((each) => each === end).length;
	await until(
		() => ended('delivered') === 60 + counts.delivered && ended('retrying') >= counts.retrying,
		'all attempts',
	);
	t.is(arrived, 60);
	t.is(ended('delivered') + ended('retrying'), loop.ends.length);
	t.true(loop.most() >= 30, 'those that hang were under way all the time');
	t.deepEqual(loop.logs, []);
});
