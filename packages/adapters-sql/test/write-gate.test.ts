import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {Worker} from 'node:worker_threads';
import test from 'ava';
import {createGateMemory, createWriteGate, reservePlace, vacatePlace} from '../src/write-gate.ts';
import {type CountingData, countUp} from './support/counting-worker.ts';
import {temporaryFolder} from './support/temporary.ts';

test('threads that read, wait and write lose nothing behind the gate', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'count');
	await writeFile(file, '0');
	const memory = createGateMemory();
	const data = (): CountingData => ({memory, place: reservePlace(memory), file, times: 300});
	const url = new URL('./support/counting-worker.ts', import.meta.url);
	const workers = [data(), data()].map((workerData) => new Worker(url, {workerData}));
	await Promise.all([countUp(data()), ...workers.map(async (worker) => once(worker, 'exit'))]);
	t.is(await readFile(file, 'utf8'), '900');
});

test('a thread comes in first come, first served, and one failure does not close the gate', async (t) => {
	const memory = createGateMemory();
	const gate = createWriteGate(memory, reservePlace(memory));
	const order: number[] = [];
	const visits = [1, 2, 3].map(async (visit) =>
		gate.run(async () => {
			order.push(visit);
			if (visit === 2) throw new Error('no');
		}),
	);
	const outcomes = await Promise.allSettled(visits);
	t.deepEqual(order, [1, 2, 3]);
	t.deepEqual(
		outcomes.map(({status}) => status),
		['fulfilled', 'rejected', 'fulfilled'],
	);
});

test('two threads take turns: neither enters twice while the other waits', async (t) => {
	const memory = createGateMemory();
	const [a, b] = [createWriteGate(memory, reservePlace(memory)), createWriteGate(memory, reservePlace(memory))];
	const order: string[] = [];
	const visit = async (name: string) => {
		order.push(name);
	};
	const visits = Array.from({length: 4}, () => [a.run(async () => visit('a')), b.run(async () => visit('b'))]);
	await Promise.all(visits.flat());
	t.is(order.join(''), 'abababab');
});

test('a place that is vacated while it holds the gate, or waits for it, lets the others in', async (t) => {
	const memory = createGateMemory();
	const places = [reservePlace(memory), reservePlace(memory), reservePlace(memory)] as const;
	const [dead, waiting, living] = places.map((place) => createWriteGate(memory, place));
	const entered = Promise.withResolvers<void>();
	void dead?.run(async () => {
		entered.resolve();
		await new Promise(() => undefined);
	});
	await entered.promise;
	void waiting?.run(async () => new Promise(() => undefined));
	const visit = living?.run(async () => 'in');
	await Promise.resolve();
	vacatePlace(memory, places[1]);
	vacatePlace(memory, places[0]);
	t.is(await visit, 'in');
});

test('places are given out once, and again after they were vacated', (t) => {
	const memory = createGateMemory();
	const taken = Array.from({length: 64}, () => reservePlace(memory));
	t.is(new Set(taken).size, 64);
	t.throws(() => reservePlace(memory), {message: /more than 64 threads/});
	vacatePlace(memory, 7);
	t.is(reservePlace(memory), 7);
});
