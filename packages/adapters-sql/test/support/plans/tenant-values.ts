import type {Originals} from '../../../../../test/support/million-rows/seed-numbers.ts';
import type {Sql, SqlValue} from '../../../src/sql.ts';

/** The column that the hole after that text is compared with, alone or as one of a list. */
const comparedWith = /(\w+) (?:=|IN \((?:\?, )*) ?$/;

const tenantColumns = (of: Originals): Readonly<Record<string, SqlValue>> => ({
	...{team_id: of.team_id, user_id: of.user_id, mcp_server_id: of.server_id, server_id: of.server_id},
	...{endpoint_id: of.endpoint_id, job_id: of.job_id, chain_id: of.chain_id},
});

/** The statement as it is asked for that tenant: whose rows it is about stands in it by columns of those names. */
export const ofTenant = (statement: Sql, of: Originals): Sql => {
	const columns = tenantColumns(of);
	let before = '';
	const values = statement.values.map((value, index) => {
		before += statement.texts[index] ?? '';
		const column = comparedWith.exec(before.replaceAll(/\s+/g, ' '))?.[1] ?? '';
		before += '?';
		return columns[column] ?? value;
	});
	return {texts: statement.texts, values};
};
