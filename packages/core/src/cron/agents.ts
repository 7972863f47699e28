import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidField, invalidFields} from '../errors.ts';
import type {AgentState, Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import {schemaProblems} from '../values/schema-problems.ts';
import type {Agent} from './model/agent.ts';
import {type AgentChange, agentChangeSchema} from './model/agent-change.ts';
import {agentViewOf} from './rules/agent-view.ts';

/** The hosts that run the caller's commands. They make themselves known: see `AgentWork`. */
export type Agents = Readonly<{
	/** Oldest first. */
	list(caller: Caller): Promise<readonly Agent[]>;
	get(caller: Caller, id: string): Promise<Agent>;
	/** @throws validation_error, also for `is_default` false: make another one the default. */
	update(caller: Caller, id: string, request: AgentChange): Promise<Agent>;
	/** Its jobs are the default agent's then. */
	delete(caller: Caller, id: string): Promise<void>;
}>;

type Needs = Pick<Ports, 'audit' | 'clock' | 'ids' | 'agents'>;

export const createAgents = (needs: Needs, {agent_times: {offline}}: Pick<CoreSettings, 'agent_times'>): Agents => {
	const {agents} = needs;
	const record = createAuditTrail(needs);
	const viewOf = (state: AgentState): Agent => agentViewOf(state, offline);
	return {
		list: async ({user_id}) => (await agents.list(user_id)).map(viewOf),
		get: async ({user_id}, id) => viewOf(present(await agents.get(user_id, id))),
		update: async (caller, id, request) => {
			const change = readChange(request);
			const state = present(await agents.update(caller.user_id, id, change));
			await record(caller, {action: 'agent.updated', target_id: id, data: change});
			return viewOf(state);
		},
		delete: async (caller, id) => {
			const {agent} = present(await agents.get(caller.user_id, id));
			if (!(await agents.delete(caller.user_id, id))) throw new DomainError('resource_not_found');
			await record(caller, {action: 'agent.deleted', target_id: id, data: {name: agent.name}});
		},
	};
};

const present = (state: AgentState | undefined): AgentState => {
	if (state === undefined) throw new DomainError('resource_not_found');
	return state;
};

const readChange = (request: AgentChange): Readonly<{name?: string | undefined; is_default?: true | undefined}> => {
	const read = agentChangeSchema.safeParse(request);
	if (!read.success) throw invalidFields(schemaProblems(read.error));
	const {name, is_default} = read.data;
	if (is_default === false) throw invalidField('is_default', 'cannot be taken away: make another agent the default');
	return {name, is_default};
};
