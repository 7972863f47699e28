import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {connectGrpc} from '@signalbox/rpc';
import {type Api, type Body, createApi, registerPerson} from '../../support/api.ts';
import {until} from '../../support/mcp/until.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {startTestServer, type TestServer} from '../../support/server.ts';
import {tally} from '../../support/tally.ts';
import {auditKills, type Faults} from './agent-kill-audit.ts';
import {type AgentHome, type MortalAgent, startAgent} from './mortal-agent.ts';
import {type Moment, momentsOf, readOrEmpty, readRuns} from './mortal-host.ts';
import {type MortalJob, makeJobs} from './mortal-jobs.ts';
import {taggedProcesses} from './tagged-processes.ts';

export type KillPlan = Readonly<{
	/** How often the agent is killed, at moments that the seed says. */
	kills: number;
	seed: number;
}>;

export type KillReport = Readonly<{
	faults: Faults;
	/** How the runs ended: by status, but `agent_lost` by itself. */
	ended: Readonly<Partial<Record<string, number>>>;
	/** How many kills hit the agent in the middle of what. */
	moments: Readonly<Partial<Record<Moment, number>>>;
	/** Processes of commands that outlived their agent until the next one. */
	orphans: number;
}>;

/** Short enough that leases run out, and what an agent leaves is given up, while a test waits. Seconds. */
const agentTimes = {heartbeat: 1, offline: 2, lease: 2, lost: 4};
const capacity = 4;
/** So many runs wait whenever an agent starts. */
const load = 8;
const countOfJobs = 24;

type World = Readonly<{
	server: TestServer;
	api: Api;
	folder: string;
	home: AgentHome;
	jobs: ReadonlyMap<string, MortalJob>;
	random: () => number;
	/** Tags of the processes that outlived their agent, by process id, until the next agent has registered. */
	orphans: Map<string, string>;
	survivors: string[];
	moments: Moment[];
	counts: {orphans: number};
}>;

const logIn = async (grpcUrl: string, {email, password}: Readonly<{email: string; password: string}>) => {
	const {peer, close} = connectGrpc({url: grpcUrl});
	try {
		return (await peer.login({email, password, device_name: 'mortal'})).api_key;
	} finally {
		close();
	}
};

const openWorld = async ({seed}: KillPlan): Promise<World> => {
	const server = await startTestServer({agentTimes});
	const person = await registerPerson(createApi(server.baseUrl), 'mortal');
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-mortal-'));
	const random = seededRandom(seed);
	const apiKey = await logIn(server.grpcUrl, person);
	return {
		...{server, api: person.api, folder, random},
		home: {grpcUrl: server.grpcUrl, apiKey, capacity, stateFolder: join(folder, 'state')},
		jobs: await makeJobs(person.api, {starts: join(folder, 'starts'), random, count: countOfJobs}),
		...{orphans: new Map(), survivors: [], moments: [], counts: {orphans: 0}},
	};
};

const closeWorld = async ({server, folder}: World): Promise<void> => {
	await server.close();
	await rm(folder, {recursive: true, force: true});
};

const runs = async ({server}: World) => readRuns(server.dataDir);

const fill = async (world: World): Promise<void> => {
	const ids = [...world.jobs.keys()];
	for (let count = (await runs(world)).unfinished; count < load; count += 1)
		await world.api.post(`/v1/cron-jobs/${ids[Math.floor(world.random() * ids.length)]}/run`);
};

/** An agent that has registered has ended what the one before had left. */
const checkOrphans = async (world: World): Promise<void> => {
	const {ids} = await runs(world);
	const alive = taggedProcesses((id) => ids.has(id));
	for (const [pid, tag] of world.orphans) if (alive.get(pid) === tag) world.survivors.push(tag);
	world.orphans.clear();
};

/** Lines that an agent logs as it passes from one thing to the next: between them lies every moment of its life. */
const passages = [', attempt', ', attempt', ': ended,', ': ended,', undefined] as const;

/** Lets the agent live until a random moment. @returns whether it has registered by then. */
const liveOn = async ({random, ...world}: World, agent: MortalAgent): Promise<boolean> => {
	if (random() < 0.1) return pause(random() * 1000, false);
	const [passage, count, after] = [passages[Math.floor(random() * passages.length)], 1 + random() * 3, random() ** 4];
	if (!(await agent.says('Registered'))) throw new Error('the agent ended by itself');
	await checkOrphans({...world, random});
	for (let seen = 1; passage !== undefined && seen <= count; seen += 1) await agent.says(passage);
	return pause(after * 1000, true);
};

const liveAndDie = async (world: World): Promise<void> => {
	await fill(world);
	const agent = startAgent(world.home);
	const hasRegistered = await liveOn(world, agent);
	await agent.end('SIGKILL', world.random() < 0.3 ? 'group' : 'process');
	const left = await runs(world);
	world.moments.push(...(await momentsOf(left, {stateFolder: world.home.stateFolder, hasRegistered})));
	for (const [pid, tag] of taggedProcesses((id) => left.ids.has(id))) {
		if (!world.orphans.has(pid)) world.counts.orphans += 1;
		world.orphans.set(pid, tag);
	}
};

/** One more agent, which may live, ends whatever there is to do. */
const recover = async (world: World): Promise<void> => {
	const agent = startAgent(world.home);
	await agent.says('Registered');
	await checkOrphans(world);
	await until(() => pause(100).then(async () => (await runs(world)).unfinished === 0), 'the end of all runs', 120_000);
	const code = await agent.end('SIGTERM');
	if (code !== 0) throw new Error(`the agent ended with ${code}`);
};

const audit = async ({api, folder, home, jobs, ...world}: World): Promise<KillReport> => {
	const {ids} = await runs({api, folder, home, jobs, ...world});
	const executions: Body[] = [];
	for (const id of ids) executions.push((await api.get(`/v1/cron-executions/${id}`)).body);
	const starts = (await readOrEmpty(join(folder, 'starts'))).split('\n').filter((line) => line !== '');
	const survivors = [...world.survivors, ...taggedProcesses((id) => ids.has(id)).values()];
	const left = (await readdir(home.stateFolder)).filter((name) => name !== 'agent-id');
	const ends = executions.map(({status, error}) => (error === 'agent_lost' ? error : status));
	return {
		faults: auditKills({executions, jobs, starts, survivors, left}),
		ended: tally(ends),
		moments: tally(world.moments),
		orphans: world.counts.orphans,
	};
};

/** Kills an agent again and again while it takes, runs and reports work, and lets another one end what is left. */
export const killAgents = async (plan: KillPlan): Promise<KillReport> => {
	const world = await openWorld(plan);
	try {
		// The first life is peaceful: what was never told its id is another agent, for whom nothing waits.
		const first = startAgent(world.home);
		await until(() => readOrEmpty(join(world.home.stateFolder, 'agent-id')).then((id) => id !== ''), 'a first agent');
		await first.end('SIGTERM');
		for (let kill = 0; kill < plan.kills; kill += 1) await liveAndDie(world);
		await recover(world);
		return await audit(world);
	} finally {
		await closeWorld(world);
	}
};
