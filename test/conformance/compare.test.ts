import test from 'ava';
import {type AllowedDifference, allowanceFor, type Check, compareRuns, countStatuses, type Run} from './compare.ts';

const runOf = (scenarios: Readonly<Record<string, readonly Check[]>>): Run => new Map(Object.entries(scenarios));

const passed = (id: string): Check => ({id, status: 'SUCCESS'});
const failed = (id: string, errorMessage = 'no'): Check => ({id, status: 'FAILURE', errorMessage});

test('two runs that say the same differ in nothing, in whatever order they say it', (t) => {
	const direct = runOf({ping: [passed('a'), failed('b', 'at 10:00')], tools: [passed('c')]});
	const proxied = runOf({tools: [passed('c')], ping: [failed('b', 'at 10:01'), passed('a')]});
	t.deepEqual(compareRuns(direct, proxied), []);
});

test('a check that fails on one side only is a difference, with its message', (t) => {
	const difference = {scenario: 'ping', check: 'a', direct: 'SUCCESS', proxied: 'FAILURE', message: 'no pong'};
	const [direct, proxied] = [runOf({ping: [passed('a')]}), runOf({ping: [failed('a', 'no pong')]})];
	t.deepEqual(compareRuns(direct, proxied), [difference]);
	t.deepEqual(compareRuns(proxied, direct), [{...difference, direct: 'FAILURE', proxied: 'SUCCESS'}]);
});

test('what only one side has is absent on the other', (t) => {
	const [full, bare] = [runOf({ping: [passed('a'), passed('b')]}), runOf({ping: [passed('a')]})];
	t.like(compareRuns(full, bare), [{check: 'b', direct: 'SUCCESS', proxied: 'absent'}]);
	t.like(compareRuns(runOf({}), bare), [{scenario: 'ping', check: 'a', direct: 'absent', proxied: 'SUCCESS'}]);
});

test('a check that is said twice must be said twice on both sides', (t) => {
	const twice = runOf({ping: [passed('a'), failed('a')]});
	t.deepEqual(compareRuns(twice, twice), []);
	t.like(compareRuns(twice, runOf({ping: [passed('a')]})), [{direct: 'SUCCESS FAILURE', proxied: 'SUCCESS'}]);
});

test('an allowance holds for the very difference that it names, and nowhere else', (t) => {
	const setting = {upstream: 'fixture', suite: '0.1.16', approvals: 'on'} as const;
	const difference = {scenario: 'ping', check: 'a', direct: 'FAILURE', proxied: 'SUCCESS', message: ''};
	const {message: _, ...named} = difference;
	const entry: AllowedDifference = {upstream: 'fixture', suite: '0.1.16', ...named, reason: 'stricter'};
	t.is(allowanceFor(setting, difference, [entry]), entry);
	t.is(allowanceFor(setting, difference, [{...entry, approvals: 'off'}]), undefined);
	for (const key of ['upstream', 'suite', 'scenario', 'check', 'direct', 'proxied'])
		t.is(allowanceFor(setting, difference, [{...entry, [key]: 'other'}]), undefined, key);
});

test('statuses are counted over all scenarios', (t) => {
	t.is(
		countStatuses(runOf({ping: [passed('a'), failed('b')], tools: [passed('c')]})),
		'2 scenarios: 1 FAILURE, 2 SUCCESS',
	);
	t.is(countStatuses(runOf({ping: []})), '1 scenarios: no checks');
});
