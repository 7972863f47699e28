import type {VariableRecord} from '../../environment/model/variable.ts';
import {DomainError} from '../../errors.ts';
import type {VariableOwner, VariableStore, VariableViewer} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, firstWhere, merged, rowsWhere, taken} from '../rows.ts';

const ownerOf = ({user_id, team_id}: VariableRecord): VariableOwner =>
	team_id === undefined ? {user_id, team_id: null} : {team_id};

const belongsTo = (variable: VariableRecord, owner: VariableOwner): boolean =>
	owner.team_id === null
		? variable.team_id === undefined && variable.user_id === owner.user_id
		: variable.team_id === owner.team_id;

const isVisible = (variable: VariableRecord, viewer: VariableViewer): boolean =>
	variable.team_id === undefined ? variable.user_id === viewer.user_id : viewer.team_ids.includes(variable.team_id);

const createVariable = (db: MemoryDatabase, variable: VariableRecord): void => {
	const owner = ownerOf(variable);
	if (owner.team_id !== null && !db.teams.has(owner.team_id)) throw new DomainError('resource_not_found');
	const rival = firstWhere(db.variables, (other) => other.key === variable.key && belongsTo(other, owner));
	if (rival !== undefined) throw taken('key');
	db.variables.set(variable.id, copyOf(variable));
};

export const createVariableStore = (db: MemoryDatabase): VariableStore => {
	const find = (viewer: VariableViewer, id: string) => {
		const variable = db.variables.get(id);
		return variable !== undefined && isVisible(variable, viewer) ? variable : undefined;
	};
	const select = (holds: (variable: VariableRecord) => boolean) =>
		rowsWhere(db.variables, holds).sort(by('key', 'id')).map(copyOf);
	return {
		create: async (variable) => createVariable(db, variable),
		get: async (viewer, id) => copyOf(find(viewer, id)),
		list: async (viewer) => select((variable) => isVisible(variable, viewer)),
		update: async (viewer, id, change) => {
			const variable = find(viewer, id);
			if (variable === undefined) return undefined;
			const changed = merged<VariableRecord>(variable, copyOf(change));
			db.variables.set(id, changed);
			return copyOf(changed);
		},
		delete: async (viewer, id) => find(viewer, id) !== undefined && db.variables.delete(id),
		byKeys: async (owner, keys) => select((variable) => keys.includes(variable.key) && belongsTo(variable, owner)),
		sealedOtherwise: async (kid, limit) => select((variable) => variable.value.kid !== kid).slice(0, limit),
		reseal: async (id, from, to) => {
			const variable = db.variables.get(id);
			if (variable?.value.kid !== from.kid || variable.value.data !== from.data) return false;
			db.variables.set(id, {...variable, value: copyOf(to)});
			return true;
		},
	};
};
