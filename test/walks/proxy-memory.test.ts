import test, {type ExecutionContext} from 'ava';
import {startFaultUpstream} from '../scenarios/proxy/fault-upstream.ts';
import {
	leaveTogether,
	openIdleClients,
	openSlowClient,
	startStreamingUpstream,
} from '../scenarios/proxy/idle-streams.ts';
import {largeAnswers, swallow} from '../scenarios/proxy/large-answers.ts';
import {until} from '../support/mcp/until.ts';
import {startServerProcess} from '../support/server-process.ts';

const mebibyte = 1024 * 1024;

const start = async (t: ExecutionContext) => {
	const server = await startServerProcess();
	t.teardown(server.stop);
	return server;
};

test('answers of 256 MiB pass without the server holding more of them than it logs', async (t) => {
	const answers = largeAnswers(256);
	const upstream = await startFaultUpstream((tool) => answers[tool] ?? {end: 'close'});
	t.teardown(upstream.close);
	const server = await start(t);
	const address = await server.addServer(upstream.url);
	for (const tool of ['a document in chunks', 'one event without end']) {
		const before = await server.memory();
		const {bytes, peak} = await swallow(server, address, tool);
		t.is(bytes, 256 * mebibyte, tool);
		t.true(peak - before < 240, `${tool}: from ${before} to ${peak} MiB`);
		t.like((await server.callsOf(tool))[0], {status: 'error'}, tool);
	}
});

test('idle streams and one that is read slowly cost little memory, and who leaves is seen to leave by the upstream', async (t) => {
	const upstream = await startStreamingUpstream();
	t.teardown(upstream.close);
	const server = await start(t);
	const clients = await openIdleClients(await server.addServer(`${upstream.origin}/mcp`), 50);
	const before = await server.memory();
	const slow = openSlowClient(await server.addServer(`${upstream.origin}/fast`), 100);
	let [sent, looksAtStandstill] = [0, 0];
	await until(async () => {
		// Takes the server a while each time, in which an upstream that is not slowed down would send on.
		await server.memory();
		looksAtStandstill = sent > 0 && sent === upstream.sent() ? looksAtStandstill + 1 : 0;
		sent = upstream.sent();
		return looksAtStandstill > 20;
	}, 'the standstill of the upstream');
	t.true(sent < 64 * mebibyte, `${sent} bytes were taken of the upstream`);
	t.true((await server.memory()) - before < 100);
	slow.leave();
	await leaveTogether(clients, upstream, 0);
	t.is(upstream.streams(), 0);
});
