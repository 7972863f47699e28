import {parseOptions} from '@node-rs/argon2';
import {DomainError} from '@signalbox/core';
import {createPasswordHasher} from '@signalbox/core/node';
import test from 'ava';
import {unmatchableHash} from '../../src/node/password-hasher.ts';
import {createTaskQueue} from '../../src/node/task-queue.ts';

const cheap = {memoryKiB: 64, passes: 1};

test('[ACC-043] a password becomes an argon2id hash of OWASP strength, salted', async (t) => {
	const passwords = createPasswordHasher();
	const hash = await passwords.hash('correct horse');
	t.regex(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
	t.not(hash, await passwords.hash('correct horse'));
	t.true(await passwords.verify('correct horse', hash));
	t.false(await passwords.verify('correct horsf', hash));
});

test('a hash made at another cost still verifies', async (t) => {
	const hash = await createPasswordHasher({memoryKiB: 128, passes: 2}).hash('correct horse');
	t.true(await createPasswordHasher(cheap).verify('correct horse', hash));
});

test('[ACC-016] an unknown address costs exactly the hash that a known one costs', async (t) => {
	const real = parseOptions(await createPasswordHasher(cheap).hash('correct horse'));
	t.deepEqual(parseOptions(unmatchableHash(cheap)), real);
	t.false(await createPasswordHasher(cheap).verify('correct horse', undefined));
});

test('[ACC-016] an unknown address takes a place in the queue like any other', async (t) => {
	const passwords = createPasswordHasher({...cheap, concurrency: 1, queue: 0});
	const unknown = passwords.verify('correct horse', undefined);
	await t.throwsAsync(passwords.hash('correct horse'), {instanceOf: DomainError});
	t.false(await unknown);
	await t.notThrowsAsync(passwords.hash('correct horse'));
});

test('beyond its bound the queue refuses with service_unavailable and a time to wait', async (t) => {
	const passwords = createPasswordHasher({...cheap, concurrency: 2, queue: 3});
	const outcomes = await Promise.allSettled(Array.from({length: 8}, () => passwords.hash('correct horse')));
	const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({reason}) => reason);
	t.is(refused.length, 3);
	t.true(refused.every((error) => error.code === 'service_unavailable' && error.retryAfterSeconds > 0));
});

test('at most `concurrency` tasks run at once, and first come is first served', async (t) => {
	const run = createTaskQueue({concurrency: 2, queue: 10});
	const begun: number[] = [];
	const finish: (() => void)[] = [];
	const task = (index: number) =>
		run(() => {
			begun.push(index);
			return new Promise<void>((resolve) => finish.push(resolve));
		});
	const all = [0, 1, 2, 3, 4].map(task);
	for (let done = 0; done < all.length; done += 1) {
		await new Promise(setImmediate);
		t.true(begun.length - done <= 2);
		finish[done]?.();
	}
	await Promise.all(all);
	t.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('a task that fails gives its place back', async (t) => {
	const run = createTaskQueue({concurrency: 1, queue: 0});
	await t.throwsAsync(
		run(async () => Promise.reject(new Error('no'))),
		{message: 'no'},
	);
	t.is(await run(async () => 'next'), 'next');
});
