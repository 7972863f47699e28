import {createManualClock} from '@signalbox/core/testing';
import test from 'ava';

const start = '2026-03-01T12:00:00.000Z';

test('a manual clock moves only when it is told to', async (t) => {
	const clock = createManualClock(start);
	t.is(clock.now(), start);
	await clock.advance(1500);
	t.is(clock.now(), '2026-03-01T12:00:01.500Z');
});

test('a sleep ends when its time comes, not before', async (t) => {
	const clock = createManualClock(start);
	let awake = false;
	const sleeping = clock.sleep(1000).then(() => {
		awake = true;
	});
	await clock.advance(999);
	t.false(awake);
	await clock.advance(1);
	t.true(awake);
	await sleeping;
});

test('sleepers wake in order of due time, each at its own time, and may sleep again within one advance', async (t) => {
	const clock = createManualClock(start);
	const woke: string[] = [];
	const tick = async () => {
		for (let round = 1; round <= 3; round += 1) {
			await clock.sleep(1000);
			woke.push(`tick ${clock.now()}`);
		}
	};
	const ticking = tick();
	const late = clock.sleep(2500).then(() => woke.push(`late ${clock.now()}`));
	await clock.advance(10_000);
	t.deepEqual(woke, [
		'tick 2026-03-01T12:00:01.000Z',
		'tick 2026-03-01T12:00:02.000Z',
		'late 2026-03-01T12:00:02.500Z',
		'tick 2026-03-01T12:00:03.000Z',
	]);
	t.is(clock.now(), '2026-03-01T12:00:10.000Z');
	await Promise.all([ticking, late]);
});

test('an aborted sleep ends at once and never rejects', async (t) => {
	const clock = createManualClock(start);
	const stop = new AbortController();
	const sleeping = clock.sleep(1000, stop.signal);
	stop.abort();
	await t.notThrowsAsync(sleeping);
	await t.notThrowsAsync(clock.sleep(1000, stop.signal));
	t.is(clock.now(), start);
});

test('set jumps at once, also backwards, and wakes only what is due', async (t) => {
	const clock = createManualClock(start);
	let awake = false;
	const sleeping = clock.sleep(60_000).then(() => {
		awake = true;
	});
	const back = clock.set('2026-03-01T11:00:00.000Z');
	t.is(clock.now(), '2026-03-01T11:00:00.000Z');
	await back;
	t.false(awake);
	await clock.set('2026-03-01T13:00:00.000Z');
	t.true(awake);
	await sleeping;
});
