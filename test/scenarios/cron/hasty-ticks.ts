import {setTimeout as pause} from 'node:timers/promises';
import {createApi, registerPerson} from '../../support/api.ts';
import {countIn} from '../../support/data-directory.ts';
import {until} from '../../support/mcp/until.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {type HastyServers, startHastyServers} from './hasty-servers.ts';
import {auditTicks, type Standstill, type TickAudit, type TickingJob} from './tick-audit.ts';

/** Servers on one database fire jobs, under clocks that run fast. */
export type TickPlan = Readonly<{
	/** How many times as fast as the machine's. */
	times: number;
	/** How far the clock of each server is ahead of the database's, which judges. Milliseconds. */
	skews: readonly number[];
	/** How many jobs have each schedule. */
	jobs: readonly Readonly<{schedule: string; minutes: number; count: number}>[];
	/** Runs until which it goes on. */
	runs: number;
	/** How often one of the servers is stopped, every third time all. */
	halts: number;
	/** Seconds of the machine for which it is. */
	halt_seconds: readonly [least: number, most: number];
	seed: number;
}>;

const minute = 60_000;
/** So many are made at once. */
const atOnce = 20;
/** Between halts, at most. */
const gapMs = 800;
/** What was read right before a halt may be written right after it. */
const staleMs = minute;

const addJobs = async ({origins: [origin = '']}: HastyServers, {jobs}: TickPlan): Promise<readonly TickingJob[]> => {
	// It does not expire, as the token of a person does in seconds: sometimes in those that it takes to use it.
	const key = await until(async () => {
		const {api} = await registerPerson(createApi(origin));
		return (await api.post('/v1/api-keys', {name: 'jobs'})).body.key;
	}, 'a key before the token expires');
	const keyed = createApi(origin, {'x-api-key': key});
	const add = async ({schedule, minutes}: TickPlan['jobs'][number]): Promise<TickingJob> => {
		const job = {name: 'tick', command: 'true', schedule, concurrency: 'allow'};
		const {status, body, text} = await keyed.post('/v1/cron-jobs', job);
		if (status !== 201) throw new Error(text);
		return {id: body.id, first: Date.parse(body.next_run_at), period: minutes * minute};
	};
	const wanted = jobs.flatMap((each) => Array.from({length: each.count}, () => each));
	const made: TickingJob[] = [];
	while (made.length < wanted.length) {
		made.push(...(await Promise.all(wanted.slice(made.length, made.length + atOnce).map(add))));
	}
	return made;
};

const runsIn = async (directory: string): Promise<number> =>
	countIn(directory, "SELECT COUNT(*) AS count FROM cron_executions WHERE triggered_by = 'scheduled'");

const haltAtRandom = async (
	servers: HastyServers,
	{skews, halts, halt_seconds, seed}: TickPlan,
): Promise<Standstill[]> => {
	const random = seededRandom(seed);
	const [least, most] = halt_seconds;
	const standstills: Standstill[] = [];
	for (let halt = 1; halt <= halts; halt += 1) {
		await pause(random() * gapMs);
		const of_all = halt % 3 === 0;
		const goOn = await servers.halt(of_all ? [...skews.keys()] : [Math.floor(random() * skews.length)]);
		const from = servers.now() + staleMs;
		await pause(1000 * (least + random() * (most - least)));
		standstills.push({from, until: servers.now(), of_all});
		goOn();
	}
	return standstills;
};

/** Fires until there are enough runs, and holds all that became of the ticks against what should have. */
export const fireHastily = async (plan: TickPlan): Promise<TickAudit & Readonly<{simulated: number}>> => {
	const servers = await startHastyServers(plan.times, plan.skews);
	try {
		const began = servers.now();
		const jobs = await addJobs(servers, plan);
		const standstills = await haltAtRandom(servers, plan);
		const {directory} = servers;
		await until(() => pause(100).then(async () => (await runsIn(directory)) >= plan.runs), 'the runs', 120_000);
		await servers.end();
		const end = servers.now();
		return {...(await auditTicks(directory, jobs, {end, standstills})), simulated: end - began};
	} finally {
		await servers.close();
	}
};
