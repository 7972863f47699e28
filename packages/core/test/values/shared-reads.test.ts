import test from 'ava';
import {shareReads} from '../../src/values/shared-reads.ts';

/** A read whose answers the test gives, in the order of the questions. */
const manualRead = () => {
	const asked: {key: string; answer: PromiseWithResolvers<number>}[] = [];
	const read = (key: string) => {
		const answer = Promise.withResolvers<number>();
		asked.push({key, answer});
		return answer.promise;
	};
	return {asked, read: shareReads(read)};
};

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('who asks while a read runs shares the next one, which begins after they asked', async (t) => {
	const {asked, read} = manualRead();
	const first = read('a');
	const [second, third] = [read('a'), read('a')];
	t.is(asked.length, 1);
	asked[0]?.answer.resolve(1);
	t.is(await first, 1);
	await turn();
	t.is(asked.length, 2);
	const fourth = read('a');
	asked[1]?.answer.resolve(2);
	t.deepEqual(await Promise.all([second, third]), [2, 2]);
	await turn();
	asked[2]?.answer.resolve(3);
	t.is(await fourth, 3);
	t.is(asked.length, 3);
});

test('nothing is remembered, and one key does not wait for another', async (t) => {
	const {asked, read} = manualRead();
	const [a, b] = [read('a'), read('b')];
	t.deepEqual(
		asked.map(({key}) => key),
		['a', 'b'],
	);
	for (const {answer} of asked) answer.resolve(1);
	await Promise.all([a, b]);
	await turn();
	void read('a');
	t.is(asked.length, 3);
});

test('a read that fails fails those who share it, and no later one', async (t) => {
	const {asked, read} = manualRead();
	const [first, second] = [read('a'), read('a')];
	asked[0]?.answer.reject(new Error('disk full'));
	await t.throwsAsync(first, {message: 'disk full'});
	await turn();
	asked[1]?.answer.resolve(2);
	t.is(await second, 2);
});
