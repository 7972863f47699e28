import test from 'ava';
import {Agent, request} from 'undici';
import {type Body, bearer, createApi, registerPerson} from '../support/api.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {startTestServer} from '../support/server.ts';

type Context = {teardown(end: () => Promise<void>): void};

const path = '/v1/mcp/approvals';
const unknownId = '01890000-0000-7000-8000-000000000000';

const start = async (t: Context, config: object = {}) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	const approval_config = {enabled: true, trust_level: 'moderate', ...config};
	const settings = {name: 'tools', target_url: upstream.url, approval_config};
	const mcp = (await me.api.post('/v1/mcp/servers', settings)).body;
	const send = async (message: Body, headers: Record<string, string> = {}) =>
		api.post(`/p/${mcp.slug}`, message, {accept: 'application/json', ...headers});
	return {server, upstream, api, me, other, mine: me.api, theirs: other.api, mcp, send};
};

type Walk = Awaited<ReturnType<typeof start>>;

const pending = async (walk: Walk): Promise<Body[]> => (await walk.mine.get(path)).body.data;

/** Waits for the next approval that the list shows; the call that it holds is still on its way. */
const untilPending = async (walk: Walk, count = 1): Promise<Body[]> => {
	for (;;) {
		const found = await pending(walk);
		if (found.length >= count) return found;
		await new Promise((next) => setImmediate(next));
	}
};

const hold = async (walk: Walk, name = 'delete_item', args: object = {id: 7}) => {
	const answer = walk.send(toolCall(name, args));
	const [approval] = await untilPending(walk);
	return {answer, approval};
};

test('[APR-036 APR-037 APR-038] a held call is an approval with every field, its tool and its arguments', async (t) => {
	const walk = await start(t);
	const {answer, approval} = await hold(walk, 'delete_item', {id: 7, deep: {list: [1, 'two']}});
	const fields =
		'id mcp_server_id user_id tool_name request_body status decided_by decision_note decided_at expires_at';
	for (const field of fields.split(' ')) t.true(field in approval, field);
	t.is(approval.mcp_server_id, walk.mcp.id);
	t.is(approval.tool_name, 'delete_item');
	t.deepEqual(approval.request_body, {id: 7, deep: {list: [1, 'two']}});
	await walk.mine.post(`${path}/${approval.id}/reject`, {});
	await answer;
});

test('[APR-041 APR-044 APR-071] approve answers 200 with the approved record, and the call runs once', async (t) => {
	const walk = await start(t);
	const {answer, approval} = await hold(walk);
	t.is((await pending(walk)).length, 1);
	t.is(walk.upstream.received.length, 0);
	const reply = await walk.mine.post(`${path}/${approval.id}/approve`, {note: 'go ahead'});
	t.is(reply.status, 200);
	t.is(reply.body.status, 'approved');
	t.is((await answer).body.result.content[0].text, 'ran delete_item');
	t.is(walk.upstream.received.length, 1);
});

