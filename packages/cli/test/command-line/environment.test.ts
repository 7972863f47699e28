import test from 'ava';
import {open, variable} from './scripted-api.ts';

test('env set creates or updates, and asks for the value', async (t) => {
	const data: unknown[] = [];
	const {run, told, questions} = await open(
		t,
		{
			'GET /v1/environment': () => ({data}),
			'POST /v1/environment': () => [201, variable],
			'PUT /v1/environment/v1': variable,
		},
		{answers: ['s3cret']},
	);
	t.is((await run('env', 'set', 'TOKEN', '--secret', '--scope', 'cron')).stdout, 'TOKEN is set.\n');
	t.deepEqual(told.at(-1)?.body, {key: 'TOKEN', value: 's3cret', is_secret: true, scope: 'cron'});
	t.deepEqual(questions, [['TOKEN: ', true]]);
	data.push(variable);
	t.is((await run('env', 'set', 'TOKEN', 'other')).code, 0);
	t.like(told.at(-1), {method: 'PUT', body: {value: 'other'}});
	data.splice(0, 1, {...variable, is_secret: false});
	t.is((await run('env', 'set', 'TOKEN', 'other', '--secret')).code, 2);
});

test('env set keeps every line that is piped in, and asks nothing', async (t) => {
	for (const [input, value] of [
		['a\nb\n', 'a\nb'],
		['a\r\nb\r\n', 'a\r\nb'],
		['a\n\n', 'a\n'],
		['a', 'a'],
		['\n', ''],
	]) {
		const {run, told, questions} = await open(
			t,
			{'GET /v1/environment': {data: []}, 'POST /v1/environment': () => [201, variable]},
			{isInputTerminal: false, readInput: async () => input ?? ''},
		);
		t.is((await run('env', 'set', 'KEY')).code, 0);
		t.deepEqual([told.at(-1)?.body, questions], [{key: 'KEY', value}, []]);
	}
});

test('env set changes nothing when nothing is piped in', async (t) => {
	const {run, told} = await open(t, {'GET /v1/environment': {data: [variable]}}, {isInputTerminal: false});
	const {code, stderr} = await run('env', 'set', 'TOKEN');
	t.deepEqual([code, stderr], [1, 'There was no value for TOKEN on the input.\n']);
	t.deepEqual(told, []);
});

test('env rm removes by key', async (t) => {
	const {run, told} = await open(t, {
		'GET /v1/environment': {data: [variable]},
		'DELETE /v1/environment/v1': () => [204, {}],
	});
	t.is((await run('env', 'rm', 'TOKEN')).stdout, 'TOKEN is removed.\n');
	t.is(told.at(-1)?.method, 'DELETE');
	t.is((await run('env', 'rm', 'OTHER')).code, 2);
});
