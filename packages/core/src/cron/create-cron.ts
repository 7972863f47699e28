import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {type AgentWork, createAgentWork} from './agent-work.ts';
import {type Agents, createAgents} from './agents.ts';
import {createExecutions, type Executions} from './executions.ts';
import {type CronJobs, createCronJobs} from './jobs.ts';
import {createOverdueExecutions, type OverdueExecutions} from './overdue.ts';
import {createExecutionNews, type ExecutionNews} from './tell.ts';
import {type CronTicks, createCronTicks} from './ticks.ts';

/** Cron jobs, from their ticks to what became of each run, and the agents that run them. */
export type Cron = Readonly<{
	jobs: CronJobs;
	executions: Executions;
	agents: Agents;
	agentWork: AgentWork;
	ticks: CronTicks;
	overdue: OverdueExecutions;
	news: ExecutionNews;
}>;

/** Wires the services of cron. */
export const createCron = (ports: Ports & Resolver, settings: CoreSettings): Cron => ({
	jobs: createCronJobs(ports, settings),
	executions: createExecutions(ports),
	agents: createAgents(ports, settings),
	agentWork: createAgentWork(ports, settings),
	ticks: createCronTicks(ports),
	overdue: createOverdueExecutions(ports, settings),
	news: createExecutionNews(ports),
});
