import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {connectRedis} from '@signalbox/adapters-redis';
import test, {type ExecutionContext} from 'ava';

const host = '127.0.0.1';
const redisPort = 6379;

const isThere = async (): Promise<boolean> => {
	const socket = connect(redisPort, host);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
};

/** Why nothing can be tried with Redis here; undefined when it can. */
export const whyNoRedis = (await isThere()) ? undefined : `no Redis answers on ${host}:${redisPort}`;

/** A part of the Redis that is nobody else's. */
export type RedisPlace = Readonly<{
	url: string;
	/** The keys that are there, without the prefix. */
	keys(): Promise<readonly string[]>;
	/** Removes them. */
	remove(): Promise<void>;
}>;

export const openRedisPlace = async (): Promise<RedisPlace> => {
	const url = `redis://${host}:${redisPort}/?prefix=signalbox-test-${randomUUID()}`;
	const {commands, prefix, open, close} = connectRedis({url, onError: () => {}});
	await open();
	const keys = async () => commands.keys(`${prefix}:*`);
	return {
		url,
		keys: async () => (await keys()).map((key) => key.slice(prefix.length + 1)),
		remove: async () => {
			for (const key of await keys()) await commands.del(key);
			await close();
		},
	};
};

/**
 * A test that needs a Redis: where there is none, it says so and tries nothing. One after the other: what a busy process has to
 * wait for too long, it does without.
 */
export const testWithRedis = (title: string, run: (t: ExecutionContext, place: RedisPlace) => Promise<void>): void =>
	test.serial(title, async (t) => {
		if (whyNoRedis !== undefined) {
			t.log(`not tried: ${whyNoRedis}`);
			t.pass();
			return;
		}
		const place = await openRedisPlace();
		t.teardown(place.remove);
		await run(t, place);
	});

/** A way to the Redis that can be shut: what goes it is cut off, and nothing gets in until it is opened again. */
export const startGate = async (t: ExecutionContext, {url}: RedisPlace) => {
	const sockets = new Set<Socket>();
	let letIn = Promise.resolve();
	const server = createServer(async (incoming) => {
		await letIn;
		const outgoing = connect(redisPort, host);
		incoming.pipe(outgoing).pipe(incoming);
		for (const socket of [incoming, outgoing]) {
			sockets.add(socket);
			socket.on('error', () => {}).on('close', () => sockets.delete(socket));
		}
	});
	const listen = async (port: number): Promise<number> => {
		await once(server.listen(port, host), 'listening');
		return (server.address() as AddressInfo).port;
	};
	const shut = async (): Promise<void> => {
		if (!server.listening) return;
		const closed = once(server, 'close');
		server.close();
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	const port = await listen(0);
	t.teardown(shut);
	return {
		url: url.replace(`:${redisPort}`, `:${port}`),
		shut,
		open: async () => {
			await listen(port);
		},
		/** Keeps what goes it, and nobody is told. */
		hang: () => {
			for (const socket of sockets) socket.unpipe().pause();
		},
		/** Lets connect, and answers nothing. @returns lets all of them in. */
		stop: (): (() => void) => {
			const {promise, resolve} = Promise.withResolvers<void>();
			letIn = promise;
			return resolve;
		},
	};
};
