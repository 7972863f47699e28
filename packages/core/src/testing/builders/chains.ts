import type {ChainRecord, NamedChainStep} from '../../cron/model/chain.ts';
import type {NewChainExecution} from '../../cron/model/chain-execution.ts';
import type {ChainFiring} from '../../ports/index.ts';
import {buildId, builtAt} from './identity.ts';

export const buildChainStep = (fields: Partial<NamedChainStep> = {}): NamedChainStep => ({
	cron_job_id: buildId(),
	job_name: 'Back up',
	step_order: 0,
	condition_type: 'on_success',
	timeout_seconds: 3600,
	...fields,
});

/** Enabled, started by hand alone, of one step. */
export const buildChain = (fields: Pick<ChainRecord, 'user_id'> & Partial<ChainRecord>): ChainRecord => ({
	id: buildId(),
	name: 'Nightly',
	description: null,
	trigger_type: 'manual',
	trigger_schedule: null,
	schedule_cron: null,
	timezone: 'UTC',
	trigger_endpoint_id: null,
	is_enabled: true,
	steps: [buildChainStep()],
	next_run_at: null,
	created_at: builtAt,
	updated_at: builtAt,
	version: 1,
	...fields,
});

/** Asked for by a person. */
export const buildNewChainExecution = (
	fields: Pick<NewChainExecution, 'chain_id'> & Partial<NewChainExecution>,
): NewChainExecution => ({id: buildId(), triggered_by: 'manual', trigger_event_id: null, ...fields});

/** The tick at which the chain is due, followed by one that no test reaches. */
export const buildChainFiring = ({
	chain,
	...fields
}: Readonly<{chain: ChainRecord}> & Partial<ChainFiring>): ChainFiring => {
	const from = chain.next_run_at ?? builtAt;
	return {
		...{chain_id: chain.id, from, next_run_at: '2099-01-01T00:00:00.000Z', scheduled_for: from},
		...{execution_id: buildId(), ...fields},
	};
};
