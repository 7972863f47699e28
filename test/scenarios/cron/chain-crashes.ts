import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {type Api, createApi, registerPerson} from '../../support/api.ts';
import {countIn, rowsOf} from '../../support/data-directory.ts';
import {until} from '../../support/mcp/until.ts';
import {type RestartableServer, startRestartableServer} from '../../support/restartable-server.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {tally} from '../../support/tally.ts';
import {auditChains, type ChainFaults} from './chain-audit.ts';
import {makeChains} from './chain-kinds.ts';
import {type MortalAgent, startAgent} from './mortal-agent.ts';
import {readOrEmpty} from './mortal-host.ts';

export type ChainCrashPlan = Readonly<{
	/** How often the server is killed, at moments that the seed says. */
	kills: number;
	seed: number;
}>;

export type ChainCrashReport = Readonly<{
	faults: ChainFaults;
	/** Chain executions by their final status. */
	ended: Readonly<Partial<Record<string, number>>>;
	/** How many commands were started. */
	commands: number;
	/** Requests to run a chain whose answer never came: each may have started it or not. */
	cut: number;
	/** How many executions were at what when the server died. */
	moments: Readonly<Partial<Record<string, number>>>;
	/** From each start of the server until all executions were over, milliseconds. */
	recoveries: readonly number[];
}>;

/** At each kill: as many as keep the agent busy, and some that wait for it. */
const chainsPerKill = 8;
const capacity = 6;
/** About as long as chains take from the first request to the last end. Milliseconds. */
const window = 1500;

type World = Readonly<{
	server: RestartableServer;
	key: string;
	chains: readonly string[];
	random: () => number;
	accepted: string[];
	moments: string[];
	recoveries: number[];
	counts: {cut: number};
}>;

const byKey = (origin: string, key: string): Api => createApi(origin, {'x-api-key': key});

const prepare = async (origin: string, grpcUrl: string, starts: string) => {
	const {api} = await registerPerson(createApi(origin), 'chains');
	const {key} = (await api.post('/v1/api-keys', {name: 'chains', scopes: ['api', 'agent']})).body;
	return {grpcUrl, key, chains: await makeChains(api, starts)};
};

/** Where each execution stands that is not over, in the database of a server that was killed. */
const momentsOf = async ({directory}: RestartableServer): Promise<readonly string[]> => {
	const rows = await rowsOf(
		directory,
		`SELECT CASE WHEN c.current_step IS NULL THEN 'not begun'
					WHEN e.status = 'pending' THEN CASE WHEN e.held_by IS NULL THEN 'waiting' ELSE 'leased' END
					WHEN e.status = 'running' THEN 'running' ELSE 'between steps' END AS moment
				FROM cron_chain_executions c
				LEFT JOIN cron_step_runs s ON s.chain_execution_id = c.id AND s.step_order = c.current_step
					AND s.attempt = (SELECT MAX(attempt) FROM cron_step_runs l WHERE l.chain_execution_id = c.id AND l.step_order = c.current_step)
				LEFT JOIN cron_executions e ON e.id = s.execution_id
				WHERE c.status = 'running'`,
	);
	return rows.map(({moment}) => String(moment));
};

const running = async ({directory}: RestartableServer): Promise<number> =>
	countIn(directory, "SELECT COUNT(*) AS count FROM cron_chain_executions WHERE status = 'running'");

/** Asks for an execution at a random moment, of whatever server runs then. */
const startSome = async ({server, key, chains, random, accepted, counts}: World): Promise<void> => {
	const [chain, after] = [chains[Math.floor(random() * chains.length)], random() * window];
	await pause(after);
	const origin = server.origin();
	if (origin === undefined) return;
	try {
		const {status, body, text} = await byKey(origin, key).post(`/v1/cron/chains/${chain}/run`);
		if (status !== 201) throw new Error(text);
		accepted.push(body.id);
	} catch (error) {
		// What fetch rejects with when nobody answers.
		if (!(error instanceof TypeError)) throw error;
		counts.cut += 1;
	}
};

const killOnce = async (world: World): Promise<void> => {
	const {server, random, moments, recoveries} = world;
	const starts = Array.from({length: chainsPerKill}, () => startSome(world));
	const killing = pause(random() * window).then(async () => {
		await server.end('SIGKILL');
		moments.push(...(await momentsOf(server)));
		await server.start();
	});
	await Promise.all([killing, ...starts]);
	const began = performance.now();
	await until(() => pause(50).then(async () => (await running(server)) === 0), 'the end of all chains', 180_000);
	recoveries.push(performance.now() - began);
};

const endPeacefully = async ({server}: World, agent: MortalAgent): Promise<void> => {
	const code = await agent.end('SIGTERM');
	if (code !== 0) throw new Error(`the agent ended with ${code}`);
	await server.end('SIGTERM');
};

/** Kills a server again and again while chains run, and each time lets it end what runs. */
export const crashChains = async ({kills, seed}: ChainCrashPlan): Promise<ChainCrashReport> => {
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-chains-'));
	const file = join(folder, 'starts');
	const server = await startRestartableServer((origin, grpcUrl) => prepare(origin, grpcUrl, file), {
		keepsGrpcPort: true,
	});
	const {grpcUrl, key, chains} = server;
	const agent = startAgent({grpcUrl, apiKey: key, capacity, stateFolder: join(folder, 'state')});
	const [accepted, moments, recoveries, counts] = [[], [], [], {cut: 0}];
	const world: World = {server, key, chains, random: seededRandom(seed), accepted, moments, recoveries, counts};
	try {
		if (!(await agent.says('Registered'))) throw new Error('the agent ended by itself');
		for (let kill = 0; kill < kills; kill += 1) await killOnce(world);
		await endPeacefully(world, agent);
		const starts = (await readOrEmpty(file)).split('\n').filter((line) => line !== '');
		const {faults, statuses, commands} = await auditChains({directory: server.directory, accepted, starts});
		return {faults, ended: tally(statuses), commands, cut: counts.cut, moments: tally(moments), recoveries};
	} finally {
		await agent.end('SIGKILL');
		await server.close();
		await rm(folder, {recursive: true, force: true});
	}
};
