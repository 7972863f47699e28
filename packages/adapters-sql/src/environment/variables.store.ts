import type {VariableOwner, VariableRecord, VariableStore, VariableViewer} from '@signalbox/core';
import {type Connection, first, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {integer, list, type Sql, sql} from '../sql.ts';
import {ownedVariables, variables} from './variables.table.ts';

type Change = Parameters<VariableStore['update']>[2];

const selectVariables = (condition: Sql): Sql =>
	sql`SELECT ${variables.columns} FROM variables WHERE ${condition} ORDER BY variable_key, id`;

const visibleTo = ({user_id, team_ids}: VariableViewer): Sql =>
	sql`((team_id IS NULL AND user_id = ${user_id}) OR team_id IN ${list(team_ids)})`;

const ownedBy = (owner: VariableOwner): Sql =>
	owner.team_id === null
		? sql`team_id IS NULL AND owner_id = ${owner.user_id}`
		: sql`team_id = ${owner.team_id} AND owner_id = ${owner.team_id}`;

const insertVariable = async (transaction: Transaction, variable: VariableRecord): Promise<void> => {
	const owner_id = variable.team_id ?? variable.user_id;
	await transaction.run(ownedVariables.insert([{...variable, owner_id}]));
};

const updateVariable = async (transaction: Transaction, condition: Sql, change: Change) => {
	const update = sql`UPDATE variables SET ${variables.set(change)} WHERE ${condition}`;
	const row = await guardedUpdate(transaction, update, selectVariables(condition));
	return row && variables.read(row);
};

export const createVariableStore = (connection: Connection): VariableStore => {
	const select = async (condition: Sql) => (await connection.all(selectVariables(condition))).map(variables.read);
	const one = (viewer: VariableViewer, id: string) => sql`id = ${id} AND ${visibleTo(viewer)}`;
	return {
		create: async (variable) => connection.write(async (transaction) => insertVariable(transaction, variable)),
		get: async (viewer, id) => {
			const row = await first(connection, selectVariables(one(viewer, id)));
			return row && variables.read(row);
		},
		list: async (viewer) => select(visibleTo(viewer)),
		update: async (viewer, id, change) =>
			connection.write(async (transaction) => updateVariable(transaction, one(viewer, id), change)),
		delete: async (viewer, id) =>
			connection.write(
				async (transaction) => (await transaction.run(sql`DELETE FROM variables WHERE ${one(viewer, id)}`)) > 0,
			),
		byKeys: async (owner, keys) => select(sql`${ownedBy(owner)} AND variable_key IN ${list(keys)}`),
		sealedOtherwise: async (kid, limit) => {
			const rows = await connection.all(sql`${selectVariables(sql`value_kid <> ${kid}`)} LIMIT ${integer(limit)}`);
			return rows.map(variables.read);
		},
		reseal: async (id, from, to) => {
			const unchanged = sql`id = ${id} AND value_kid = ${from.kid} AND value_data = ${from.data}`;
			const update = sql`UPDATE variables SET ${variables.set({value: to})} WHERE ${unchanged}`;
			return connection.write(async (transaction) => (await transaction.run(update)) > 0);
		},
	};
};
