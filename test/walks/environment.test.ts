import test from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	return {api, me, other, mine: me.api, theirs: other.api};
};

const path = '/v1/environment';
const unknownId = '01890000-0000-7000-8000-000000000000';

test('[ENV-001 ENV-002 ENV-007] creating a variable answers 201 with its metadata and no value', async (t) => {
	const {me, mine} = await start(t);
	const request = {
		key: 'API_TOKEN',
		value: 'hunter2-hunter2',
		scope: 'mcp',
		is_secret: false,
		description: 'for tools',
	};
	const reply = await mine.post(path, request);
	t.is(reply.status, 201);
	for (const field of ['id', 'user_id', 'key', 'is_secret', 'scope', 'description']) t.true(field in reply.body, field);
	t.false('value' in reply.body);
	t.is(reply.body.user_id, me.id);
	t.like(reply.body, {key: 'API_TOKEN', scope: 'mcp', is_secret: false, description: 'for tools'});
});

test('[ENV-003] a variable of a team names its team', async (t) => {
	const {mine} = await start(t);
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const reply = await mine.post(path, {key: 'A', value: 'v', team_id: team});
	t.is(reply.body.team_id, team);
	t.false('team_id' in (await mine.post(path, {key: 'A', value: 'v'})).body);
});

test('[ENV-004 ENV-006] no answer holds the value, whatever is_secret says', async (t) => {
	const {mine} = await start(t);
	for (const is_secret of [true, false]) {
		const key = `K_${is_secret}`;
		const [first, second] = [`first-value-${is_secret}`, `second-value-${is_secret}`];
		const created = await mine.post(path, {key, value: first, is_secret});
		const url = `${path}/${created.body.id}`;
		const answers = [created, await mine.get(path), await mine.get(url), await mine.put(url, {value: second})];
		for (const answer of [...answers, await mine.get(url)]) {
			t.true(answer.status < 300);
			t.false(answer.text.includes(first));
			t.false(answer.text.includes(second));
		}
	}
});

test('[ENV-008 ENV-009 ENV-010] key, value and a known scope are needed: 400 names the field', async (t) => {
	const {mine} = await start(t);
	const cases = [
		['key', {value: 'v'}],
		['value', {key: 'K'}],
		['scope', {key: 'K', value: 'v', scope: 'proxy'}],
		['key', {key: '', value: 'v'}],
		['value', {key: 'K', value: 7}],
	] as const;
	for (const [field, body] of cases) {
		const reply = await mine.post(path, body);
		t.is(reply.status, 400, field);
		t.is(reply.body.error.details[0].path, field);
	}
	t.deepEqual((await mine.get(path)).body.data, []);
});

test('[ENV-011 ENV-012] a key is unique within its user: 409, but free for another user', async (t) => {
	const {mine, theirs} = await start(t);
	t.is((await mine.post(path, {key: 'K', value: 'v'})).status, 201);
	const again = await mine.post(path, {key: 'K', value: 'w'});
	t.is(again.status, 409);
	t.is(again.body.error.code, 'resource_exists');
	t.is((await mine.post(path, {key: 'k', value: 'other case is another key'})).status, 201);
	t.is((await theirs.post(path, {key: 'K', value: 'v'})).status, 201);
});

test('[ENV-013 ENV-014 ENV-015] is_secret defaults to true, scope to all, and no description is needed', async (t) => {
	const {mine} = await start(t);
	const reply = await mine.post(path, {key: 'K', value: 'v'});
	t.is(reply.status, 201);
	t.like(reply.body, {is_secret: true, scope: 'all'});
});

test("[ENV-016 ENV-017] list and get answer the caller's variables and nobody else's", async (t) => {
	const {mine, theirs} = await start(t);
	const {id} = (await mine.post(path, {key: 'MINE', value: 'v'})).body;
	await theirs.post(path, {key: 'THEIRS', value: 'v'});
	const keys = (await mine.get(path)).body.data.map(({key}: {key: string}) => key);
	t.deepEqual(keys, ['MINE']);
	t.is((await mine.get(`${path}/${id}`)).body.key, 'MINE');
});

