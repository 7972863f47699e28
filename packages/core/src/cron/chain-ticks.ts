import type {ChainFiring, DueChain, Ports} from '../ports/index.ts';
import type {Instant} from '../values/instant.ts';
import {planTick} from './rules/plan-tick.ts';
import type {Ticked} from './ticks.ts';

/** The ticks of all chains, judged as those of jobs are (decisions, "Ticks"). Any number of processes may call it. */
export type ChainTicks = Readonly<{
	/** Starts up to `limit` chains that are due. Run it about once a second, and again at once while it finds `limit`. */
	tick(limit: number): Promise<Ticked>;
}>;

type Needs = Pick<Ports, 'signals' | 'clock' | 'ids' | 'notifications' | 'chains' | 'chainTicks'>;

export const createChainTicks = (needs: Needs): ChainTicks => ({
	tick: async (limit) => {
		const {now, chains} = await needs.chainTicks.due(limit);
		let fired = 0;
		for (const chain of chains) {
			const outcome = await needs.chainTicks.fire(await firingOf(needs, chain, now));
			if (outcome === 'fired') fired += 1;
		}
		if (fired > 0) needs.signals.publish({type: 'chain.execution.due'});
		return {due: chains.length, fired};
	},
});

const firingOf = async (needs: Needs, chain: DueChain, now: Instant): Promise<ChainFiring> => {
	const {id: chain_id, next_run_at: from} = chain;
	try {
		const {verdict, scheduled_for, next_run_at} = planTick(chain, now);
		const execution_id = verdict === 'run' ? needs.ids.next() : null;
		return {chain_id, from, next_run_at, scheduled_for, execution_id};
	} catch {
		await tellOfSchedule(needs, chain);
		// Never due again, or nobody else's chain would be reached.
		return {chain_id, from, next_run_at: null, scheduled_for: from, execution_id: null};
	}
};

/** Rules and zones may change with the server: what was a schedule once may be none any more. */
const tellOfSchedule = async (needs: Needs, {id: chain_id, user_id}: DueChain): Promise<void> => {
	const chain = await needs.chains.get(user_id, chain_id);
	const notification = {
		...{id: needs.ids.next(), user_id, type: 'chain_failure' as const},
		title: `${chain?.name ?? 'A chain'} runs no more`,
		message: 'Its schedule or its time zone cannot be read any more: set them again.',
		...{data: {chain_id}, is_read: false, created_at: needs.clock.now()},
	};
	await needs.notifications.appendUnlessUnread(notification, 'chain_id');
};
