import {type Answer, DomainError} from '@signalbox/core';
import {createCipher, generateKey} from '@signalbox/core/node';
import {addCaller, createTestPorts} from '@signalbox/core/testing';
import test from 'ava';
import {createIdempotency} from '../../src/accounts/idempotency.ts';

const open = async () => {
	const {ports, clock} = createTestPorts();
	const caller = await addCaller(ports);
	let runs = 0;
	const work = async (): Promise<Answer> => {
		runs += 1;
		return {status: 201, body: {run: runs}};
	};
	return {ports, clock, caller, work, ...createIdempotency(ports), runs: () => runs};
};

const conflict = {code: 'conflict'};

test('the same key and request are answered the first result', async (t) => {
	const {once, caller, work, runs} = await open();
	const first = await once(caller, {key: 'key', request: 'request'}, work);
	t.deepEqual(await once(caller, {key: 'key', request: 'request'}, work), first);
	t.deepEqual(first, {status: 201, body: {run: 1}});
	t.is(runs(), 1);
});

test('an answer without a body is kept too', async (t) => {
	const {once, caller} = await open();
	const work = async () => ({status: 204, body: undefined});
	await once(caller, {key: 'key', request: 'request'}, work);
	t.deepEqual(await once(caller, {key: 'key', request: 'request'}, work), {status: 204, body: undefined});
});

test('the key with another request is a conflict', async (t) => {
	const {once, caller, work, runs} = await open();
	await once(caller, {key: 'key', request: 'request'}, work);
	await t.throwsAsync(once(caller, {key: 'key', request: 'another'}, work), conflict);
	t.is(runs(), 1);
});

test('of parallel requests one runs, and the others are told so', async (t) => {
	const {once, caller, work, runs} = await open();
	const outcomes = await Promise.allSettled(
		Array.from({length: 5}, () => once(caller, {key: 'key', request: 'request'}, work)),
	);
	t.is(outcomes.filter(({status}) => status === 'fulfilled').length, 1);
	t.is(runs(), 1);
});

test('who repeats a request that still runs is told when to come back, and who brings another one is not', async (t) => {
	const {once, caller, work} = await open();
	const finish = Promise.withResolvers<Answer>();
	const first = once(caller, {key: 'key', request: 'request'}, () => finish.promise);
	const refusalOf = (request: string) =>
		t.throwsAsync<DomainError>(once(caller, {key: 'key', request}, work), conflict);
	t.is((await refusalOf('request'))?.retryAfterSeconds, 1);
	t.is((await refusalOf('another'))?.retryAfterSeconds, undefined);
	finish.resolve({status: 201, body: {}});
	await first;
});

test('[HTTP-092 ACC-114] what a session was answered is not repeated to an API key, nor from one key to another', async (t) => {
	const {once, caller, work, runs} = await open();
	const keyed = (id: string) => ({...caller, credential: {kind: 'api_key', id, scopes: ['api']} as const});
	await once(caller, {key: 'key', request: 'request'}, work);
	await t.throwsAsync(once(keyed('one'), {key: 'key', request: 'request'}, work), conflict);
	await once(keyed('one'), {key: 'another key', request: 'request'}, work);
	t.deepEqual(await once(keyed('one'), {key: 'another key', request: 'request'}, work), {status: 201, body: {run: 2}});
	await t.throwsAsync(once(keyed('two'), {key: 'another key', request: 'request'}, work), conflict);
	t.is(runs(), 2);
});

test('keys of two users have nothing to do with each other', async (t) => {
	const {once, ports, caller, work, runs} = await open();
	const other = await addCaller(ports);
	await once(caller, {key: 'key', request: 'request'}, work);
	await once(other, {key: 'key', request: 'another'}, work);
	t.is(runs(), 2);
});

test('a key is free again after 24 hours', async (t) => {
	const {once, clock, caller, work, runs} = await open();
	await once(caller, {key: 'key', request: 'request'}, work);
	await clock.advance(24 * 3600 * 1000);
	await once(caller, {key: 'key', request: 'another'}, work);
	t.is(runs(), 2);
});

test('a refusal gives the key back', async (t) => {
	const {once, caller, work} = await open();
	const refuse = async () => Promise.reject(new DomainError('plan_limit_reached'));
	await t.throwsAsync(once(caller, {key: 'key', request: 'request'}, refuse), {code: 'plan_limit_reached'});
	await t.notThrowsAsync(once(caller, {key: 'key', request: 'request'}, work));
});

for (const error of [new Error('broken'), new DomainError('service_unavailable'), new DomainError('bad_gateway')]) {
	test(`${error.message} may have done something: it is not done again`, async (t) => {
		const {once, caller, work, runs} = await open();
		await t.throwsAsync(
			once(caller, {key: 'key', request: 'request'}, async () => Promise.reject(error)),
			{is: error},
		);
		await t.throwsAsync(once(caller, {key: 'key', request: 'request'}, work), conflict);
		t.is(runs(), 0);
	});
}

for (const key of ['', 'x'.repeat(256), 'a\nb', 'ключ']) {
	test(`the key ${JSON.stringify(key).slice(0, 20)} is refused`, async (t) => {
		const {once, caller, work} = await open();
		await t.throwsAsync(once(caller, {key, request: 'request'}, work), {code: 'validation_error'});
	});
}

test('answers are stored sealed', async (t) => {
	const {once, ports, caller} = await open();
	await once(caller, {key: 'key', request: 'request'}, async () => ({status: 201, body: {key: 'sbx_secret'}}));
	const stored = await ports.idempotency.begin(caller.user_id, 'key', ports.secrets.digest('session\nrequest'));
	t.is(stored.state, 'done');
	t.false(JSON.stringify(stored).includes('sbx_secret'));
});

test('an answer whose master key is gone is a conflict, not a failure', async (t) => {
	const {once, ports, caller, work} = await open();
	await once(caller, {key: 'key', request: 'request'}, work);
	const other = createIdempotency({...ports, cipher: createCipher({keys: [generateKey('other')]})});
	await t.throwsAsync(other.once(caller, {key: 'key', request: 'request'}, work), conflict);
});
