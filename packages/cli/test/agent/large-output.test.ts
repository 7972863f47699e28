import test from 'ava';
import {startHost, startOwnAgent} from './world.ts';

const MiB = 1024 * 1024;

/** `npm run torture -- agent-output` asks for a gigabyte. */
const printed = Number(process.env.AGENT_OUTPUT_BYTES ?? 64_000_000);

test('[AGT-028] a command that prints without end is never blocked, and its agent stays small', async (t) => {
	const agent = startOwnAgent(t);
	const {run} = await startHost(t, {agent});
	const {result, stdout} = await run(`head -c ${printed} /dev/zero | tr '\\0' x; echo end`, {mask: ['a secret']});
	t.like(result, {outcome: 'EXITED', exit_code: 0, stdout_bytes: printed + 4, truncated: true});
	t.true(stdout.endsWith('xxend\n'));
	t.true(Buffer.byteLength(stdout) < 1.01 * MiB);
	const peak = (await agent.ask('peakMemory', {})) as number;
	t.log(`${printed / 1e6} MB in ${result.duration_ms / 1000} s, the agent took ${Math.round(peak / MiB)} MiB at most`);
	t.true(peak < 150 * MiB, `the agent took ${peak} bytes`);
});
