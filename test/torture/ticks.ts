import assert from 'node:assert/strict';
import {fireHastily, type TickPlan} from '../scenarios/cron/hasty-ticks.ts';
import {noTickFaults} from '../scenarios/cron/tick-audit.ts';

const seed = 20_260_731;
const undisturbed: TickPlan = {
	...{times: 60, skews: [0, 0], runs: 10_000, halts: 0, halt_seconds: [0, 0], seed},
	jobs: [{schedule: 'every minute', minutes: 1, count: 500}],
};
/** Half an hour a second: a halt is far beyond every lease and start deadline. */
const halted: TickPlan = {
	...{times: 1800, skews: [0, 0], runs: 10_000, halts: 20, halt_seconds: [1, 4], seed},
	jobs: [
		{schedule: 'every 5 minutes', minutes: 5, count: 60},
		{schedule: 'every hour', minutes: 60, count: 40},
		{schedule: 'every 2 hours', minutes: 120, count: 40},
	],
};

/** 5 s of theirs, and where half an hour is a second, 5 s of the machine. */
const fleets: Readonly<Record<'undisturbed' | 'halted', TickPlan>> = {
	undisturbed: {...undisturbed, skews: [5000, 0, -5000]},
	// A third of them are of all.
	halted: {...halted, skews: [5000 * 1800, 0, -5000 * 1800], halts: 30},
};

const fire = async (title: string, plan: TickPlan) => {
	const {faults, ...report} = await fireHastily(plan);
	const hours = (report.simulated / 3_600_000).toFixed(1);
	console.log(
		`  ${title}: ${report.ticks} ticks in ${hours} h of ${plan.times} times the speed, ${report.runs} runs, ${report.missed} counted as missed, too late ${report.too_late} times`,
	);
	assert.deepEqual(faults, noTickFaults);
	return report;
};

const fireBoth = async (plans: Readonly<Record<'undisturbed' | 'halted', TickPlan>>): Promise<void> => {
	const {missed, too_late} = await fire('undisturbed', plans.undisturbed);
	assert.deepEqual({missed, too_late}, {missed: 0, too_late: 0});
	await fire(`${plans.halted.halts} halts of 1 to 4 s`, plans.halted);
};

/** Two servers, one database, clocks that run fast: each tick is fired once, also by servers that stand still again and again. */
export const tortureTicks = async (): Promise<void> => fireBoth({undisturbed, halted});

/** The same with three servers whose own clocks are wrong: the database's judges. */
export const tortureFleetTicks = async (): Promise<void> => fireBoth(fleets);
