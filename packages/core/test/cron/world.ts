import type {Caller} from '@signalbox/core';
import {addCaller, createTestCore, type TestCore} from '@signalbox/core/testing';
import type {AgentSession, Registered} from '../../src/cron/agent-work.ts';
import type {Cron} from '../../src/cron/create-cron.ts';
import type {AgentRegistration, AgentReport, ExecutionSpec} from '../../src/cron/model/agent-report.ts';
import type {CronJob} from '../../src/cron/model/job.ts';
import type {JobSettings} from '../../src/cron/model/job-settings.ts';

export type World = TestCore & Readonly<{caller: Caller; key: Caller; cron: Cron}>;

/** The caller with an API key of an agent. */
export const agentKey = (caller: Caller): Caller => ({
	...caller,
	credential: {kind: 'api_key', id: 'k1', scopes: ['agent']},
});

/** A core, a signed-in caller, and a key for their agents. */
export const startWorld = async (overrides: Parameters<typeof createTestCore>[0] = {}): Promise<World> => {
	const testCore = createTestCore(overrides);
	const caller = await addCaller(testCore.ports);
	return {...testCore, caller, key: agentKey(caller), cron: testCore.core.cron};
};

export const wanted = {name: 'Back up', schedule: 'every minute', command: 'backup --all'};

export const addJob = ({cron, caller}: Pick<World, 'cron' | 'caller'>, settings: JobSettings = {}): Promise<CronJob> =>
	cron.jobs.create(caller, {...wanted, ...settings});

export const host: AgentRegistration = {
	name: 'build-1',
	hostname: 'build-1.example.com',
	os: 'linux',
	arch: 'x64',
	version: '1.0.0',
	capacity: 10,
};

export const addAgent = (
	{cron, key}: Pick<World, 'cron' | 'key'>,
	fields: Partial<AgentRegistration> = {},
): Promise<Registered> => cron.agentWork.register(key, {...host, ...fields}, []);

export const leaseOne = async (
	{cron, key}: Pick<World, 'cron' | 'key'>,
	session: AgentSession,
): Promise<ExecutionSpec> => {
	const [spec] = await cron.agentWork.lease(key, session, 1);
	if (spec === undefined) throw new Error('nothing is due');
	return spec;
};

/** Leases the run that is due, and starts it. */
export const startOne = async (world: Pick<World, 'cron' | 'key'>, session: AgentSession): Promise<ExecutionSpec> => {
	const spec = await leaseOne(world, session);
	if (!(await world.cron.agentWork.start(world.key, spec))) throw new Error('a run did not start');
	return spec;
};

export const exited: AgentReport = {
	outcome: 'exited',
	exit_code: 0,
	signal: '',
	error: '',
	duration_ms: 1200,
	truncated: false,
};

/** The run that is due is leased, started and reported. */
export const runOne = async (
	world: Pick<World, 'cron' | 'key'>,
	session: AgentSession,
	report: Partial<AgentReport> = {},
): Promise<ExecutionSpec> => {
	const spec = await startOne(world, session);
	if (!(await world.cron.agentWork.finish(world.key, spec, {...exited, ...report})))
		throw new Error('a report was refused');
	return spec;
};

/** Everything of the caller, latest first. */
export const runsOf = async ({cron, caller}: Pick<World, 'cron' | 'caller'>) =>
	(await cron.executions.list(caller, {}, {limit: 100, offset: 0})).data;

/** What the caller was told, newest first. */
export const toldOf = async ({ports, caller}: Pick<World, 'ports' | 'caller'>) =>
	(await ports.notifications.list(caller.user_id, {unread_only: false}, {limit: 100, offset: 0})).data;
