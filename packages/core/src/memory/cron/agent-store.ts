import type {AgentRecord} from '../../cron/model/agent.ts';
import {agentsAreFull, DomainError} from '../../errors.ts';
import type {AgentState, AgentStore, Heartbeat} from '../../ports/index.ts';
import {millisecondsBetween, plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, merged, oldestFirst, rowsWhere, updateWhere} from '../rows.ts';
import {deleteAgent, freeLeases} from './cascades.ts';
import {isOpen} from './executions.ts';
import {heldRow} from './holds.ts';

const stateOf = (db: MemoryDatabase, agent: AgentRecord): AgentState => ({
	agent: copyOf(agent),
	running: rowsWhere(db.executions, (row) => row.status === 'running' && row.hold?.agent_id === agent.id).length,
	seconds_silent: millisecondsBetween(agent.last_seen_at, db.now()) / 1000,
});

const agentsOf = (db: MemoryDatabase, user_id: string): AgentRecord[] =>
	rowsWhere(db.agents, (agent) => agent.user_id === user_id).sort(oldestFirst);

const register = (db: MemoryDatabase, agent: AgentRecord, most: number): AgentState => {
	if (!db.users.has(agent.user_id)) throw new DomainError('resource_not_found');
	const known = db.agents.get(agent.id);
	if (known !== undefined && known.user_id !== agent.user_id) throw new DomainError('resource_exists');
	const others = agentsOf(db, agent.user_id).length;
	if (known === undefined && others >= most) throw agentsAreFull(most);
	const is_default = others === 0;
	const {name, created_at} = known ?? agent;
	const registered = {...agent, name, created_at, is_default: known?.is_default ?? is_default, last_seen_at: db.now()};
	freeLeases(db, agent.id);
	db.agents.set(agent.id, copyOf(registered));
	return stateOf(db, registered);
};

const makeDefault = (db: MemoryDatabase, user_id: string, id: string): void => {
	updateWhere(
		db.agents,
		(agent) => agent.user_id === user_id,
		(agent) => ({...agent, is_default: agent.id === id}),
	);
};

const remove = (db: MemoryDatabase, {id, user_id, is_default}: AgentRecord): boolean => {
	const deleted = deleteAgent(db, id);
	const oldest = agentsOf(db, user_id).at(0);
	if (is_default && oldest !== undefined) makeDefault(db, user_id, oldest.id);
	return deleted;
};

/** Renews what the agent holds still; answers the rest. */
const renew = (db: MemoryDatabase, {user_id, agent_id, running, lease_seconds}: Heartbeat) => {
	const [canceled, lost]: [string[], string[]] = [[], []];
	const heard_at = db.now();
	for (const named of running) {
		const row = heldRow(db, user_id, named);
		if (row?.hold.agent_id === agent_id && isOpen(row)) {
			const leased_until = plusSeconds(heard_at, lease_seconds);
			db.executions.set(row.id, {...row, hold: {...row.hold, heard_at, leased_until}});
		} else if (row?.hold.agent_id === agent_id && row.status === 'canceled') canceled.push(named.execution_id);
		else lost.push(named.execution_id);
	}
	return {canceled, lost};
};

export const createAgentStore = (db: MemoryDatabase): AgentStore => {
	const find = (user_id: string, id: string) => {
		const agent = db.agents.get(id);
		return agent?.user_id === user_id ? agent : undefined;
	};
	const inSession = (user_id: string, id: string, session_id: string) => {
		const agent = find(user_id, id);
		return agent?.session_id === session_id ? agent : undefined;
	};
	return {
		register: async (agent, most) => register(db, agent, most),
		list: async (user_id) => agentsOf(db, user_id).map((agent) => stateOf(db, agent)),
		get: async (user_id, id) => {
			const agent = find(user_id, id);
			return agent && stateOf(db, agent);
		},
		update: async (user_id, id, {name, is_default}) => {
			const agent = find(user_id, id);
			if (agent === undefined) return undefined;
			db.agents.set(id, merged<AgentRecord>(agent, {name}));
			if (is_default) makeDefault(db, user_id, id);
			return stateOf(db, db.agents.get(id) ?? agent);
		},
		delete: async (user_id, id) => {
			const agent = find(user_id, id);
			return agent !== undefined && remove(db, agent);
		},
		heartbeat: async (heartbeat) => {
			const agent = inSession(heartbeat.user_id, heartbeat.agent_id, heartbeat.session_id);
			if (agent === undefined) return undefined;
			db.agents.set(agent.id, {...agent, last_seen_at: db.now(), is_draining: heartbeat.is_draining});
			return renew(db, heartbeat);
		},
		leave: async (user_id, agent_id, session_id) => {
			const agent = inSession(user_id, agent_id, session_id);
			if (agent === undefined) return;
			db.agents.set(agent_id, {...agent, session_id: null});
			freeLeases(db, agent_id);
		},
	};
};
