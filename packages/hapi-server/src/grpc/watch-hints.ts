import type {DomainEvent, Signals} from '@signalbox/core';
import type {AgentEvent} from '@signalbox/rpc';

/** More than these are left out: what they say, the next heartbeat or lease says too. */
const mostHints = 100;

const hintOf = (event: DomainEvent, user_id: string): AgentEvent | undefined => {
	if (event.type === 'cron.execution.due' && event.user_id === user_id) return {$case: 'wake', value: {}};
	if (event.type !== 'cron.execution' || event.user_id !== user_id || event.status !== 'canceled') return undefined;
	return {$case: 'cancel', value: {execution_id: event.execution_id, reason: 'canceled', grace_ms: 0}};
};

/** Hints for the agents of a user, as they come, until the signal aborts. */
export async function* watchHints(
	signals: Pick<Signals, 'subscribe'>,
	user_id: string,
	signal?: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
	let hints: AgentEvent[] = [];
	let told = Promise.withResolvers<void>();
	const end = () => told.resolve();
	const unsubscribe = signals.subscribe((event) => {
		const hint = hintOf(event, user_id);
		if (hint === undefined || hints.length >= mostHints) return;
		hints.push(hint);
		told.resolve();
	});
	signal?.addEventListener('abort', end, {once: true});
	try {
		while (!signal?.aborted) {
			await told.promise;
			told = Promise.withResolvers();
			const next = hints;
			hints = [];
			yield* next;
		}
	} finally {
		unsubscribe();
		signal?.removeEventListener('abort', end);
	}
}
