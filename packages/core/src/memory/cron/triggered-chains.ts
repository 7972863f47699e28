import {startsChains, triggeredExecutionId} from '../../cron/rules/triggered-execution.ts';
import type {RestingStatus} from '../../webhook/model/event.ts';
import {compositeKey, type MemoryDatabase} from '../database.ts';
import {rowsWhere} from '../rows.ts';
import {addChainExecution} from './chain-executions.ts';

/** Starts what is linked to the endpoint, for those who are of its team still. */
export const startLinkedChains = (
	db: MemoryDatabase,
	{id: trigger_event_id, endpoint_id}: Readonly<{id: string; endpoint_id: string}>,
	resting_status: RestingStatus | null,
): void => {
	if (!startsChains(resting_status)) return;
	const team_id = db.endpoints.get(endpoint_id)?.team_id ?? '';
	const linked = rowsWhere(
		db.chains,
		(chain) =>
			chain.trigger_endpoint_id === endpoint_id &&
			chain.trigger_type === 'webhook' &&
			chain.is_enabled &&
			db.memberships.has(compositeKey(team_id, chain.user_id)),
	);
	for (const chain of linked) {
		const id = triggeredExecutionId(trigger_event_id, chain.id);
		addChainExecution(db, chain, {id, chain_id: chain.id, triggered_by: 'webhook', trigger_event_id});
	}
};
