import test, {type ExecutionContext} from 'ava';
import {type Api, type Body, bearer, createApi, registerPerson} from '../support/api.ts';
import {type Frame, listenTo} from '../support/live-stream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer, type TestServer} from '../support/server.ts';

const startTwo = async (t: ExecutionContext) => {
	const one = await startTestServer();
	t.teardown(one.close);
	const other = await startTestServer({env: {DATA_DIR: one.dataDir}});
	t.teardown(other.close);
	return [one, other] as const;
};

const open = async (t: ExecutionContext, {baseUrl}: TestServer, headers: Record<string, string>) => {
	const stream = await listenTo({url: `${baseUrl}/v1/stream`, headers});
	t.teardown(stream.end);
	return stream;
};

/** What comes in there is written down, and goes nowhere. */
const addEndpoint = async (api: Api): Promise<Body> => {
	const endpoint = (await api.post('/v1/webhook/endpoints', {name: 'In', destination_url: 'http://127.0.0.1:9/'})).body;
	const blocking = {field: 'method', operator: 'exists'};
	await api.post(`/v1/webhook/endpoints/${endpoint.id}/middlewares`, {type: 'filter', name: 'f', config: blocking});
	return endpoint;
};

const sendTo = async ({baseUrl}: TestServer, {slug}: Body): Promise<string> => {
	const answer = await fetch(`${baseUrl}/wh/${slug}`, {method: 'POST', body: '{}'});
	return ((await answer.json()) as Body).event_id;
};

/** Sends so many webhooks, to both servers in turn, a few at once. @returns the ids of their events. */
const sendMany = async (servers: readonly [TestServer, TestServer], endpoint: Body, count: number) => {
	const ids: string[] = [];
	const send = async (): Promise<void> => {
		while (count > 0) {
			count -= 1;
			ids.push(await sendTo(servers[count % 2 === 0 ? 0 : 1], endpoint));
		}
	};
	await Promise.all(Array.from({length: 10}, send));
	return ids;
};

test('of 1,000 events none is missed or doubled, and all come in order, over 20 cuts and two processes; nobody hears of another team', async (t) => {
	const servers = await startTwo(t);
	const anyone = createApi(servers[0].baseUrl);
	const [me, other] = [await registerPerson(anyone, 'me'), await registerPerson(anyone, 'other')];
	const [endpoint, theirs] = [await addEndpoint(me.api), await addEndpoint(other.api)];
	const stranger = await open(t, servers[1], bearer(other.access_token));
	await stranger.frame('open');
	const seen: Frame[] = [];
	let connections = 0;
	const connect = async (enough: number): Promise<void> => {
		const last = seen.at(-1)?.id;
		const server = servers[connections % 2 === 0 ? 0 : 1];
		connections += 1;
		const isFirst = last === undefined;
		let taken = 0;
		const {ended} = await listenTo({
			url: `${server.baseUrl}/v1/stream`,
			headers: {...bearer(me.access_token), ...(last !== undefined && {'last-event-id': String(last)})},
			take: (frame) => {
				if (frame.event === 'webhook.event') taken += 1;
				if (frame.event !== 'open' || seen.length === 0) seen.push(frame);
				return taken === enough || isFirst;
			},
		});
		await ended;
	};
	await connect(1);
	const sending = sendMany(servers, endpoint, 1000);
	for (let cut = 0; cut < 20; cut += 1) await connect(45);
	while (seen.length <= 1000) await connect(1001 - seen.length);
	const sent = await sending;
	const [opened, ...events] = seen;
	t.is(opened?.event, 'open');
	t.true(connections >= 21);
	t.is(events.length, 1000);
	t.deepEqual(events.map(({data}) => data.data.id).sort(), sent.toSorted());
	const numbers = seen.map(({id}) => id);
	t.deepEqual(
		numbers,
		[...new Set(numbers)].sort((a, b) => a - b),
	);
	const own = await sendTo(servers[0], theirs);
	await stranger.frame('webhook.event', ({data}) => data.id === own);
	t.deepEqual(
		stranger.frames.map(({event}) => event),
		['open', 'webhook.event'],
	);
});

const startOne = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const me = await registerPerson(createApi(server.baseUrl), 'me');
	return {server, me, mine: me.api, headers: bearer(me.access_token)};
};

test('one user has at most 20 streams, of which one that is closed makes room', async (t) => {
	const {server, headers, me} = await startOne(t);
	const streams = await Promise.all(Array.from({length: 20}, () => open(t, server, headers)));
	const refused = await me.api.get('/v1/stream');
	t.is(refused.status, 429);
	t.is(refused.body.error.code, 'rate_limited');
	t.regex(refused.body.error.message, /20 streams/);
	t.truthy(refused.headers.get('retry-after'));
	await streams[0]?.end();
	const again = await until(async () => {
		const stream = await open(t, server, headers);
		return stream.response.ok && stream;
	}, 'room');
	await again.frame('open');
});

test('a stream ends with its access token, with its key, and for who leaves the team; a key for tools alone opens none', async (t) => {
	const {server, me, mine, headers} = await startOne(t);
	const addKey = async (scopes?: readonly string[]) => (await mine.post('/v1/api-keys', {name: 'k', scopes})).body;
	const [key, tools] = [await addKey(), await addKey(['proxy'])];
	t.is((await open(t, server, {'x-api-key': tools.key})).response.status, 403);
	const friend = await registerPerson(createApi(server.baseUrl), 'friend');
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body;
	await mine.post(`/v1/teams/${team.id}/members`, {email: friend.email, role: 'member'});
	const ofTeam = {'x-team-id': team.id};
	const endpoint = await addEndpoint(mine.with(ofTeam));
	const friends = await open(t, server, {...bearer(friend.access_token), ...ofTeam});
	const keys = await open(t, server, {'x-api-key': key.key, ...ofTeam});
	const own = await open(t, server, {...headers, ...ofTeam});
	for (const stream of [friends, keys, own]) await stream.frame('open');
	const first = await sendTo(server, endpoint);
	for (const stream of [friends, keys, own]) await stream.frame('webhook.event', ({data}) => data.id === first);
	await mine.delete(`/v1/teams/${team.id}/members/${friend.id}`);
	await mine.delete(`/v1/api-keys/${key.id}`);
	server.advance(5000);
	const second = await sendTo(server, endpoint);
	await Promise.all([friends.ended, keys.ended]);
	await own.frame('webhook.event', ({data}) => data.id === second);
	for (const {frames} of [friends, keys])
		t.deepEqual(
			frames.map(({event, data}) => data.data?.id ?? event),
			['open', first],
		);
	server.advance(15 * 60_000);
	await own.ended;
	t.is((await open(t, server, headers)).response.status, 401);
	t.is(me.team_id === team.id, false);
});

test('streams end with the server', async (t) => {
	const {server, mine, headers} = await startOne(t);
	const endpoint = await addEndpoint(mine);
	const stream = await open(t, server, headers);
	await stream.frame('open');
	await sendTo(server, endpoint);
	await stream.frame('webhook.event');
	const begun = performance.now();
	await server.composition.stop();
	await stream.ended;
	t.true(performance.now() - begun < 8000, 'nothing had to be cut off');
});
