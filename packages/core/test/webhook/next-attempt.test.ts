import test from 'ava';
import fc from 'fast-check';
import {defaultRetryConfig} from '../../src/webhook/model/retry-config.ts';
import {eventStatusOf} from '../../src/webhook/rules/event-status.ts';
import {nextAttempt} from '../../src/webhook/rules/next-attempt.ts';

const answer = (status_code: number, retry_after_seconds: number | null = null) => ({status_code, retry_after_seconds});
const after = (result: Parameters<typeof nextAttempt>[1]['result'], retries = 0, random = 0) =>
	nextAttempt(defaultRetryConfig, {result, retries, random});

test('[WHK-084] any 2xx answer delivers, and nothing else does', (t) => {
	for (let status = 200; status < 300; status += 1) t.deepEqual(after(answer(status)), {status: 'delivered'});
	for (const status of [100, 199, 300, 301, 302, 304, 400, 404, 500, 503])
		t.not(after(answer(status)).status, 'delivered');
	t.not(after({error: 'timeout'}).status, 'delivered');
});

test('[WHK-066] the default schedule is nine retries over three days', (t) => {
	const waits = Array.from({length: 9}, (_, retries) => {
		const next = after(answer(500), retries);
		return next.status === 'retrying' ? Math.round(next.after_seconds / 1.1) : next.status;
	});
	t.deepEqual(waits, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
	t.deepEqual(after(answer(500), 9), {status: 'failed', because: 'retries_used_up'});
});

test('[WHK-067] a wait is 10 to 20 percent longer than its interval', (t) => {
	fc.assert(
		fc.property(fc.double({min: 0, max: 0.999, noNaN: true}), fc.nat(8), (random, retries) => {
			const next = after({error: 'reset'}, retries, random);
			const interval = defaultRetryConfig.intervals[retries] as number;
			return next.status === 'retrying' && next.after_seconds >= interval * 1.1 && next.after_seconds <= interval * 1.2;
		}),
	);
	t.pass();
});

test('[WHK-067] chance decides how much longer', (t) => {
	const [least, most] = [0, 0.999].map((random) => after({error: 'reset'}, 0, random));
	t.notDeepEqual(least, most);
});

test('[WHK-065] the last interval repeats', (t) => {
	const config = {max_retries: 5, intervals: [1, 10]};
	const waits = [0, 1, 2, 3, 4, 5].map((retries) => nextAttempt(config, {result: {error: 'x'}, retries, random: 0}));
	t.deepEqual(
		waits.map((next) => (next.status === 'retrying' ? Math.round(next.after_seconds / 1.1) : next.status)),
		[1, 10, 10, 10, 10, 'failed'],
	);
});

for (const [status, asked, expected] of [
	[429, 60, 60],
	[503, 60, 60],
	[503, 2, 5.5],
	[503, null, 5.5],
	[500, 60, 5.5],
	[429, 1_000_000, 86_400],
] as const) {
	test(`[WHK-068][WHK-069] ${status} with Retry-After ${asked} waits ${expected} s`, (t) => {
		t.deepEqual(after(answer(status, asked)), {status: 'retrying', after_seconds: expected});
	});
}

test('[WHK-070] a 410 ends the delivery, whatever retries are left', (t) => {
	t.deepEqual(after(answer(410)), {status: 'failed', because: 'gone'});
});

test('[WHK-087] an event is retrying if any delivery is, else pending, else failed, else delivered', (t) => {
	t.is(eventStatusOf(['delivered', 'pending', 'retrying', 'failed']), 'retrying');
	t.is(eventStatusOf(['delivered', 'failed', 'pending']), 'pending');
	t.is(eventStatusOf(['delivered', 'failed']), 'failed');
	t.is(eventStatusOf(['delivered', 'delivered']), 'delivered');
});
