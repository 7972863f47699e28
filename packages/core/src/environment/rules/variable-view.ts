import type {Variable, VariableRecord} from '../model/variable.ts';

/** A variable as its viewers see it: field by field, and never its value. */
export const variableOf = (record: VariableRecord): Variable => ({
	id: record.id,
	user_id: record.user_id,
	...(record.team_id === undefined ? {} : {team_id: record.team_id}),
	key: record.key,
	is_secret: record.is_secret,
	scope: record.scope,
	description: record.description,
	created_at: record.created_at,
	updated_at: record.updated_at,
});
