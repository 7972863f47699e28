import type {Core} from '@signalbox/core';
import type {SweepTask} from './sweep.ts';

const batch = 200;
/** More than these wait for the next look: what fails again and again must not keep a loop busy. */
const mostBatches = 50;

/** Whole batches at once, as long as there is more. */
const drained = async (work: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> => {
	let count = 0;
	for (let round = 0; round < mostBatches && !signal.aborted; round += 1) {
		const done = await work(batch);
		count += done;
		if (done < batch) break;
	}
	return count;
};

/** What cron has to do as time passes: fire what is due, give up what nobody will end, and tell how runs ended. */
export const cronTasks = ({cron}: Pick<Core, 'cron'>, every_ms: number): readonly SweepTask[] => [
	{
		name: 'cron_ticks',
		every_ms,
		run: (signal) => drained(async (limit) => (await cron.ticks.tick(limit)).due, signal),
	},
	{name: 'overdue_executions', every_ms, run: (signal) => drained(cron.overdue.giveUp, signal)},
	{name: 'execution_news', every_ms, run: (signal) => drained(cron.news.tell, signal)},
];
