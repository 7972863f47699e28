import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Notices} from '../webhook/notices.ts';
import {type AgentWork, createAgentWork} from './agent-work.ts';
import {type Agents, createAgents} from './agents.ts';
import {type ChainExecutions, createChainExecutions} from './chain-executions.ts';
import {type ChainNews, createChainNews} from './chain-news.ts';
import {type ChainProgress, createChainProgress} from './chain-progress.ts';
import {type ChainTicks, createChainTicks} from './chain-ticks.ts';
import {type Chains, createChains} from './chains.ts';
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
	chains: Chains;
	chainExecutions: ChainExecutions;
	chainTicks: ChainTicks;
	chainProgress: ChainProgress;
	chainNews: ChainNews;
}>;

/** Wires the services of cron. */
export const createCron = (
	ports: Ports & Resolver & Readonly<{sendNotice: Notices['send']}>,
	settings: CoreSettings,
): Cron => ({
	jobs: createCronJobs(ports, settings),
	executions: createExecutions(ports),
	agents: createAgents(ports, settings),
	agentWork: createAgentWork(ports, settings),
	ticks: createCronTicks(ports),
	overdue: createOverdueExecutions(ports, settings),
	news: createExecutionNews(ports),
	chains: createChains(ports),
	chainExecutions: createChainExecutions(ports),
	chainTicks: createChainTicks(ports),
	chainProgress: createChainProgress(ports),
	chainNews: createChainNews(ports),
});
