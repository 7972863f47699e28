import type {VariableRecord} from '@signalbox/core';
import {type Codecs, defineTable, flag, inColumn, instant, nullable, optional, sealed, text} from '../table.ts';

const codecs: Codecs<VariableRecord> = {
	id: text(),
	user_id: text(),
	team_id: optional(text()),
	key: inColumn('variable_key', text()),
	is_secret: flag,
	scope: text(),
	description: nullable(text()),
	created_at: instant,
	updated_at: instant,
	value: sealed,
};

export const variables = defineTable<VariableRecord>('variables', codecs);

/** With what a key is unique in, the team or else the user: a unique index does not hold where a column is null. */
export const ownedVariables = defineTable<VariableRecord & Readonly<{owner_id: string}>>('variables', {
	...codecs,
	owner_id: text(),
});
