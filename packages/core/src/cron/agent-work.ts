import {demandScope} from '../demand-scope.ts';
import {DomainError, invalidField, invalidFields} from '../errors.ts';
import type {ExecutionHold, OutputChunk, Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import {schemaProblems} from '../values/schema-problems.ts';
import {announceRun} from './announce-run.ts';
import {type LeasingNeeds, leaseSpecs} from './leasing.ts';
import type {AgentTimes} from './model/agent.ts';
import {
	type AgentRegistration,
	type AgentReport,
	agentRegistrationSchema,
	agentReportSchema,
	type ExecutionSpec,
} from './model/agent-report.ts';
import {resultOf} from './rules/agent-outcome.ts';
import {endingOf} from './rules/execution-ending.ts';

/** An agent in the session that it was given at its registration. */
export type AgentSession = Readonly<{agent_id: string; session_id: string}>;

export type Registered = AgentSession &
	Readonly<{
		is_default: boolean;
		times: AgentTimes;
		/** Of what the agent still has from before: what goes on, and what it is to kill. Execution ids. */
		keep: readonly string[];
		kill: readonly string[];
	}>;

/**
 * What agents ask, each call by a credential with scope `agent`: else forbidden. An agent works for the user of its
 * credential alone.
 */
export type AgentWork = Readonly<{
	/**
	 * Begins a session; earlier ones of the same agent end. @param running what it still has from before.
	 * @throws conflict for a new agent of a user who has 100.
	 */
	register(caller: Caller, agent: AgentRegistration, running: readonly ExecutionHold[]): Promise<Registered>;
	/**
	 * At once up to `max` commands that are due, within the agent's capacity. To wait for more, wait for the signal
	 * `cron.execution.due`, and a second at most.
	 */
	lease(caller: Caller, session: AgentSession, max: number): Promise<readonly ExecutionSpec[]>;
	/** True: the command may start, this once. */
	start(caller: Caller, hold: ExecutionHold): Promise<boolean>;
	/** @returns the offset up to which all output is there; undefined: the agent no longer runs it, and kills it. */
	append(caller: Caller, chunk: OutputChunk): Promise<number | undefined>;
	/** @returns false when the agent does not hold it, or it had ended otherwise. Asked again it answers the same. */
	finish(caller: Caller, hold: ExecutionHold, report: AgentReport): Promise<boolean>;
	/**
	 * @returns of what runs, what is to be killed: `canceled` by somebody, or `lost` to the agent.
	 * @throws conflict when the session is not the last one: the agent registers anew.
	 */
	heartbeat(
		caller: Caller,
		session: AgentSession,
		state: Readonly<{is_draining: boolean; running: readonly ExecutionHold[]}>,
	): Promise<Readonly<{canceled: readonly string[]; lost: readonly string[]}>>;
	/** The agent ends. */
	deregister(caller: Caller, session: AgentSession): Promise<void>;
}>;

type Needs = LeasingNeeds &
	Pick<Ports, 'clock' | 'cronJobs' | 'executions' | 'executionLeases' | 'agents'> &
	Readonly<{times: AgentTimes}>;

/** Of both streams, as agents cut them (256 KiB and 768 KiB of each), and what they put in the place of the rest. */
const mostOutput = 2 * 1024 * 1024 + 4096;

/** Of one user. */
const mostAgents = 100;

const mostLeases = 100;

/** No agent has capacity for more. */
const mostRunning = 1000;

export const createAgentWork = (
	ports: Omit<Needs, 'times'>,
	{agent_times: times}: Pick<CoreSettings, 'agent_times'>,
): AgentWork => {
	const needs = {...ports, times};
	const {agents, executionLeases} = needs;
	const heartbeat = createHeartbeat(needs);
	return {
		register: createRegister(needs, heartbeat),
		lease: async (caller, session, max) => {
			const holder = {...session, user_id: agentUser(caller), lease_seconds: times.lease};
			return leaseSpecs(needs, holder, Math.min(Math.max(0, Math.trunc(max)), mostLeases));
		},
		start: async (caller, hold) => {
			const user_id = agentUser(caller);
			const started = await executionLeases.start(user_id, hold);
			if (started) await announceStart(needs, user_id, hold);
			return started;
		},
		append: async (caller, chunk) => executionLeases.append(agentUser(caller), chunk, mostOutput),
		finish: createFinish(needs),
		heartbeat,
		deregister: async (caller, {agent_id, session_id}) => agents.leave(agentUser(caller), agent_id, session_id),
	};
};

/** For whom the caller works. @throws forbidden */
const agentUser = (caller: Caller): string => {
	demandScope(caller, 'agent', 'An agent');
	return caller.user_id;
};

const newSessionBytes = 16;

const createRegister =
	(needs: Needs, heartbeat: AgentWork['heartbeat']): AgentWork['register'] =>
	async (caller, request, running) => {
		const user_id = agentUser(caller);
		const read = agentRegistrationSchema.safeParse(request);
		if (!read.success) throw invalidFields(schemaProblems(read.error));
		const {agent_id = '', ...fields} = read.data;
		const known = agent_id === '' ? undefined : await needs.agents.get(user_id, agent_id);
		const now = needs.clock.now();
		const made = {
			...fields,
			...{id: known?.agent.id ?? needs.ids.next(), user_id, session_id: needs.secrets.random(newSessionBytes)},
			...{is_default: false, is_draining: false, last_seen_at: now, created_at: now},
		};
		const {agent} = await needs.agents.register(made, mostAgents);
		const session = {agent_id: agent.id, session_id: agent.session_id ?? ''};
		const {canceled, lost} = await heartbeat(caller, session, {is_draining: false, running});
		const kill = [...canceled, ...lost];
		const keep = running.map(({execution_id}) => execution_id).filter((id) => !kill.includes(id));
		return {...session, is_default: agent.is_default, times: needs.times, keep, kill};
	};

const createHeartbeat =
	({agents, times}: Needs): AgentWork['heartbeat'] =>
	async (caller, session, state) => {
		const user_id = agentUser(caller);
		if (state.running.length > mostRunning) throw invalidField('running', `holds at most ${mostRunning} executions`);
		const answer = await agents.heartbeat({...session, ...state, user_id, lease_seconds: times.lease});
		if (answer === undefined)
			throw new DomainError('conflict', {message: 'The agent has registered again, or is gone: register anew.'});
		return answer;
	};

const announceStart = async (needs: Needs, user_id: string, {execution_id}: ExecutionHold): Promise<void> => {
	const execution = await needs.executions.get(user_id, execution_id);
	if (execution !== undefined) announceRun(needs, execution);
};

const createFinish =
	(needs: Needs): AgentWork['finish'] =>
	async (caller, hold, request) => {
		const user_id = agentUser(caller);
		const read = agentReportSchema.safeParse(request);
		if (!read.success) throw invalidFields(schemaProblems(read.error));
		const execution = await needs.executions.get(user_id, hold.execution_id);
		const job = execution && (await needs.cronJobs.get(user_id, execution.job_id));
		if (execution === undefined || job === undefined) return false;
		const attempt = resultOf(read.data);
		const ending = endingOf(execution, job, {...attempt, retry_id: needs.ids.next()});
		const ended = await needs.executionLeases.finish(user_id, hold, ending);
		if (ended) announceRun(needs, {...execution, status: attempt.result.status});
		return ended;
	};
