import type {Core} from '@signalbox/core';
import {drained} from './drained.ts';
import type {SweepTask} from './sweep.ts';

/** Ticks are planned and written in groups of their own. */
const ticksAtOnce = 10_000;
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
