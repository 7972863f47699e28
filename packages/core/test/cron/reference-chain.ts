/**
 * The life of a chain execution once more, written from the specification alone: it shares no import with the rule, so that
 * the two can only agree by both being right. Slow and plain on purpose.
 */
export type ReferenceStep = {on: 'on_success' | 'on_failure' | 'always'; does: string};

const outcomes: Record<string, 'success' | 'failed' | 'timeout' | 'canceled'> = {
	succeed: 'success',
	succeed_disabled: 'success',
	tell_late: 'success',
	retry_then_succeed: 'success',
	fail: 'failed',
	agent_lost: 'failed',
	agent_offline: 'failed',
	spawn_error: 'failed',
	unresolved: 'failed',
	job_deleted: 'failed',
	job_deleted_meanwhile: 'failed',
	retry_then_fail: 'failed',
	time_out: 'timeout',
	hang: 'timeout',
	wait: 'timeout',
	retry_then_hang: 'timeout',
	retry_then_wait: 'timeout',
	cancel_run: 'canceled',
};

/** How it ends when somebody cancels it in the step of that order, if that step runs. */
export const referenceChain = (steps: readonly ReferenceStep[], cancel: number | undefined) => {
	const statuses: string[] = steps.map(() => 'pending');
	const ran: number[] = [];
	for (let order = 0; order < steps.length; order += 1) {
		const step = steps[order];
		if (step === undefined) break;
		// The previous step is the last one that ran, and before the first one it is a success.
		let previous = 'success';
		for (const other of ran) previous = statuses[other] ?? '';
		if (step.on === 'on_success' && previous !== 'success') statuses[order] = 'skipped';
		else if (step.on === 'on_failure' && previous === 'success') statuses[order] = 'skipped';
		else {
			ran.push(order);
			if (cancel === order) {
				statuses[order] = 'canceled';
				for (let later = order + 1; later < steps.length; later += 1) statuses[later] = 'skipped';
				return {status: 'canceled', statuses, ran};
			}
			statuses[order] = outcomes[step.does] ?? 'unknown';
		}
	}
	let status = 'completed';
	for (const order of ran) if (statuses[order] !== 'success') status = 'failed';
	return {status, statuses, ran};
};
