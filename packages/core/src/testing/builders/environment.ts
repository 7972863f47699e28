import type {VariableRecord} from '../../environment/model/variable.ts';
import type {Sealed} from '../../values/sealed.ts';
import {buildId, builtAt, nextNumber} from './identity.ts';

/** Looks like a sealed text; no cipher opens it. */
export const buildSealed = (fields: Partial<Sealed> = {}): Sealed => ({
	kid: 'k1',
	data: `sealed-${nextNumber()}`,
	...fields,
});

export const buildVariable = (fields: Pick<VariableRecord, 'user_id'> & Partial<VariableRecord>): VariableRecord => ({
	id: buildId(),
	key: `KEY_${nextNumber()}`,
	is_secret: true,
	scope: 'all',
	description: null,
	value: buildSealed(),
	created_at: builtAt,
	updated_at: builtAt,
	...fields,
});
