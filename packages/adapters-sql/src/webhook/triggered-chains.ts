import {startsChains, triggeredExecutionId} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {chains} from '../cron/chains.table.ts';
import {type ChainStart, startChains} from '../cron/start-chain.ts';
import {lockRows} from '../lock-rows.ts';
import {paddedList, sql} from '../sql.ts';

/** Whether a chain is linked to the endpoint `webhook_endpoints`, as a column. */
export const isLinked = sql`EXISTS (SELECT 1 FROM cron_chains c WHERE c.trigger_endpoint_id = webhook_endpoints.id) AS is_linked`;

/** An event that is accepted. `resting_status` null: it is delivered. */
export type Triggering = Readonly<{event_id: string; endpoint_id: string; resting_status: string | null}>;

/** Those that are enabled, of users who are of the endpoint's team still. */
const readLinked = async (transaction: Transaction, endpoint_ids: readonly string[]) => {
	const linked = sql`(SELECT id FROM cron_chains WHERE trigger_endpoint_id IN ${paddedList(endpoint_ids)})`;
	// None goes before it is started.
	await lockRows(transaction, 'cron_chains', linked);
	const rows = await transaction.all(
		sql`SELECT ${chains.columnsOf('c')} FROM cron_chains c
			JOIN webhook_endpoints e ON e.id = c.trigger_endpoint_id
			JOIN memberships m ON m.team_id = e.team_id AND m.user_id = c.user_id
			WHERE c.trigger_endpoint_id IN ${paddedList(endpoint_ids)} AND c.trigger_type = 'webhook' AND c.is_enabled = 1
			ORDER BY c.id`,
	);
	return rows.map(chains.read);
};

/** Starts what is linked to the endpoints of these events, in the transaction that accepts them. */
export const startLinkedChains = async (transaction: Transaction, events: readonly Triggering[]): Promise<void> => {
	const triggering = events.filter(({resting_status}) => startsChains(resting_status));
	if (triggering.length === 0) return;
	const linked = await readLinked(transaction, [...new Set(triggering.map(({endpoint_id}) => endpoint_id))]);
	const starts = triggering.flatMap(({event_id: trigger_event_id, endpoint_id}) =>
		linked
			.filter((chain) => chain.trigger_endpoint_id === endpoint_id)
			.map((chain): ChainStart => {
				const id = triggeredExecutionId(trigger_event_id, chain.id);
				return {chain, execution: {id, chain_id: chain.id, triggered_by: 'webhook', trigger_event_id}};
			}),
	);
	if (starts.length > 0) await startChains(transaction, starts);
};
