import {
	type AgentRecord,
	type AgentState,
	type AgentStore,
	agentsAreFull,
	DomainError,
	type Heartbeat,
	millisecondsBetween,
	plusSeconds,
} from '@signalbox/core';
import {type Connection, count, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {lockRow} from '../lock-rows.ts';
import {list, paddedList, type Sql, sql} from '../sql.ts';
import {type Row, readInstant} from '../table.ts';
import {agents} from './agents.table.ts';
import {executions} from './executions.table.ts';

const ofUser = (user_id: string, id: string): Sql => sql`id = ${id} AND user_id = ${user_id}`;

const inSession = ({user_id, agent_id, session_id}: Pick<Heartbeat, 'user_id' | 'agent_id' | 'session_id'>): Sql =>
	sql`${ofUser(user_id, agent_id)} AND session_id = ${session_id}`;

const selectStates = (reader: Reader, condition: Sql): Sql =>
	sql`SELECT ${agents.columns}, ${reader.now()} AS now, (
			SELECT COUNT(*) FROM cron_executions e WHERE e.held_by = cron_agents.id AND e.status = 'running'
		) AS running FROM cron_agents WHERE ${condition} ORDER BY created_at, id`;

const readState = (row: Row): AgentState => {
	const agent = agents.read(row);
	const seconds_silent = millisecondsBetween(agent.last_seen_at, readInstant(row.now)) / 1000;
	return {agent, running: Number(row.running), seconds_silent};
};

const findState = async (reader: Reader, one: Sql): Promise<AgentState | undefined> => {
	const row = await first(reader, selectStates(reader, one));
	return row && readState(row);
};

/** Gives back what the agent leased and did not start. */
const freeLeases = async (transaction: Transaction, agent_id: string): Promise<void> => {
	await transaction.run(
		sql`UPDATE cron_executions SET held_by = NULL, lease_token = NULL, available_at = due_at
			WHERE held_by = ${agent_id} AND status = 'pending'`,
	);
};

const makeDefault = async (transaction: Transaction, user_id: string, id: string): Promise<void> => {
	await transaction.run(
		sql`UPDATE cron_agents SET is_default = CASE WHEN id = ${id} THEN 1 ELSE 0 END WHERE user_id = ${user_id}`,
	);
};

/** What a new registration of a known agent leaves as it is. */
const renewed = ({id: _, user_id: __, name: ___, is_default: ____, created_at: _____, ...fields}: AgentRecord) =>
	fields;

/** The user's first one is the default. */
const add = async (transaction: Transaction, agent: AgentRecord, most: number): Promise<void> => {
	const others = await count(
		transaction,
		sql`SELECT COUNT(*) AS count FROM cron_agents WHERE user_id = ${agent.user_id}`,
	);
	if (others >= most) throw agentsAreFull(most);
	await transaction.run(agents.insert([{...agent, is_default: others === 0}]));
};

const register = async (transaction: Transaction, agent: AgentRecord, most: number): Promise<AgentState> => {
	const {id, user_id} = agent;
	await lockRow(transaction, 'users', user_id);
	const last_seen_at = await storeNow(transaction);
	const known = agents.set(renewed({...agent, last_seen_at}));
	if ((await transaction.run(sql`UPDATE cron_agents SET ${known} WHERE ${ofUser(user_id, id)}`)) > 0) {
		await freeLeases(transaction, id);
	} else {
		await add(transaction, {...agent, last_seen_at}, most);
	}
	const state = await findState(transaction, ofUser(user_id, id));
	if (state === undefined) throw new DomainError('resource_not_found');
	return state;
};

const update = async (transaction: Transaction, ...[user_id, id, change]: Parameters<AgentStore['update']>) => {
	const one = ofUser(user_id, id);
	await lockRow(transaction, 'users', user_id);
	if (!(await first(transaction, sql`SELECT id FROM cron_agents WHERE ${one}`))) return undefined;
	if (change.name !== undefined) {
		await transaction.run(sql`UPDATE cron_agents SET ${agents.set({name: change.name})} WHERE ${one}`);
	}
	if (change.is_default) await makeDefault(transaction, user_id, id);
	return findState(transaction, one);
};

/** What was its is the default agent's. */
const disown = async (transaction: Transaction, user_id: string, id: string): Promise<void> => {
	await freeLeases(transaction, id);
	const its = sql`user_id = ${user_id} AND agent_id = ${id}`;
	await transaction.run(sql`UPDATE cron_jobs SET agent_id = NULL WHERE ${its}`);
	const waiting = transaction.dialect.isSet('available_at');
	await transaction.run(sql`UPDATE cron_executions SET agent_id = NULL WHERE ${its} AND ${waiting}`);
};

const remove = async (transaction: Transaction, user_id: string, id: string): Promise<boolean> => {
	await lockRow(transaction, 'users', user_id);
	const one = ofUser(user_id, id);
	// Held before what is its is looked for: no job names it, and it leases nothing, from here on.
	const select = sql`SELECT is_default FROM cron_agents WHERE ${one} ${transaction.dialect.forUpdate}`;
	const agent = await first(transaction, select);
	if (agent === undefined) return false;
	await disown(transaction, user_id, id);
	await transaction.run(sql`DELETE FROM cron_agents WHERE ${one}`);
	const oldest = sql`SELECT id FROM cron_agents WHERE user_id = ${user_id} ORDER BY created_at, id LIMIT 1`;
	const next = agent.is_default === 1 ? await first(transaction, oldest) : undefined;
	if (next) await makeDefault(transaction, user_id, String(next.id));
	return true;
};

const readNamed = async (transaction: Transaction, {user_id, agent_id, running}: Heartbeat) => {
	const rows = await transaction.all(
		sql`SELECT id, status, lease_token FROM cron_executions
			WHERE id IN ${paddedList(running.map(({execution_id}) => execution_id))}
			AND user_id = ${user_id} AND held_by = ${agent_id} ${transaction.dialect.forUpdate}`,
	);
	const found = new Map(rows.map((row) => [String(row.id), row]));
	return Map.groupBy(running, ({execution_id, lease_token}) => {
		const row = found.get(execution_id);
		const status = row?.lease_token === lease_token ? String(row.status) : 'lost';
		return status === 'pending' || status === 'running' || status === 'canceled' ? status : 'lost';
	});
};

/** Renews what the agent holds still; answers the rest. */
const renew = async (transaction: Transaction, heartbeat: Heartbeat, now: string) => {
	const named = await readNamed(transaction, heartbeat);
	const idsOf = (status: 'pending' | 'running' | 'canceled' | 'lost') =>
		(named.get(status) ?? []).map(({execution_id}) => execution_id);
	const leased_until = plusSeconds(now, heartbeat.lease_seconds);
	const renewals = {
		pending: executions.set({available_at: leased_until}),
		running: executions.set({watched_at: now}),
	};
	for (const status of ['pending', 'running'] as const) {
		const held = sql`id IN ${list(idsOf(status))} AND status = ${status}`;
		if (named.has(status)) await transaction.run(sql`UPDATE cron_executions SET ${renewals[status]} WHERE ${held}`);
	}
	return {canceled: idsOf('canceled'), lost: idsOf('lost')};
};

const hear = async (transaction: Transaction, heartbeat: Heartbeat): ReturnType<AgentStore['heartbeat']> => {
	const now = await storeNow(transaction);
	const changes = agents.set({last_seen_at: now, is_draining: heartbeat.is_draining});
	const heard = await transaction.run(sql`UPDATE cron_agents SET ${changes} WHERE ${inSession(heartbeat)}`);
	return heard === 0 ? undefined : renew(transaction, heartbeat, now);
};

export const createAgentStore = (connection: Connection): AgentStore => ({
	register: async (agent, most) => connection.write(async (transaction) => register(transaction, agent, most)),
	list: async (user_id) => (await connection.all(selectStates(connection, sql`user_id = ${user_id}`))).map(readState),
	get: async (user_id, id) => findState(connection, ofUser(user_id, id)),
	update: async (...order) => connection.write(async (transaction) => update(transaction, ...order)),
	delete: async (user_id, id) => connection.write(async (transaction) => remove(transaction, user_id, id)),
	heartbeat: async (heartbeat) => connection.write(async (transaction) => hear(transaction, heartbeat)),
	leave: async (user_id, agent_id, session_id) =>
		connection.write(async (transaction) => {
			const mine = inSession({user_id, agent_id, session_id});
			const left = await transaction.run(sql`UPDATE cron_agents SET session_id = NULL WHERE ${mine}`);
			if (left > 0) await freeLeases(transaction, agent_id);
		}),
});
