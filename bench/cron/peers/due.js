/** What every peer does: wait for the instant at which all is due, and tell what it took from there. */
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as pause} from 'node:timers/promises';

export const count = Number(process.env.BENCH_JOBS);
export const directory = process.env.BENCH_DIRECTORY;
export const redis = process.env.BENCH_REDIS;

/** @returns a whole second, late enough for `prepare_ms` of preparations. */
export const chooseInstant = (prepare_ms) => Math.ceil((Date.now() + prepare_ms) / 1000) * 1000;

/** Prints what it took from the instant until `done` resolves. */
export const tell = async (instant, done) => {
	if (Date.now() > instant - 500) throw new Error('the preparations took too long');
	await pause(instant - Date.now() - 400);
	const delays = monitorEventLoopDelay({resolution: 1});
	delays.enable();
	await done;
	const ms = Date.now() - instant;
	delays.disable();
	const {maxRSS} = process.resourceUsage();
	console.log(JSON.stringify({ms, block_ms: delays.max / 1e6, peak_mb: maxRSS / 1024}));
};
