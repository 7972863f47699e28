import test from 'ava';
import {sendMutatedRequests} from '../support/openapi/mutated-requests.ts';

test('whatever is sent to an operation, the answer is one that the document names, and never a 5xx', async (t) => {
	const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31));
	const {problems, operations, requests} = await sendMutatedRequests(12, seed);
	t.log(`${requests} requests to ${operations} operations, seed ${seed}`);
	t.deepEqual(problems, [], `SEED=${seed} sends the same again`);
});
