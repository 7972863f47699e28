import {monitorEventLoopDelay} from 'node:perf_hooks';

/** What it took until the runs of all jobs that were due at one instant were kept. */
export type DueFigures = Readonly<{ms: number; block_ms: number; peak_mb: number}>;

/** Runs `work` and tells how long it took, the longest stop of the event loop, and the most memory of the process so far. */
export const measureDue = async (work: () => Promise<void>): Promise<DueFigures> => {
	const delays = monitorEventLoopDelay({resolution: 1});
	delays.enable();
	const begun = performance.now();
	await work();
	const ms = performance.now() - begun;
	delays.disable();
	return {ms, block_ms: delays.max / 1e6, peak_mb: process.resourceUsage().maxRSS / 1024};
};
