import test from 'ava';
import {RpcError, whileUnavailable} from '../src/index.ts';

const failingTimes = (times: number) => {
	let calls = 0;
	return async () => {
		calls += 1;
		if (calls <= times) throw new RpcError('unavailable', 'away');
		return calls;
	};
};

const recordedWaits = async (times: number, random: () => number): Promise<readonly number[]> => {
	const waits: number[] = [];
	const wait = async (ms: number) => waits.push(ms);
	await whileUnavailable(failingTimes(times), {firstMs: 100, mostMs: 1_000, wait, random});
	return waits;
};

test('a call is made until the server is there', async (t) => {
	t.is(await whileUnavailable(failingTimes(3), {wait: async () => {}}), 4);
});

test('waits double up to the longest, and chance makes them up to half shorter', async (t) => {
	t.deepEqual(await recordedWaits(6, () => 0), [50, 100, 200, 400, 500, 500]);
	t.deepEqual(await recordedWaits(2, () => 0.5), [75, 150]);
});

test('a server that says when to come again is left alone for so long besides', async (t) => {
	const waits: number[] = [];
	const errors = [new RpcError('unavailable', 'full', {retryAfterSeconds: 3}), new RpcError('unavailable', 'away')];
	const call = async () => {
		const error = errors.shift();
		if (error) throw error;
	};
	await whileUnavailable(call, {firstMs: 100, wait: async (ms) => waits.push(ms), random: () => 0});
	t.deepEqual(waits, [3050, 100]);
});

test('any other error ends it', async (t) => {
	const wait = async () => t.fail();
	for (const error of [new RpcError('unauthenticated', 'no key'), new Error('a bug')])
		t.is(await t.throwsAsync(whileUnavailable(() => Promise.reject(error), {wait})), error);
});

test('it waits no longer than it may', async (t) => {
	const signal = AbortSignal.abort();
	await t.throwsAsync(whileUnavailable(failingTimes(1), {signal}), {name: 'AbortError'});
});
