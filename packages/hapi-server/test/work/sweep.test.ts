import {createManualClock} from '@signalbox/core/testing';
import {createLogger} from '@signalbox/hapi-server';
import test from 'ava';
import {startSweep} from '../../src/work/sweep.ts';

const open = () => {
	const clock = createManualClock();
	const lines: string[] = [];
	const counted: [string, number][] = [];
	const log = createLogger('trace', {write: (line) => void lines.push(line)});
	return {
		clock,
		lines,
		counted,
		needs: {clock, log, countSwept: (task: string, n: number) => void counted.push([task, n])},
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