test('[APR-045 APR-046] approve sets the decider, the moment and the note, which may be left out', async (t) => {
	const walk = await start(t);
	const noted = await hold(walk);
	const first = await walk.mine.post(`${path}/${noted.approval.id}/approve`, {note: 'go ahead'});
	t.like(first.body, {decided_by: walk.me.id, decision_note: 'go ahead'});
	t.regex(first.body.decided_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
	await noted.answer;
	const plain = await hold(walk);
	const second = await walk.mine.post(`${path}/${plain.approval.id}/approve`);
	t.is(second.status, 200);
	t.is(second.body.decision_note, null);
	await plain.answer;
});

test('[APR-048 APR-051 APR-072] reject answers the rejected record; the upstream never hears of the call', async (t) => {
	const walk = await start(t);
	const {answer, approval} = await hold(walk);
	const reply = await walk.mine.post(`${path}/${approval.id}/reject`, {note: 'not that one'});
	t.is(reply.status, 200);
	t.is(reply.body.status, 'rejected');
	const told = (await answer).body;
	t.true(told.result.isError);
	t.true(told.result.content[0].text.includes('not that one'));
	t.like(told.result._meta['signalbox/approval'], {id: approval.id, status: 'rejected'});
	t.is(walk.upstream.received.length, 0);
});

test('[APR-049 APR-050] reject sets the decider, the moment and the note, which may be left out', async (t) => {
	const walk = await start(t);
	const noted = await hold(walk);
	const first = await walk.mine.post(`${path}/${noted.approval.id}/reject`, {note: 'no'});
	t.like(first.body, {decided_by: walk.me.id, decision_note: 'no'});
	t.truthy(first.body.decided_at);
	await noted.answer;
	const plain = await hold(walk);
	const second = await walk.mine.post(`${path}/${plain.approval.id}/reject`, {});
	t.is(second.status, 200);
	t.is(second.body.decision_note, null);
	await plain.answer;
});

for (const first of ['approve', 'reject'] as const) {
	const ids = first === 'approve' ? 'APR-053 APR-054' : 'APR-055 APR-056';
	test(`[${ids} HTTP-032] after ${first} a second decision is 409 and changes nothing`, async (t) => {
		const walk = await start(t);
		const {answer, approval} = await hold(walk);
		const decided = await walk.mine.post(`${path}/${approval.id}/${first}`, {note: 'first'});
		for (const second of ['approve', 'reject']) {
			const reply = await walk.mine.post(`${path}/${approval.id}/${second}`, {note: 'second'});
			t.is(reply.status, 409);
			t.is(reply.body.error.code, 'conflict');
		}
		t.deepEqual((await walk.mine.get(`${path}/${approval.id}`)).body.decision_note, 'first');
		t.is((await walk.mine.get(`${path}/${approval.id}`)).body.status, decided.body.status);
		await answer;
	});
}

test('[APR-052 APR-057 APR-058] an undecided approval expires by itself; then approve and reject are 409', async (t) => {
	const walk = await start(t, {ttl_seconds: 60});
	const {answer, approval} = await hold(walk);
	await walk.server.advance(61_000);
	const told = (await answer).body;
	t.true(told.result.isError);
	t.is(told.result._meta['signalbox/approval'].status, 'expired');
	t.is((await walk.mine.get(`${path}/${approval.id}`)).body.status, 'expired');
	for (const act of ['approve', 'reject']) {
		t.is((await walk.mine.post(`${path}/${approval.id}/${act}`, {})).status, 409, act);
	}
	t.is(walk.upstream.received.length, 0);
});

test('[APR-042 APR-043] expires_at is creation plus ttl_seconds, 300 when none is set', async (t) => {
	for (const [config, seconds] of [
		[{}, 300],
		[{ttl_seconds: 42}, 42],
	] as const) {
		const walk = await start(t, config);
		const {answer, approval} = await hold(walk);
		t.is(Date.parse(approval.expires_at) - Date.parse(approval.created_at), seconds * 1000);
		await walk.mine.post(`${path}/${approval.id}/reject`, {});
		await answer;
	}
});

test('[APR-061 APR-062 APR-067] the list is of pending ones by default, without those past their time', async (t) => {
	const walk = await start(t, {ttl_seconds: 60});
	const {answer} = await hold(walk);
	t.is((await walk.mine.get(path)).body.data[0].status, 'pending');
	await walk.server.advance(60_001);
	t.deepEqual((await walk.mine.get(path)).body, {data: []});
	t.is((await walk.mine.get(`${path}?status=waiting`)).status, 400);
	await answer;
});

test('[APR-063 APR-064 APR-065] the list filters by status', async (t) => {
	const walk = await start(t);
	const one = await hold(walk);
	await walk.mine.post(`${path}/${one.approval.id}/approve`, {});
	await one.answer;
	const two = await hold(walk);
	await walk.mine.post(`${path}/${two.approval.id}/reject`, {});
	await two.answer;
	const three = await hold(walk);
	const ids = async (status: string) =>
		(await walk.mine.get(`${path}?status=${status}`)).body.data.map(({id}: Body) => id);
	t.deepEqual(await ids('approved'), [one.approval.id]);
	t.deepEqual(await ids('rejected'), [two.approval.id]);
	t.deepEqual(await ids('pending'), [three.approval.id]);
	await walk.mine.post(`${path}/${three.approval.id}/reject`, {});
	await three.answer;
});

test('[APR-066] status expired lists what ran out of time', async (t) => {
	const walk = await start(t, {ttl_seconds: 60});
	const {answer, approval} = await hold(walk);
	await walk.server.advance(61_000);
	await answer;
	const {data} = (await walk.mine.get(`${path}?status=expired`)).body;
	t.deepEqual(
		data.map(({id, status}: Body) => [id, status]),
		[[approval.id, 'expired']],
	);
});

test("[APR-068 APR-069 ACC-073] the list shows the own approvals and those on the team's servers, no others", async (t) => {
	const walk = await start(t);
	const team = (await walk.mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const settings = {name: 'shared', target_url: walk.upstream.url, approval_config: {enabled: true}};
	const shared = (await walk.mine.post('/v1/mcp/servers', settings, {'x-team-id': team})).body;
	const answer = walk.api.post(`/p/${shared.slug}`, toolCall('get_item'), {accept: 'application/json'});
	const [approval] = await untilPending(walk);
	t.is(approval.user_id, walk.me.id);
	t.deepEqual((await walk.theirs.get(path)).body.data, []);
	t.is((await walk.theirs.get(`${path}/${approval.id}`)).status, 404);
	await walk.mine.post(`/v1/teams/${team}/members`, {email: walk.other.email, role: 'member'});
	t.is((await walk.theirs.get(path, {'x-team-id': team})).body.data[0].id, approval.id);
	t.deepEqual((await walk.theirs.get(path)).body.data, []);
	t.is((await walk.theirs.post(`${path}/${approval.id}/approve`, {})).status, 200);
	await answer;
});

test('[APR-070 APR-074 APR-075] get answers one with full details; others and unknown ids are 404', async (t) => {
	const walk = await start(t);
	const {answer, approval} = await hold(walk);
	t.deepEqual((await walk.mine.get(`${path}/${approval.id}`)).body, approval);
	t.is((await walk.mine.get(`${path}/${unknownId}`)).status, 404);
	for (const act of ['approve', 'reject']) {
		t.is((await walk.mine.post(`${path}/${unknownId}/${act}`, {})).status, 404, act);
		t.is((await walk.theirs.post(`${path}/${approval.id}/${act}`, {})).status, 404, act);
	}
	t.is((await pending(walk)).length, 1);
	await walk.mine.post(`${path}/${approval.id}/reject`, {});
	await answer;
});

test("[APR-039 APR-040] an approval belongs to whose credentials made the call, else to the server's creator", async (t) => {
	const walk = await start(t);
	const team = (await walk.mine.post('/v1/teams', {name: 'Operations'})).body.id;
	await walk.mine.post(`/v1/teams/${team}/members`, {email: walk.other.email, role: 'member'});
	const settings = {name: 'shared', target_url: walk.upstream.url, approval_config: {enabled: true}};
	const shared = (await walk.mine.post('/v1/mcp/servers', settings, {'x-team-id': team})).body;
	const {key} = (await walk.theirs.post('/v1/api-keys', {name: 'agent', scopes: ['proxy']})).body;
	const call = async (headers: Record<string, string>) =>
		walk.api.post(`/p/${shared.slug}`, toolCall('get_item'), {accept: 'application/json', ...headers});
	const list = async (): Promise<Body[]> => (await walk.mine.get(path, {'x-team-id': team})).body.data;
	const answers = [call({'x-api-key': key}), call({})];
	let found: Body[] = [];
	while (found.length < 2) found = await list();
	t.deepEqual(found.map(({user_id}) => user_id).sort(), [walk.me.id, walk.other.id].sort());
	for (const {id} of found) await walk.mine.post(`${path}/${id}/reject`, {});
	await Promise.all(answers);
});

test('[APR-076] the very key that made the call cannot decide it, nor can a key without the scope', async (t) => {
	const walk = await start(t);
	const make = async (scopes: string[]) => (await walk.mine.post('/v1/api-keys', {name: 'k', scopes})).body.key;
	const [caller, plain, approver] = [
		await make(['api', 'proxy', 'approvals']),
		await make(['api']),
		await make(['api', 'approvals']),
	];
	const answer = walk.send(toolCall('delete_item'), {'x-api-key': caller});
	const [approval] = await untilPending(walk);
	for (const act of ['approve', 'reject']) {
		for (const key of [caller, plain]) {
			const reply = await walk.api.post(`${path}/${approval.id}/${act}`, {}, {'x-api-key': key});
			t.is(reply.status, 403, act);
			t.is(reply.body.error.code, 'forbidden');
		}
	}
	t.is((await walk.api.post(`${path}/${approval.id}/approve`, {}, {'x-api-key': approver})).status, 200);
	t.is((await answer).status, 200);
	t.is(walk.upstream.received.length, 1);
});

test('1,000 concurrent decisions on one approval: one winner, 999 conflicts, one execution', async (t) => {
	const walk = await start(t);
	const {answer, approval} = await hold(walk);
	// Of 1,000 connections at once the last may wait for longer than the ten seconds of fetch, on a machine that does more.
	const dispatcher = new Agent({connect: {timeout: 120_000}});
	t.teardown(() => dispatcher.close());
	const headers = {...bearer(walk.me.access_token), 'content-type': 'application/json'};
	const decide = async (_: unknown, index: number) => {
		const url = `${walk.server.baseUrl}${path}/${approval.id}/${index % 2 === 0 ? 'approve' : 'reject'}`;
		const {statusCode, body} = await request(url, {dispatcher, method: 'POST', headers, body: '{}'});
		await body.dump();
		return statusCode;
	};
	const statuses = await Promise.all(Array.from({length: 1000}, decide));
	t.is(statuses.filter((status) => status === 200).length, 1);
	t.is(statuses.filter((status) => status === 409).length, 999);
	const {result} = (await answer).body;
	const executed = (await walk.mine.get(`${path}/${approval.id}`)).body.status === 'approved';
	t.is(walk.upstream.received.length, executed ? 1 : 0);
	t.is(result.isError === true, !executed);
});
