import assert from 'node:assert/strict';
import {startFaultUpstream} from '../scenarios/proxy/fault-upstream.ts';
import {largeAnswers, swallow} from '../scenarios/proxy/large-answers.ts';
import {startServerProcess} from '../support/server-process.ts';

const mebibytes = 1024;
/** What the log keeps of an answer, on its way through two threads into the database, and what the garbage collector leaves. */
const allowance = 240;

/** Answers of a gigabyte pass, without the server holding more of them than it logs. */
export const tortureAnswers = async (): Promise<void> => {
	const answers = largeAnswers(mebibytes);
	const upstream = await startFaultUpstream((tool) => answers[tool] ?? {end: 'close'});
	const server = await startServerProcess();
	try {
		const address = await server.addServer(upstream.url);
		for (const tool of Object.keys(answers)) {
			const before = await server.memory();
			const {bytes, peak} = await swallow(server, address, tool);
			const [call] = await server.callsOf(tool);
			console.log(
				`  ${tool}: ${(bytes / 1024 ** 3).toFixed(2)} GiB passed; memory ${before.toFixed(0)} MiB, at most ${peak.toFixed(0)} MiB; logged as ${call?.status}`,
			);
			assert.ok(peak - before < allowance, 'the server holds what it passes on');
			assert.equal(call?.status, 'error');
		}
	} finally {
		await upstream.close();
		await server.stop();
	}
};
