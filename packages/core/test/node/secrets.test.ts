import {createHash, createHmac} from 'node:crypto';
import {createSecrets, generateKey} from '@signalbox/core/node';
import test from 'ava';

const older = generateKey('older');
const newer = generateKey('newer');

test('random text has the strength asked for and never repeats', (t) => {
	const {random} = createSecrets({keys: [newer]});
	t.is(Buffer.from(random(32), 'base64url').length, 32);
	t.regex(random(32), /^[A-Za-z0-9_-]{43}$/);
	t.is(new Set(Array.from({length: 1000}, () => random(16))).size, 1000);
});

test('digest is SHA-256 in base64url', (t) => {
	const {digest} = createSecrets({keys: [newer]});
	const expected = createHash('sha256').update('abc').digest('base64url');
	t.is(digest('abc'), expected);
	t.is(digest(new TextEncoder().encode('abc')), expected);
});

test('derive answers one text per key, newest first, the same for the same input', (t) => {
	const both = createSecrets({keys: [newer, older]});
	const [fromNewer, fromOlder] = both.derive('input');
	t.deepEqual(createSecrets({keys: [older]}).derive('input'), [fromOlder ?? '']);
	t.deepEqual(createSecrets({keys: [newer]}).derive('input'), [fromNewer ?? '']);
	t.notDeepEqual(both.derive('another'), both.derive('input'));
});

test('derive does not use the key of the ring as it stands', (t) => {
	const direct = createHmac('sha256', newer.key).update('input').digest('base64url');
	t.notDeepEqual(createSecrets({keys: [newer]}).derive('input'), [direct]);
});

test('equal compares texts of any length', (t) => {
	const {equal} = createSecrets({keys: [newer]});
	t.true(equal('same', 'same'));
	t.false(equal('same', 'sama'));
	t.false(equal('same', 'same but longer'));
	t.false(equal('', 'x'));
});

test('an empty ring is refused', (t) => {
	t.throws(() => createSecrets({keys: []}), {message: /at least one key/});
});
