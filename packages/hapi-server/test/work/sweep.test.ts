import {DomainError} from '@signalbox/core';
import {createMemorySignals} from '@signalbox/core/memory';
import {createManualClock} from '@signalbox/core/testing';
import {createLogger} from '@signalbox/hapi-server';
import test from 'ava';
import {startSweep} from '../../src/work/sweep.ts';

const open = () => {
	const clock = createManualClock();
	const lines: string[] = [];
	const counted: [string, number][] = [];
	const signals = createMemorySignals();
	const log = createLogger('trace', {write: (line) => void lines.push(line)});
	return {
		clock,
		lines,
		counted,
		signals,
		needs: {clock, signals, log, countSwept: (task: string, n: number) => void counted.push([task, n])},
	};
};

test('each task is looked after at once and then at its own pace, and what it did is counted', async (t) => {
	const {clock, counted, needs} = open();
	const looks = {often: 0, seldom: 0};
	const sweep = startSweep(
		[
			{name: 'often', every_ms: 1000, run: async () => ++looks.often},
			{name: 'seldom', every_ms: 60_000, run: async () => 0 * ++looks.seldom},
		],
		needs,
	);
	await clock.advance(0);
	await clock.advance(60_000);
	t.deepEqual(looks, {often: 61, seldom: 2});
	t.deepEqual(counted.at(-1), ['often', 61]);
	await sweep.stop();
	await clock.advance(60_000);
	t.deepEqual(looks, {often: 61, seldom: 2});
});

test('a look that takes long is never doubled, and stop waits for it', async (t) => {
	const {clock, needs} = open();
	const slow = Promise.withResolvers<number>();
	let running = 0;
	const run = () => {
		running += 1;
		return slow.promise;
	};
	const sweep = startSweep([{name: 'slow', every_ms: 1000, run}], needs);
	await clock.advance(10_000);
	t.is(running, 1);
	let isStopped = false;
	const stopped = sweep.stop().then(() => {
		isStopped = true;
	});
	await clock.advance(10_000);
	t.false(isStopped);
	slow.resolve(0);
	await stopped;
	t.is(running, 1);
});

test('an error is logged and costs one look', async (t) => {
	const {clock, lines, needs} = open();
	let looks = 0;
	const run = async () => {
		looks += 1;
		if (looks === 1) throw new Error('the store is away');
		return 0;
	};
	const sweep = startSweep([{name: 'approvals', every_ms: 1000, run}], needs);
	await clock.advance(0);
	await clock.advance(1000);
	t.is(looks, 2);
	t.is(lines.length, 1);
	t.like(JSON.parse(lines[0] ?? ''), {msg: 'due work failed', task: 'approvals', err: {message: 'the store is away'}});
	await sweep.stop();
});

test('while the store is away, its tasks fill no log: all of them fail by the same', async (t) => {
	const {clock, lines, needs} = open();
	const run = async () => {
		throw new DomainError('service_unavailable', {cause: new Error('connect ECONNREFUSED')});
	};
	const tasks = ['approvals', 'sessions', 'old_calls'].map((name) => ({name, every_ms: 1000, run}));
	const sweep = startSweep(tasks, needs);
	await clock.advance(0);
	await clock.advance(5000);
	t.is(lines.length, 1);
	t.like(JSON.parse(lines[0] ?? ''), {msg: 'the service is unavailable', err: {cause: 'connect ECONNREFUSED'}});
	await sweep.stop();
});

test('a task that an event wakes is looked after at once, also when the event comes while it is', async (t) => {
	const {clock, signals, needs} = open();
	let looks = 0;
	const run = async () => {
		looks += 1;
		if (looks === 2) signals.publish({type: 'chain.execution.due'});
		return 0;
	};
	const wakes = ({type}: {type: string}) => type === 'chain.execution.due';
	const sweep = startSweep([{name: 'chain_steps', every_ms: 1000, run, wakes}], needs);
	await clock.advance(0);
	t.is(looks, 1);
	signals.publish({type: 'team.deleted', team_id: 'any'});
	await clock.advance(0);
	t.is(looks, 1);
	signals.publish({type: 'chain.execution.due'});
	await clock.advance(0);
	t.is(looks, 3);
	await sweep.stop();
	signals.publish({type: 'chain.execution.due'});
	await clock.advance(1000);
	t.is(looks, 3);
});
