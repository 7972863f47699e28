import type {Migration} from './definition.ts';

/** Arguments of a held call as they were sent, where the parsed ones say other numbers. */
export const exactArguments: Migration = {
	name: '0018-exact-arguments',
	columns: [{table: 'approvals', column: 'arguments_json', type: 'text?', initially: null}],
};
