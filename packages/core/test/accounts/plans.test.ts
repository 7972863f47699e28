import {type CoreSettings, createCore, defaultPlans, defaultSettings, type Plan, planOf} from '@signalbox/core';
import {createTestCore, createTestPorts} from '@signalbox/core/testing';
import test from 'ava';
import {registerCaller} from './registered.ts';

const plan = (name: string): Plan => planOf(defaultSettings, name);

const figures: readonly (readonly [id: string, name: string, field: keyof Plan, value: number | null])[] = [
	['ACC-077', 'free', 'endpoints', 3],
	['ACC-078', 'free', 'cron_jobs', 5],
	['ACC-079', 'free', 'mcp_servers', 3],
	['ACC-080', 'free', 'api_keys', 2],
	['ACC-081', 'free', 'api_requests_per_minute', 60],
	['ACC-081', 'free', 'api_burst', 10],
	['ACC-082', 'free', 'retention_days', 7],
	['ACC-083', 'free', 'events_per_month', 10_000],
	['ACC-084', 'pro', 'endpoints', 25],
	['ACC-085', 'pro', 'cron_jobs', 50],
	['ACC-086', 'pro', 'mcp_servers', 25],
	['ACC-087', 'pro', 'api_keys', 10],
	['ACC-088', 'pro', 'api_requests_per_minute', 300],
	['ACC-088', 'pro', 'api_burst', 50],
	['ACC-089', 'pro', 'retention_days', 30],
	['ACC-090', 'pro', 'events_per_month', 100_000],
	['ACC-091', 'business', 'endpoints', null],
	['ACC-091', 'business', 'cron_jobs', null],
	['ACC-091', 'business', 'mcp_servers', null],
	['ACC-092', 'business', 'api_keys', 50],
	['ACC-093', 'business', 'api_requests_per_minute', 1000],
	['ACC-093', 'business', 'api_burst', 100],
	['ACC-094', 'business', 'retention_days', 90],
	['ACC-095', 'business', 'events_per_month', 1_000_000],
	['ACC-096', 'self_hosted', 'endpoints', null],
	['ACC-096', 'self_hosted', 'cron_jobs', null],
	['ACC-096', 'self_hosted', 'mcp_servers', null],
	['ACC-096', 'self_hosted', 'api_keys', null],
	['ACC-096', 'self_hosted', 'api_requests_per_minute', null],
	['ACC-096', 'self_hosted', 'events_per_month', null],
	['ACC-097', 'self_hosted', 'retention_days', 30],
];

for (const [id, name, field, value] of figures) {
	test(`[${id}] plan ${name}: ${field} is ${value ?? 'without limit'}`, (t) => t.is(plan(name)[field], value));
}

const brought = {plans: [{...plan('free'), name: 'tiny', api_keys: 1}], default_plan: 'tiny'};

test("[ACC-074] an embedder's own plan is given to new users, and its limits hold", async (t) => {
	const {core} = createTestCore({settings: brought});
	const caller = await registerCaller({core}, 'ada@example.com');
	t.is(caller.plan, 'tiny');
	await core.accounts.apiKeys.create(caller, {name: 'first'});
	await t.throwsAsync(core.accounts.apiKeys.create(caller, {name: 'second'}), {code: 'plan_limit_reached'});
});

test('an account whose plan was taken away has the limits of the default one', (t) => {
	t.is(planOf(brought, 'pro').name, 'tiny');
	t.is(defaultPlans.length, 4);
});

test('settings without their default plan fail at the start', (t) => {
	const settings: Partial<CoreSettings> = {default_plan: 'unheard of'};
	t.throws(() => createCore(createTestPorts().ports, settings), {message: /default_plan unheard of/});
});
