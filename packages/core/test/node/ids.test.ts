import {createIds} from '@signalbox/core/node';
import test from 'ava';

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDv7 of the current time', (t) => {
	const before = Date.now();
	const id = createIds().next();
	t.regex(id, version7);
	const milliseconds = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
	t.true(milliseconds >= before && milliseconds <= Date.now() + 1);
});

test('ids rise strictly, also when many are made in one millisecond', (t) => {
	const ids = createIds();
	const made = Array.from({length: 50_000}, ids.next);
	t.true(made.every((id, index) => index === 0 || id > (made[index - 1] ?? '')));
	t.true(made.every((id) => version7.test(id)));
});
