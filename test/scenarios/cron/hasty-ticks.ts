import {setTimeout as pause} from 'node:timers/promises';
import {createApi, registerPerson} from '../../support/api.ts';
import {rowsOf, withDatabase} from '../../support/database-file.ts';
import {until} from '../../support/mcp/until.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {type HastyServers, startHastyServers} from './hasty-servers.ts';
import {auditTicks, type Standstill, type TickAudit, type TickingJob} from './tick-audit.ts';

/** Two servers on one database fire jobs, under clocks that run fast. */
export type TickPlan = Readonly<{
	/** How many times as fast as the machine's. */
	times: number;
	/** How many jobs have each schedule. */
	jobs: readonly Readonly<{schedule: string; minutes: number; count: number}>[];
	/** Runs until which it goes on. */
	runs: number;
	/** How often one of the servers is stopped, every third time both. */
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
	const {api} = await registerPerson(createApi(origin));
	// It does not expire, as the token of a person would in seconds.
	const {key} = (await api.post('/v1/api-keys', {name: 'jobs'})).body;
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

const runsIn = (file: string): number =>
	withDatabase(file, (database) =>
		Number(rowsOf(database, "SELECT COUNT(*) AS n FROM cron_executions WHERE triggered_by = 'scheduled'")[0]?.n),
	);

const haltAtRandom = async (servers: HastyServers, {halts, halt_seconds, seed}: TickPlan): Promise<Standstill[]> => {
	const random = seededRandom(seed);
	const [least, most] = halt_seconds;
	const standstills: Standstill[] = [];
	for (let halt = 1; halt <= halts; halt += 1) {
		await pause(random() * gapMs);
		const of_all = halt % 3 === 0;
		const goOn = await servers.halt(of_all ? [0, 1] : [random() < 0.5 ? 0 : 1]);
		const from = servers.now() + staleMs;
		await pause(1000 * (least + random() * (most - least)));
		standstills.push({from, until: servers.now(), of_all});
		goOn();
	}
	return standstills;
};

/** Fires until there are enough runs, and holds all that became of the ticks against what should have. */
export const fireHastily = async (plan: TickPlan): Promise<TickAudit & Readonly<{simulated: number}>> => {
	const servers = await startHastyServers(2, plan.times);
	try {
		const began = servers.now();
		const jobs = await addJobs(servers, plan);
		const standstills = await haltAtRandom(servers, plan);
		await until(() => pause(100).then(() => runsIn(servers.database) >= plan.runs), 'the runs', 120_000);
		await servers.end();
		return {...auditTicks(servers.database, jobs, standstills), simulated: servers.now() - began};
	} finally {
		await servers.close();
	}
};
