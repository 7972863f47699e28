import {createClock, systemClock} from '@signalbox/core/node';
import test from 'ava';

test('the system clock tells the time of the machine', (t) => {
	const before = Date.now();
	const now = Date.parse(systemClock.now());
	t.true(now >= before && now <= Date.now());
});

test('an offset is added to every reading', (t) => {
	let offset = 0;
	const clock = createClock({offset: () => offset});
	const before = Date.parse(clock.now());
	offset = 3_600_000;
	t.true(Date.parse(clock.now()) - before >= 3_600_000);
});

test('a sleep is over at once when its signal aborts, before or during it', async (t) => {
	const controller = new AbortController();
	const asleep = systemClock.sleep(2 ** 40, controller.signal);
	controller.abort();
	await asleep;
	await systemClock.sleep(2 ** 40, controller.signal);
	t.pass();
});

test('a sleep of no time is over once whatever else waits had its turn', async (t) => {
	let others = 0;
	setImmediate(() => {
		others += 1;
	});
	await systemClock.sleep(0);
	t.is(others, 1);
	await systemClock.sleep(0, AbortSignal.abort());
});

test('a sleep ends by itself', async (t) => {
	const before = performance.now();
	await systemClock.sleep(5);
	t.true(performance.now() - before >= 5);
	await systemClock.sleep(-1);
});
