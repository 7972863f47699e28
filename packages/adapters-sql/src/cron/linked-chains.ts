import type {Transaction} from '../connection.ts';
import {type Sql, sql} from '../sql.ts';

/** Those endpoints are about to go: nothing starts the chains that are linked to them any more. */
export const unlinkChains = async (transaction: Transaction, endpoints: Sql): Promise<void> => {
	await transaction.run(
		sql`UPDATE cron_chains SET trigger_endpoint_id = NULL, version = version + 1
			WHERE trigger_endpoint_id IN (SELECT id FROM webhook_endpoints WHERE ${endpoints})`,
	);
};
