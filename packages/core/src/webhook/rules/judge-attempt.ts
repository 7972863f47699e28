import type {LeasedDelivery} from '../model/delivery.ts';
import type {DeliveryAnswer, DeliveryErrorCode, DeliveryFailure} from '../model/delivery-exchange.ts';
import {type NextAttempt, nextAttempt} from './next-attempt.ts';
import {retryAfterSeconds} from './retry-after.ts';

export type AttemptFacts = Readonly<{
	/** Epoch seconds. */
	now: number;
	/** From 0 up to, not including, 1. */
	random: number;
}>;

export type JudgedAttempt = Readonly<{
	next: NextAttempt;
	/** For people: why it failed; null when it did not. */
	error: string | null;
}>;

const errors: Readonly<Record<DeliveryErrorCode, string>> = {
	timeout: 'The destination did not answer in time.',
	unreachable: 'The destination could not be reached.',
	blocked: 'The address of the destination is not allowed.',
	reset: 'The destination broke the connection off.',
	tls: 'The connection to the destination could not be secured.',
	bad_answer: 'The destination answered something that is not HTTP.',
	unresolved: 'The delivery could not be made.',
};

const errorOf = (status_code: number): string => {
	if (status_code === 410) return 'The destination answered 410: it is gone.';
	return status_code >= 300 && status_code < 400
		? `The destination answered ${status_code}: redirects are not followed.`
		: `The destination answered ${status_code}.`;
};

/** What an attempt means for its delivery. */
export const judgeAttempt = (
	{retry_config, retries}: Pick<LeasedDelivery, 'retry_config' | 'retries'>,
	ended: DeliveryAnswer | DeliveryFailure,
	{now, random}: AttemptFacts,
): JudgedAttempt => {
	if ('error_code' in ended) {
		const result = {error: ended.error_code};
		return {next: nextAttempt(retry_config, {result, retries, random}), error: errors[ended.error_code]};
	}
	const {status_code, headers} = ended;
	const result = {status_code, retry_after_seconds: retryAfterSeconds(headers['retry-after'], now)};
	const next = nextAttempt(retry_config, {result, retries, random});
	return {next, error: next.status === 'delivered' ? null : errorOf(status_code)};
};
