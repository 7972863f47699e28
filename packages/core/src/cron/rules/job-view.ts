import {createView} from '../../values/view.ts';
import type {AgentRecord} from '../model/agent.ts';
import {type CronJob, type CronJobRecord, cronJobSchema} from '../model/job.ts';

const fieldsOf = createView(cronJobSchema);

type NamedAgent = Pick<AgentRecord, 'id' | 'name' | 'is_default'>;

/** The job as its user sees it: without an agent of its own it has the default one, if there is one. */
export const jobViewOf = (job: CronJobRecord, agents: readonly NamedAgent[]): CronJob => {
	const agent = agents.find(({id, is_default}) => (job.agent_id === null ? is_default : id === job.agent_id));
	return fieldsOf({...job, agent_id: agent?.id ?? job.agent_id, agent_name: agent?.name ?? null});
};
