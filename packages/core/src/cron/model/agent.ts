import {z} from 'zod';
import {instantText, nameText, recordId} from '../../values/text.ts';

export const agentStatusSchema = z.enum(['online', 'offline', 'draining']);
export type AgentStatus = z.infer<typeof agentStatusSchema>;

export const agentSchema = z.object({
	id: recordId,
	name: nameText,
	hostname: z.string(),
	os: z.string(),
	arch: z.string(),
	/** Of the agent program. */
	version: z.string(),
	status: agentStatusSchema,
	/** True for the one that runs jobs without an agent of their own. */
	is_default: z.boolean(),
	/** Commands that it runs at once, at most. */
	capacity: z.int(),
	/** Commands that it runs now. */
	running: z.int(),
	last_seen_at: instantText,
	created_at: instantText,
});
/** A host that runs commands. */
export type Agent = z.infer<typeof agentSchema>;

export type AgentRecord = Omit<Agent, 'status' | 'running'> &
	Readonly<{
		user_id: string;
		/** Of its last registration: calls of an earlier one no longer count. Null: it has left. */
		session_id: string | null;
		is_draining: boolean;
	}>;

/** Times that the server tells agents at their registration, and that both keep (decisions, "Agents"). Whole seconds. */
export type AgentTimes = Readonly<{
	/** Between two heartbeats of an agent. */
	heartbeat: number;
	/** An agent that says nothing for so long is shown as offline. */
	offline: number;
	/** How long an agent has to start what it leased; each heartbeat renews it. */
	lease: number;
	/** What was started and no heartbeat names for so long has ended with `agent_lost`. */
	lost: number;
}>;

export const defaultAgentTimes: AgentTimes = {heartbeat: 10, offline: 30, lease: 60, lost: 120};
