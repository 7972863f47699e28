import {first, type Transaction} from '../connection.ts';
import {sql} from '../sql.ts';
import {updateEventStatus} from './settle-group.ts';

/** Makes the failed deliveries of an event due again, as far as there is something to send. @returns how many. */
export const rearm = async (transaction: Transaction, event_id: string): Promise<number | 'purged'> => {
	const content = sql`SELECT id FROM webhook_event_contents WHERE id = ${event_id} AND body IS NOT NULL`;
	if ((await first(transaction, sql`${content} ${transaction.dialect.forUpdate}`)) === undefined) return 'purged';
	const now = transaction.now();
	const armed = await transaction.run(
		sql`UPDATE webhook_deliveries SET status = 'retrying', due_at = ${now}, available_at = ${now}, armed_attempts = 0
			WHERE event_id = ${event_id} AND status = 'failed' AND failure IS NULL`,
	);
	if (armed > 0) await updateEventStatus(transaction, [event_id]);
	return armed;
};
