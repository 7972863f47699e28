import type {Core} from '@signalbox/core';
import type {SweepTask} from './sweep.ts';

const batch = 200;
/** Ticks are planned and written in groups of their own. */
const ticksAtOnce = 10_000;
/** More than these wait for the next look: what fails again and again must not keep a loop busy. */
const mostBatches = 50;

/** Whole batches at once, as long as there is more. */
const drained = async (
	work: (limit: number) => Promise<number>,
	signal: AbortSignal,
	limit = batch,
): Promise<number> => {
	let count = 0;
	for (let round = 0; round < mostBatches && !signal.aborted; round += 1) {
		const done = await work(limit);
		count += done;
		if (done < limit) break;
	}
	return count;
};

/** What cron has to do as time passes: fire what is due, give up what nobody will end, move chains on, and tell how it all ended. */
export const cronTasks = ({cron}: Pick<Core, 'cron'>, every_ms: number): readonly SweepTask[] => [
	{
		name: 'cron_ticks',
		every_ms,
		run: (signal) => drained(async (limit) => (await cron.ticks.tick(limit)).due, signal, ticksAtOnce),
	},
	{name: 'overdue_executions', every_ms, run: (signal) => drained(cron.overdue.giveUp, signal)},
	{name: 'execution_news', every_ms, run: (signal) => drained(cron.news.tell, signal)},
	{
		name: 'chain_ticks',
		every_ms,
		run: (signal) => drained(async (limit) => (await cron.chainTicks.tick(limit)).due, signal),
	},
	{
		name: 'chain_steps',
		every_ms,
		run: (signal) => drained(cron.chainProgress.advance, signal),
		wakes: ({type}) => type === 'chain.execution.due',
	},
	{name: 'chain_news', every_ms, run: (signal) => drained(cron.chainNews.tell, signal)},
];
