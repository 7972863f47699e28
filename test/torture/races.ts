import assert from 'node:assert/strict';
import {noFaults} from '../scenarios/proxy/durable-calls.ts';
import {raceForLimits} from '../scenarios/races/contests.ts';
import {dieHolding} from '../scenarios/races/deaths.ts';
import {isFair, raceDecisions} from '../scenarios/races/decisions.ts';
import type {Latencies} from '../scenarios/races/race.ts';
import {type RacingServers, startRacingServers} from '../scenarios/races/racing-servers.ts';
import {isWhole, raceRefreshes} from '../scenarios/races/refreshes.ts';
import {engine} from '../support/engine.ts';
import {tally} from '../support/tally.ts';

const decisions = {approvals: 20, decisions: 1000};
const refreshes = {rounds: 5, ways: 200};
const ways = 200;
const deaths = {deaths: 20, calls: 8, seed: 20_261_122};

const shown = (counts: object): string =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');

const shownTimes = (all: readonly Latencies[]): string => {
	const medians = all.map(({median}) => median).toSorted((a, b) => a - b);
	return `${medians[Math.floor(medians.length / 2)]} ms at the median, ${Math.max(...all.map(({slowest}) => slowest))} ms at most`;
};

const timed = async <T>(title: string, run: () => Promise<T>): Promise<T> => {
	const began = performance.now();
	const result = await run();
	console.log(`  ${title}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
	return result;
};

const raceToDecide = async (servers: RacingServers): Promise<void> => {
	const title = `${decisions.decisions} decisions at once, on each of ${decisions.approvals} approvals`;
	const decided = await timed(title, async () => raceDecisions(servers, decisions));
	console.log(`    won: ${shown(tally(decided.flatMap(({won}) => won)))}`);
	const again = decided.reduce((sum, {answers}) => sum + (answers[503] ?? 0), 0);
	console.log(`    told to come again: ${again}`);
	console.log(`    calls ran: ${shown(tally(decided.map(({executions}) => `${executions} times`)))}`);
	console.log(`    answered after ${shownTimes(decided.map(({latencies}) => latencies))}`);
	for (const one of decided) assert.ok(isFair(one, decisions), JSON.stringify(one));
	assert.equal(decided.length, decisions.approvals);
};

const raceToRefresh = async (servers: RacingServers): Promise<void> => {
	const title = `${refreshes.ways} refreshes at once, of each of ${refreshes.rounds} sessions`;
	const refreshed = await timed(title, async () => raceRefreshes(servers, refreshes));
	console.log(`    heads: ${refreshed.map(({heads}) => heads).join(', ')}`);
	console.log(`    answered after ${shownTimes(refreshed.map(({latencies}) => latencies))}`);
	for (const one of refreshed) assert.ok(isWhole(one, refreshes), JSON.stringify(one));
};

const raceToLimits = async (servers: RacingServers): Promise<void> => {
	const outcomes = await timed(`limits, asked for ${ways} ways at once`, async () => raceForLimits(servers, ways));
	for (const {name, granted, answers, latencies} of outcomes)
		console.log(`    ${name}: ${granted} got it (answers ${JSON.stringify(answers)}), ${shownTimes([latencies])}`);
	for (const {name, faults} of outcomes) assert.deepEqual(faults, [], name);
};

const dieWhileHeld = async (): Promise<void> => {
	const title = `${deaths.deaths} kills of a process that holds ${deaths.calls} calls which are approved over the other one`;
	const {faults, ends, unknown_outcomes} = await timed(title, async () => dieHolding(deaths));
	console.log(`    calls: ${shown(ends)}; ${unknown_outcomes} logged as of unknown outcome`);
	assert.deepEqual(faults, {...noFaults, stuck: [], undecided: []});
};

/** Crowds over two processes on one database: what only one may win is won once, and what is limited is never exceeded. */
export const tortureRaces = async (): Promise<void> => {
	console.log(`  on ${engine}`);
	const servers = await startRacingServers();
	try {
		await raceToDecide(servers);
		await raceToRefresh(servers);
		await raceToLimits(servers);
	} finally {
		await servers.close();
	}
	await dieWhileHeld();
};
