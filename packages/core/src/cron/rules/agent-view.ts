import {createView} from '../../values/view.ts';
import {type Agent, type AgentRecord, type AgentStatus, agentSchema} from '../model/agent.ts';

const fieldsOf = createView(agentSchema);

/** How an agent stands: what it last said, and for how long it has been silent. */
type Known = Readonly<{agent: AgentRecord; running: number; seconds_silent: number}>;

const statusOf = ({agent, seconds_silent}: Known, offline: number): AgentStatus => {
	if (agent.session_id === null || seconds_silent >= offline) return 'offline';
	return agent.is_draining ? 'draining' : 'online';
};

/** @param offline Seconds of silence. */
export const agentViewOf = (known: Known, offline: number): Agent =>
	fieldsOf({...known.agent, status: statusOf(known, offline), running: known.running});
