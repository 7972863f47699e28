import assert from 'node:assert/strict';
import {setTimeout as pause} from 'node:timers/promises';
import {
	leaveTogether,
	openIdleClients,
	openSlowClient,
	startStreamingUpstream,
} from '../scenarios/proxy/idle-streams.ts';
import {startServerProcess} from '../support/server-process.ts';

const clients = 500;
const secondsOfSlowness = 20;
const mebibyte = 1024 * 1024;

/** 500 idle clients, and one that reads 1 kB/s of a stream without end: memory stays, and every departure is passed on. */
export const tortureStreams = async (): Promise<void> => {
	const [server, upstream] = [await startServerProcess(), await startStreamingUpstream()];
	try {
		const idle = await server.addServer(`${upstream.origin}/mcp`);
		const fast = await server.addServer(`${upstream.origin}/fast`);
		const before = await server.memory();
		const open = await openIdleClients(idle, clients);
		const withClients = await server.memory();
		console.log(`  memory: ${before.toFixed(0)} MiB, with ${clients} idle streams ${withClients.toFixed(0)} MiB`);
		const slow = openSlowClient(fast, 1000);
		for (let second = 1; second <= secondsOfSlowness; second += 1) {
			await pause(1000);
			if (second % 5 !== 0) continue;
			const [memory, sent] = [await server.memory(), upstream.sent() / mebibyte];
			console.log(
				`  after ${second} s of 1 kB/s: ${memory.toFixed(0)} MiB, ${sent.toFixed(1)} MiB taken of the upstream`,
			);
			assert.ok(memory - withClients < 50, 'a slow client makes the server hold what it does not read');
			assert.ok(sent < 32, 'the upstream is not slowed down');
		}
		slow.leave();
		const took = await leaveTogether(open, upstream, 0);
		console.log(`  ${clients} clients left: the upstream had seen all of them leave after ${took.toFixed(0)} ms`);
		assert.ok(took < 1000, 'departures reach the upstream too late');
		assert.ok(withClients < 300, 'idle streams cost too much memory');
	} finally {
		await upstream.close();
		await server.stop();
	}
};
