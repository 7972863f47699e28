import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import {createGroupQueue} from '../src/group-queue.ts';

/** A queue that takes some turns of the event loop for each commit, and the sizes of its groups so far. */
const open = (max_items = 64) => {
	const sizes: number[] = [];
	const queue = createGroupQueue<number, number>(
		async (items) => {
			sizes.push(items.length);
			for (let left = 5; left > 0; left -= 1) await turn();
			return items.map((value) => ({status: 'fulfilled', value}));
		},
		{max_items},
	);
	return {...queue, sizes};
};

test('what comes together while nobody writes is written together, and each hears of its own', async (t) => {
	const {push, drained, sizes} = open();
	t.deepEqual(await Promise.all([1, 2, 3].map(push)), [1, 2, 3]);
	await drained();
	t.deepEqual(sizes, [3]);
});

test('callers who come again are written in two halves, however they began', async (t) => {
	const {push, sizes} = open();
	const call = async (caller: number): Promise<void> => {
		for (let times = 0; times < 10; times += 1) {
			await push(caller);
			// It is answered, and asks the next thing.
			for (let left = 3; left > 0; left -= 1) await turn();
		}
	};
	const few = [1, 2, 3].map(call);
	await turn();
	await turn();
	await Promise.all([...few, ...Array.from({length: 29}, (_, index) => call(index + 4))]);
	t.is(sizes[0], 3);
	t.true(
		sizes.slice(3, 15).every((size) => size === 16),
		sizes.join(' '),
	);
	t.is(
		sizes.reduce((sum, size) => sum + size, 0),
		320,
	);
});

test('no group is larger than it may be', async (t) => {
	const {push, sizes} = open(4);
	await Promise.all(Array.from({length: 10}, (_, index) => push(index)));
	t.true(sizes.every((size) => size <= 4));
	t.deepEqual(sizes.toSorted().at(-1), 4);
});
