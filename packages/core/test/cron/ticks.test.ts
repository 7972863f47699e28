import test from 'ava';
import {jobRetryConfigSchema} from '../../src/cron/model/job.ts';
import {planTick} from '../../src/cron/rules/plan-tick.ts';
import {retryDelay} from '../../src/cron/rules/retry-delay.ts';
import {startWithinSeconds} from '../../src/cron/rules/start-deadline.ts';

const instant = (text: string): string => new Date(text).toISOString();

const plan = (schedule_cron: string, next_run_at: string, now: string) =>
	planTick({schedule_cron, timezone: 'UTC', next_run_at: instant(next_run_at)}, instant(now));

test('a tick that is due runs, and the one after it is next', (t) => {
	t.deepEqual(plan('*/15 * * * *', '2026-11-21T09:00Z', '2026-11-21T09:00:00.400Z'), {
		scheduled_for: instant('2026-11-21T09:00Z'),
		missed_count: 0,
		verdict: 'run',
		next_run_at: instant('2026-11-21T09:15Z'),
		start_deadline_at: instant('2026-11-21T09:15Z'),
	});
});

test('[JOB-099] missed ticks become one run, of the newest, which counts those before it', (t) => {
	t.deepEqual(plan('*/15 * * * *', '2026-11-21T09:00Z', '2026-11-21T12:07Z'), {
		scheduled_for: instant('2026-11-21T12:00Z'),
		missed_count: 12,
		verdict: 'run',
		next_run_at: instant('2026-11-21T12:15Z'),
		start_deadline_at: instant('2026-11-21T12:15Z'),
	});
	t.like(plan('0 * * * *', '2026-11-21T08:00Z', '2026-11-21T09:00Z'), {
		scheduled_for: instant('2026-11-21T09:00Z'),
		missed_count: 1,
	});
	t.like(plan('* * * * *', '2025-11-21T00:00Z', '2026-11-21T00:00:30Z'), {
		scheduled_for: instant('2026-11-21T00:00Z'),
		missed_count: 365 * 24 * 60,
		verdict: 'run',
	});
});

test('[JOB-099 JOB-100] a missed tick runs until its start deadline, and from then on nothing does', (t) => {
	const daily = (now: string) => plan('0 9 * * *', '2026-11-20T09:00Z', now);
	t.like(daily('2026-11-21T09:59:59.999Z'), {verdict: 'run', missed_count: 1});
	t.deepEqual(daily('2026-11-21T10:00Z'), {
		scheduled_for: instant('2026-11-21T09:00Z'),
		missed_count: 2,
		verdict: 'too_late',
		next_run_at: instant('2026-11-22T09:00Z'),
		start_deadline_at: instant('2026-11-21T10:00Z'),
	});
	t.like(plan('0 9 * * *', '2026-11-21T09:00Z', '2026-11-21T10:30Z'), {verdict: 'too_late', missed_count: 1});
});

test('a tick of a schedule that ends, or that the zone has moved since, is planned as well', (t) => {
	t.like(plan('0 0 * 2 1#5', '2996-02-29T00:00Z', '2996-02-29T00:00:01Z'), {verdict: 'run', next_run_at: null});
	t.like(plan('0 9 * * *', '2026-11-21T08:00Z', '2026-11-21T08:00:01Z'), {
		scheduled_for: instant('2026-11-21T08:00Z'),
		next_run_at: instant('2026-11-21T09:00Z'),
	});
});

test('[JOB-101] the start deadline is the time to the next tick, at most 1 hour and at least 5 minutes', (t) => {
	const within = (next: string | null) =>
		startWithinSeconds(instant('2026-11-21T09:00Z'), next === null ? null : instant(next));
	t.is(within('2026-11-21T09:01Z'), 300);
	t.is(within('2026-11-21T09:05Z'), 300);
	t.is(within('2026-11-21T09:15Z'), 900);
	t.is(within('2026-11-21T10:00Z'), 3600);
	t.is(within('2026-11-22T09:00Z'), 3600);
	t.is(within(null), 3600);
});

const failed = (attempt: number) => ({attempt, status: 'failed'}) as const;

test('[JOB-128] max_retries is 0 to 10, 0 by default', (t) => {
	for (const max_retries of [0, 1, 10]) t.true(jobRetryConfigSchema.safeParse({max_retries}).success);
	for (const max_retries of [-1, 11, 1.5, '3', null]) t.false(jobRetryConfigSchema.safeParse({max_retries}).success);
	const byDefault = jobRetryConfigSchema.parse({});
	t.is(byDefault.max_retries, 0);
	t.is(retryDelay(byDefault, failed(1)), undefined);
});

test('[JOB-129] intervals are 30, 60 and 300 s by default, and the last one repeats', (t) => {
	const delays = (config: unknown) =>
		[1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(jobRetryConfigSchema.parse(config), failed(attempt)));
	t.deepEqual(delays({max_retries: 5}), [30, 60, 300, 300, 300, undefined]);
	t.deepEqual(delays({max_retries: 2, intervals: [7]}), [7, 7, undefined, undefined, undefined, undefined]);
});

test('a failure and a timeout are retried, a success and a cancel are not', (t) => {
	const config = jobRetryConfigSchema.parse({max_retries: 3});
	const delay = (status: 'success' | 'failed' | 'timeout' | 'canceled') => retryDelay(config, {attempt: 1, status});
	t.is(delay('failed'), 30);
	t.is(delay('timeout'), 30);
	t.is(delay('success'), undefined);
	t.is(delay('canceled'), undefined);
});

test('what could never begin is not retried', (t) => {
	const config = jobRetryConfigSchema.parse({max_retries: 3});
	t.is(retryDelay(config, {...failed(1), never_began: 'spawn_error'}), undefined);
	t.is(retryDelay(config, {...failed(1), never_began: 'unresolved_template'}), undefined);
});
