import {createSecrets, generateKey} from '@signalbox/core/node';
import test from 'ava';
import fc from 'fast-check';
import {createRequestStates, type RequestState, type StateOwner} from '../../src/mcp/request-states.ts';

const [older, newer] = [generateKey('k1'), generateKey('k2')];
const statesUnder = (...keys: ReturnType<typeof generateKey>[]) => createRequestStates(createSecrets({keys}));
const states = statesUnder(newer);

const owner: StateOwner = {
	mcp_server_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a30',
	caller_key: 'user:01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
	tool_name: 'delete_issue',
	arguments_digest: 'fkGqFZ0wWX4Ya0bGk1l0Wl4n1bQ0pWk4t8l2hV9qJ7c',
};

const anyText = fc.string({unit: fc.integer({min: 0, max: 0xffff}).map((unit) => String.fromCharCode(unit))});
const anyState: fc.Arbitrary<RequestState> = fc.record({
	approval_id: fc.uuid(),
	run: fc.nat({max: 999_999_999}),
	upstream_state: fc.option(anyText, {nil: undefined}),
});

const read = (given: unknown, whose = owner) => states.read(() => whose, given);

test('a state reads as it was written, whatever the upstream gave', (t) => {
	fc.assert(fc.property(anyState, (state) => void t.deepEqual(read(states.write(owner, state)), state)));
	t.pass();
});

test('[PRX-081] of a state no character can be changed, left out or added', (t) => {
	const change = fc.record({
		at: fc.nat(),
		to: fc.oneof(fc.string({minLength: 1, maxLength: 1}), fc.constantFrom('', '.', '0', '-', '\ud800', '\ufffd')),
		length: fc.constantFrom(0, 1),
	});
	fc.assert(
		fc.property(anyState, change, (state, {at, to, length}) => {
			const text = states.write(owner, state);
			const place = at % (text.length + 1);
			const altered = text.slice(0, place) + to + text.slice(place + length);
			fc.pre(altered !== text);
			t.is(read(altered), undefined);
		}),
		{numRuns: 1000},
	);
});

test('[PRX-081] every single bit of a state counts', (t) => {
	for (const upstream_state of [undefined, '', 'opaque.é']) {
		const bytes = Buffer.from(states.write(owner, {approval_id: 'a-1', run: 3, upstream_state}));
		for (let bit = 0; bit < bytes.length * 8; bit += 1) {
			const altered = Buffer.from(bytes);
			altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
			t.is(read(altered.toString()), undefined, `bit ${bit}`);
		}
	}
});

test('[PRX-081] another server, caller, tool or other arguments do not own it', (t) => {
	const text = states.write(owner, {approval_id: 'a-1', run: 0, upstream_state: undefined});
	for (const field of Object.keys(owner) as (keyof StateOwner)[])
		t.is(read(text, {...owner, [field]: `${owner[field]}x`}), undefined, field);
	t.is(read(text, {...owner, caller_key: owner.tool_name, tool_name: owner.caller_key}), undefined);
});

test('another run, or the upstream state of another round, needs a signature of its own', (t) => {
	const [first = '', second = ''] = [1, 2].map((run) =>
		states.write(owner, {approval_id: 'a-1', run, upstream_state: `round ${run}`}),
	);
	t.is(read(first.replace('.1.', '.2.')), undefined);
	t.is(read(first.replace('round 1', 'round 2')), undefined);
	t.is(read(second.replace('.round 2', '')), undefined);
});

test('what is no state of ours is told apart without a look at the call', (t) => {
	const nobody = () => t.fail() as never;
	for (const given of [undefined, null, 7, {}, [], '', 'sbx', 'sbx1', 'sbx2.a.0.b', 'e30.e30.c2ln'])
		t.is(states.read(nobody, given), undefined, JSON.stringify(given));
});

test('after a key was added the older states still count, and no longer once their key is gone', (t) => {
	const state = {approval_id: 'a-1', run: 0, upstream_state: undefined};
	const text = statesUnder(older).write(owner, state);
	t.deepEqual(
		statesUnder(newer, older).read(() => owner, text),
		state,
	);
	t.is(
		statesUnder(newer).read(() => owner, text),
		undefined,
	);
	t.deepEqual(
		statesUnder(newer).read(() => owner, statesUnder(newer, older).write(owner, state)),
		state,
	);
});
