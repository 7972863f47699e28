import type {Advanced, DueChainExecution, Ports} from '../ports/index.ts';
import type {Instant} from '../values/instant.ts';
import {announceAdvance} from './announce-chain.ts';
import type {ChainExecutionRecord} from './model/chain-execution.ts';
import {type ChainEvent, transition} from './rules/chain-lifecycle.ts';
import {eventOf} from './rules/chain-look.ts';

/** What goes on in chains. Any number of processes may call it: each step starts once. */
export type ChainProgress = Readonly<{
	/**
	 * Begins, moves on or ends up to `limit` executions that are due. Run it about once a second, and at once when told
	 * `chain.execution.due`. @returns how many were due.
	 */
	advance(limit: number): Promise<number>;
}>;

type Needs = Pick<Ports, 'signals' | 'chainExecutions'>;

/** Makes the transition, if nobody was first. @returns what follows, or undefined. */
export const makeTransition = async (
	needs: Needs,
	{execution, event, now}: Readonly<{execution: ChainExecutionRecord; event: ChainEvent; now: Instant}>,
): Promise<ChainExecutionRecord | undefined> => {
	const [next, effects] = transition(execution, event, now);
	const advanced: Advanced | undefined = await needs.chainExecutions.advance(next, effects);
	if (advanced === undefined) return undefined;
	announceAdvance(needs, next, advanced);
	return next;
};

const advanceOne = async (
	needs: Needs & Pick<Ports, 'ids'>,
	{execution, run}: DueChainExecution,
	now: Instant,
): Promise<void> => {
	const event = eventOf(execution, run, {now, run_id: needs.ids.next()});
	await makeTransition(needs, {execution, event, now});
};

export const createChainProgress = (needs: Needs & Pick<Ports, 'ids'>): ChainProgress => ({
	advance: async (limit) => {
		const {now, executions} = await needs.chainExecutions.due(limit);
		for (const each of executions) await advanceOne(needs, each, now);
		return executions.length;
	},
});
