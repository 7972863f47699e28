import test, {type ExecutionContext} from 'ava';
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
	data.pop();
	t.is((await run('env', 'set', 'PLAIN', 'hello', '--no-secret')).code, 0);
	t.deepEqual(told.at(-1)?.body, {key: 'PLAIN', value: 'hello', is_secret: false});
});

test('env set refuses to change whether a variable is a secret, says what to do, and asks for no value', async (t) => {
	for (const [is_secret, option, what] of [
		[false, '--secret', 'exists already and is no secret'],
		[true, '--no-secret', 'is a secret already'],
	] as const) {
		const known = {
			data: [
				{...variable, is_secret, team_id: 't'},
				{...variable, is_secret},
			],
		};
		const {run, told, questions} = await open(t, {'GET /v1/environment': known, 'PUT /v1/environment/v1': variable});
		const {code, stderr} = await run('env', 'set', 'TOKEN', option);
		t.is(code, 1);
		t.is(stderr, `TOKEN ${what}, which cannot be changed: remove it with signalbox env rm TOKEN, then set it anew\n`);
		const ofTeam = await run('env', 'set', 'TOKEN', option, '--team', 't');
		t.regex(ofTeam.stderr, /signalbox env rm TOKEN --team t, then/);
		t.deepEqual([questions, told.map(({method}) => method)], [[], ['GET', 'GET']]);
		t.is((await run('env', 'set', 'TOKEN', 'other', is_secret ? '--secret' : '--no-secret')).code, 0);
	}
});

test('env set that wants a secret and none is wrong usage, before anything is asked', async (t) => {
	const {run, told, questions} = await open(t, {});
	t.is((await run('env', 'set', 'TOKEN', '--no-secret', '--secret')).code, 2);
	t.deepEqual([told, questions], [[], []]);
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

test('env set changes nothing when nothing is piped in, or typed', async (t) => {
	for (const isInputTerminal of [false, true]) {
		const {run, told} = await open(t, {'GET /v1/environment': {data: [variable]}}, {isInputTerminal});
		const {code, stderr} = await run('env', 'set', 'TOKEN');
		t.is(code, 1);
		t.is(stderr, "There was no value for TOKEN on the input: '' behind its name sets an empty one.\n");
		t.true(told.every(({method}) => method === 'GET'));
	}
});

test('env rm removes by key', async (t) => {
	const {run, told} = await open(t, {
		'GET /v1/environment': {data: [variable]},
		'DELETE /v1/environment/v1': () => [204, {}],
	});
	t.is((await run('env', 'rm', 'TOKEN')).stdout, 'TOKEN is removed.\n');
	t.is(told.at(-1)?.method, 'DELETE');
	t.is((await run('env', 'rm', 'OTHER')).code, 1);
});

const ofTeam = {...variable, id: 'v0', team_id: 't'};

/** A person whose team has a variable of that key, and who may have one of their own. */
const openBeside = (t: ExecutionContext, ...own: readonly object[]) =>
	open(t, {
		'GET /v1/environment': {data: [ofTeam, ...own]},
		'POST /v1/environment': () => [201, variable],
		...Object.fromEntries(['v0', 'v1'].map((id) => [`PUT /v1/environment/${id}`, variable])),
		...Object.fromEntries(['v0', 'v1'].map((id) => [`DELETE /v1/environment/${id}`, () => [204, {}]])),
	});

test("env list says whose a variable is: the team's, or yours", async (t) => {
	const {run} = await openBeside(t, variable);
	const owners = (await run('env', 'list')).stdout.split('\n').map((line) => line.split(/\s+/)[1]);
	t.deepEqual(owners.slice(0, 3), ['OWNER', 't', 'you']);
});

test("env set and env rm leave the team's variable of the same key alone", async (t) => {
	const {run, told} = await openBeside(t, variable);
	t.is((await run('env', 'set', 'TOKEN', 'x')).code, 0);
	t.like(told.at(-1), {method: 'PUT', path: '/v1/environment/v1'});
	t.is((await run('env', 'rm', 'TOKEN')).code, 0);
	t.like(told.at(-1), {method: 'DELETE', path: '/v1/environment/v1'});
});

test("beside a team's variable env set makes your own, and env rm has none to remove", async (t) => {
	const {run, told} = await openBeside(t);
	t.is((await run('env', 'set', 'TOKEN', 'x')).code, 0);
	t.like(told.at(-1), {method: 'POST', body: {key: 'TOKEN', value: 'x'}});
	const {code, stderr} = await run('env', 'rm', 'TOKEN');
	t.deepEqual([code, stderr], [1, 'There is no environment variable TOKEN of your own (resource_not_found)\n']);
	t.is(told.at(-1)?.method, 'GET');
});

test("with --team env set and env rm mean the team's variable", async (t) => {
	const {run, told} = await openBeside(t, variable);
	t.is((await run('env', 'set', 'TOKEN', 'x', '--team', 't')).code, 0);
	t.like(told.at(-1), {method: 'PUT', path: '/v1/environment/v0'});
	t.is((await run('env', 'rm', 'TOKEN', '--team', 't')).code, 0);
	t.like(told.at(-1), {method: 'DELETE', path: '/v1/environment/v0'});
	t.is((await run('env', 'set', 'OTHER', 'x', '--team', 't')).code, 0);
	t.like(told.at(-1), {method: 'POST', body: {key: 'OTHER', value: 'x', team_id: 't'}});
	t.is((await run('env', 'rm', 'OTHER', '--team', 't')).code, 1);
});
