import {buildSealed} from '../builders/environment.ts';
import type {Contract} from './contract.ts';
import {parallel, tally} from './world.ts';

const day = 24 * 3600;

const answerOf = (kid = 'k1') => ({status: 201, body: buildSealed({kid})});

export const idempotency: Contract = {
	subject: 'idempotency',
	cases: {
		'the first request with a key is fresh, a second one finds it running, later ones its answer': async (t, world) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			const answer = answerOf();
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'request'), {state: 'fresh'});
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'request'), {state: 'running'});
			await stores.idempotency.complete(user_id, 'key', answer);
			for (let repeat = 0; repeat < 2; repeat += 1) {
				t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'request'), {state: 'done', answer});
			}
		},
		'of parallel requests with one key exactly one is fresh': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const answers = await parallel(50, () => stores.idempotency.begin(user_id, 'key', 'request'));
			t.deepEqual(tally(answers.map((answer) => answer.state)), {fresh: 1, running: 49});
		},
		'another request with the key is a mismatch, while the first runs and after it': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			await stores.idempotency.begin(user_id, 'key', 'request');
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'other'), {state: 'mismatch'});
			await stores.idempotency.complete(user_id, 'key', answerOf());
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'other'), {state: 'mismatch'});
		},
		'a claim that was given back can be taken again, by any request': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			await stores.idempotency.begin(user_id, 'key', 'request');
			await stores.idempotency.forget(user_id, 'key');
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'other'), {state: 'fresh'});
		},
		'a claim that was answered is not given back any more': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const answer = answerOf();
			await stores.idempotency.begin(user_id, 'key', 'request');
			await stores.idempotency.complete(user_id, 'key', answer);
			await stores.idempotency.forget(user_id, 'key');
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'request'), {state: 'done', answer});
		},
		'keys are per user: another one neither meets, completes nor gives back a claim': async (
			t,
			{stores, addTenant},
		) => {
			const [{user_id}, other] = [await addTenant(), await addTenant()];
			await stores.idempotency.begin(user_id, 'key', 'request');
			await stores.idempotency.complete(other.user_id, 'key', answerOf());
			await stores.idempotency.forget(other.user_id, 'key');
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'request'), {state: 'running'});
			t.deepEqual(await stores.idempotency.begin(other.user_id, 'key', 'other'), {state: 'fresh'});
		},
		'keys and requests that differ in case or a trailing blank are different': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			for (const key of ['key', 'KEY', 'key ', ' key']) {
				t.deepEqual(await stores.idempotency.begin(user_id, key, 'request'), {state: 'fresh'});
			}
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'REQUEST'), {state: 'mismatch'});
		},
		'an answer is kept for 24 hours by the clock of the store': async (t, {stores, addTenant, advance}) => {
			const {user_id} = await addTenant();
			const answer = answerOf();
			await stores.idempotency.begin(user_id, 'key', 'request');
			await stores.idempotency.complete(user_id, 'key', answer);
			await advance(day - 60);
			t.deepEqual(await stores.idempotency.begin(user_id, 'key', 'request'), {state: 'done', answer});
			await advance(120);
			const answers = await parallel(10, () => stores.idempotency.begin(user_id, 'key', 'other'));
			t.deepEqual(tally(answers.map((again) => again.state)), {fresh: 1, running: 9});
		},
		'purge drops what has expired, and counts it': async (t, {stores, addTenant, advance}) => {
			const {user_id} = await addTenant();
			for (const key of ['a', 'b']) await stores.idempotency.begin(user_id, key, 'request');
			await stores.idempotency.complete(user_id, 'a', answerOf());
			await advance(day - 3600);
			await stores.idempotency.begin(user_id, 'c', 'request');
			t.is(await stores.idempotency.purge(), 0);
			await advance(7200);
			t.is(await stores.idempotency.purge(), 2);
			t.is(await stores.idempotency.purge(), 0);
			t.deepEqual(await stores.idempotency.begin(user_id, 'c', 'request'), {state: 'running'});
		},
		'purge with a key id drops the answers that another key seals, and leaves running requests': async (t, world) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			for (const key of ['old', 'new', 'running']) await stores.idempotency.begin(user_id, key, 'request');
			const answer = answerOf('k2');
			await stores.idempotency.complete(user_id, 'old', answerOf('k1'));
			await stores.idempotency.complete(user_id, 'new', answer);
			t.is(await stores.idempotency.purge('k2'), 1);
			t.deepEqual(await stores.idempotency.begin(user_id, 'old', 'request'), {state: 'fresh'});
			t.deepEqual(await stores.idempotency.begin(user_id, 'new', 'request'), {state: 'done', answer});
			t.deepEqual(await stores.idempotency.begin(user_id, 'running', 'request'), {state: 'running'});
		},
	},
};