test('[ENV-018 ENV-019 ENV-021] update changes value, description and scope; never the key, never to a wrong scope', async (t) => {
	const {mine} = await start(t);
	const {id} = (await mine.post(path, {key: 'K', value: 'v'})).body;
	const url = `${path}/${id}`;
	const updated = await mine.put(url, {value: 'w', description: 'new', scope: 'cron'});
	t.is(updated.status, 200);
	t.like(updated.body, {description: 'new', scope: 'cron', key: 'K'});
	const renamed = await mine.put(url, {key: 'OTHER'});
	t.is(renamed.status, 400);
	t.is(renamed.body.error.details[0].path, 'key');
	t.is((await mine.put(url, {scope: 'everything'})).status, 400);
	t.like((await mine.get(url)).body, {key: 'K', scope: 'cron'});
});

test('[ENV-022] a deleted variable is gone', async (t) => {
	const {mine} = await start(t);
	const {id} = (await mine.post(path, {key: 'K', value: 'v'})).body;
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.is((await mine.get(`${path}/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${id}`)).status, 404);
});

test('[ENV-024] every endpoint wants credentials', async (t) => {
	const {api} = await start(t);
	const replies = [
		await api.get(path),
		await api.post(path, {key: 'K', value: 'v'}),
		await api.get(`${path}/${unknownId}`),
		await api.put(`${path}/${unknownId}`, {}),
		await api.delete(`${path}/${unknownId}`),
	];
	t.deepEqual(
		replies.map(({status}) => status),
		[401, 401, 401, 401, 401],
	);
});

test('[ENV-025 ENV-026 HTTP-043] a variable of another user is the same 404 as one that never existed', async (t) => {
	const {mine, theirs} = await start(t);
	const {id} = (await mine.post(path, {key: 'K', value: 'v'})).body;
	const same = (body: {error: object}) => ({...body.error, request_id: ''});
	for (const act of ['get', 'put', 'delete'] as const) {
		const attempt = async (target: string) =>
			act === 'put' ? theirs.put(`${path}/${target}`, {value: 'w'}) : theirs[act](`${path}/${target}`);
		const [foreign, unknown] = [await attempt(id), await attempt(unknownId)];
		t.is(foreign.status, 404, act);
		t.is(unknown.status, 404, act);
		t.deepEqual(same(foreign.body), same(unknown.body));
	}
	t.is((await mine.get(`${path}/${id}`)).status, 200);
});

test('[ENV-040 ENV-041] keys are letters, digits and underscores, at most 128, not beginning with a digit', async (t) => {
	const {mine} = await start(t);
	for (const key of ['1A', 'A-B', 'A.B', 'A B', 'Ä', 'a'.repeat(129)]) {
		t.is((await mine.post(path, {key, value: 'v'})).status, 400, key);
	}
	for (const key of ['_', 'a1', 'A_b_9', 'a'.repeat(128)]) {
		t.is((await mine.post(path, {key, value: 'v'})).status, 201, key);
	}
});

test('[ENV-042] a value may have 64 KiB in UTF-8, not a byte more', async (t) => {
	const {mine} = await start(t);
	const limit = 64 * 1024;
	t.is((await mine.post(path, {key: 'A', value: 'x'.repeat(limit)})).status, 201);
	t.is((await mine.post(path, {key: 'B', value: 'x'.repeat(limit + 1)})).status, 400);
	t.is((await mine.post(path, {key: 'C', value: 'é'.repeat(limit / 2)})).status, 201);
	t.is((await mine.post(path, {key: 'D', value: 'é'.repeat(limit / 2 + 1)})).status, 400);
});

test('a member reads the metadata of a team variable, and nobody outside the team does', async (t) => {
	const {me, other, mine, theirs} = await start(t);
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const {id} = (await mine.post(path, {key: 'SHARED', value: 'v', team_id: team})).body;
	t.is((await theirs.get(`${path}/${id}`)).status, 404);
	t.is((await theirs.post(path, {key: 'MORE', value: 'v', team_id: team})).status, 404);
	await mine.post(`/v1/teams/${team}/members`, {email: other.email, role: 'member'});
	t.is((await theirs.get(`${path}/${id}`)).body.key, 'SHARED');
	t.is((await theirs.get(`${path}/${id}`)).body.user_id, me.id);
});
