import type {Advanced, Ports} from '../ports/index.ts';
import {announceRun} from './announce-run.ts';
import type {ChainExecutionRecord} from './model/chain-execution.ts';

type Needs = Pick<Ports, 'signals'>;

/** Tells whoever listens how an execution of a chain stands. */
export const announceChain = (
	{signals}: Needs,
	{id: chain_execution_id, chain_id, user_id, status, current_step}: ChainExecutionRecord,
): void => {
	signals.publish({type: 'chain.execution', chain_execution_id, chain_id, user_id, status, current_step});
};

/** The same, and how the runs stand that it started or canceled: agents kill what is canceled. */
export const announceAdvance = (needs: Needs, next: ChainExecutionRecord, {started, canceled}: Advanced): void => {
	for (const run of [...canceled, ...started]) announceRun(needs, run);
	announceChain(needs, next);
};
