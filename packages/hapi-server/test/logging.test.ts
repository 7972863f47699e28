import {DomainError} from '@signalbox/core';
import {createLogger} from '@signalbox/hapi-server';
import test from 'ava';

const open = () => {
	const lines: string[] = [];
	const log = createLogger('trace', {write: (line) => void lines.push(line)});
	return {log, told: () => lines.map((line) => JSON.parse(line))};
};

const outage = (message: string) => new DomainError('service_unavailable', {cause: new Error(message)});

test('why the service is unavailable is in the log once, without a stack, whatever failed by it and however often', (t) => {
	const {log, told} = open();
	for (let number = 0; number < 100; number += 1) {
		log.error({err: outage('SQLITE_FULL: database or disk is full'), task: 'approvals'}, 'due work failed');
		log.error({err: outage('SQLITE_FULL: database or disk is full')}, 'a webhook was not accepted');
	}
	const [line] = told();
	t.is(told().length, 1);
	t.is(line.msg, 'the service is unavailable');
	t.deepEqual(line.err, {
		type: 'DomainError',
		message: 'Not available now: try again soon.',
		cause: 'SQLITE_FULL: database or disk is full',
	});
});

test('another reason is told, too, and the first cause of each; reasons that always differ are bounded', (t) => {
	const {log, told} = open();
	log.error({err: new DomainError('service_unavailable', {message: 'Too many webhooks come in at once.'})}, 'busy');
	log.error(
		{err: new DomainError('service_unavailable', {cause: outage('SQLITE_IOERR: disk I/O error')})},
		'not ready',
	);
	t.deepEqual(
		told().map(({err}) => err.cause ?? err.message),
		['Too many webhooks come in at once.', 'SQLITE_IOERR: disk I/O error'],
	);
	for (let number = 0; number < 100; number += 1) log.error({err: outage(`reason ${number}`)}, 'due work failed');
	t.is(told().length, 5);
});

test('every other error is told each time, with its stack', (t) => {
	const {log, told} = open();
	const errors = [new Error('a mistake of ours'), new DomainError('bad_gateway')];
	for (const err of [...errors, ...errors]) log.error({err, task: 'approvals'}, 'due work failed');
	t.is(told().length, 4);
	for (const {msg, task, err} of told()) {
		t.deepEqual([msg, task], ['due work failed', 'approvals']);
		t.regex(err.stack, /\n\s+at /);
	}
});
