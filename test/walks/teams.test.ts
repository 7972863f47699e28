import test from 'ava';
import {type Api, createApi, type Person, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	return {api, owner: await registerPerson(api, 'owner'), other: await registerPerson(api, 'other')};
};

const createTeam = async (api: Api): Promise<string> => (await api.post('/v1/teams', {name: 'Operations'})).body.id;

const join = async (owner: Person, team: string, {email, role = 'member'}: {email: string; role?: string}) =>
	owner.api.post(`/v1/teams/${team}/members`, {email, role});

const createServer = async (api: Api, headers: Record<string, string> = {}) =>
	(await api.post('/v1/mcp/servers', {name: 'tools', target_url: 'http://127.0.0.1:9/mcp'}, headers)).body;

const ids = (reply: {body: {data: {id: string}[]}}) => reply.body.data.map(({id}) => id);

test('[ACC-063 ACC-064 ACC-065] a created team is listed and read by its owner, and is 404 to others', async (t) => {
	const {owner, other} = await start(t);
	const created = await owner.api.post('/v1/teams', {name: 'Operations'});
	t.is(created.status, 201);
	const me = created.body.members.find((member: {user_id: string}) => member.user_id === owner.id);
	t.is(me.role, 'owner');
	t.deepEqual(new Set(ids(await owner.api.get('/v1/teams'))), new Set([owner.team_id, created.body.id]));
	t.is((await owner.api.get(`/v1/teams/${created.body.id}`)).body.name, 'Operations');
	t.is((await other.api.get(`/v1/teams/${created.body.id}`)).status, 404);
	t.deepEqual(ids(await other.api.get('/v1/teams')), [other.team_id]);
});

test('[ACC-066 ACC-067] a team is renamed, and deleted for good', async (t) => {
	const {owner} = await start(t);
	const team = await createTeam(owner.api);
	const renamed = await owner.api.put(`/v1/teams/${team}`, {name: 'Platform'});
	t.is(renamed.status, 200);
	t.is(renamed.body.name, 'Platform');
	t.is((await owner.api.delete(`/v1/teams/${team}`)).status, 204);
	t.is((await owner.api.get(`/v1/teams/${team}`)).status, 404);
});

test('[ACC-068 ACC-069 ACC-072] a member sees the servers of the team until removed', async (t) => {
	const {owner, other} = await start(t);
	const team = await createTeam(owner.api);
	const server = await createServer(owner.api, {'x-team-id': team});
	t.is((await other.api.get(`/v1/mcp/servers/${server.id}`)).status, 404);
	t.is((await join(owner, team, other)).status, 201);
	t.is((await other.api.get(`/v1/mcp/servers/${server.id}`)).status, 200);
	t.deepEqual(ids(await other.api.get('/v1/mcp/servers', {'x-team-id': team})), [server.id]);
	t.is((await owner.api.delete(`/v1/teams/${team}/members/${other.id}`)).status, 204);
	t.is((await other.api.get(`/v1/mcp/servers/${server.id}`)).status, 404);
	t.is((await other.api.get(`/v1/teams/${team}`)).status, 404);
});

test('a member is added by a registered address, once', async (t) => {
	const {owner, other} = await start(t);
	const team = await createTeam(owner.api);
	const unknown = await owner.api.post(`/v1/teams/${team}/members`, {email: 'nobody@example.com', role: 'member'});
	t.is(unknown.status, 404);
	await join(owner, team, other);
	t.is((await join(owner, team, other)).status, 409);
	t.is((await owner.api.delete(`/v1/teams/${team}/members/${owner.id}`)).status, 409);
});

test('[ACC-061 ACC-062 ACC-070] X-Team-Id chooses the team of one call, activate that of all calls', async (t) => {
	const {owner} = await start(t);
	const team = await createTeam(owner.api);
	t.is((await createServer(owner.api)).team_id, owner.team_id);
	t.is((await createServer(owner.api, {'x-team-id': team})).team_id, team);
	t.is((await createServer(owner.api, {'x-team-id': team.toUpperCase()})).team_id, team);
	const activated = await owner.api.post(`/v1/teams/${team}/activate`);
	t.is(activated.status, 200);
	t.is((await owner.api.get('/v1/auth/me')).body.active_team_id, team);
	t.is((await createServer(owner.api)).team_id, team);
});

test('[ACC-071] a role other than owner and member is 400', async (t) => {
	const {owner, other} = await start(t);
	const team = await createTeam(owner.api);
	const reply = await join(owner, team, {email: other.email, role: 'admin'});
	t.is(reply.status, 400);
	t.is(reply.body.error.details[0].path, 'role');
});

test('[ACC-111] only an owner edits a team and its members; a personal team stays', async (t) => {
	const {api, owner, other} = await start(t);
	const third = await registerPerson(api, 'third');
	const team = await createTeam(owner.api);
	await join(owner, team, other);
	t.is((await other.api.put(`/v1/teams/${team}`, {name: 'Mine'})).status, 403);
	t.is((await other.api.delete(`/v1/teams/${team}`)).status, 403);
	t.is((await join(other, team, third)).status, 403);
	t.is((await other.api.delete(`/v1/teams/${team}/members/${owner.id}`)).status, 403);
	const personal = await owner.api.delete(`/v1/teams/${owner.team_id}`);
	t.is(personal.status, 409);
	t.is(personal.body.error.code, 'conflict');
});

test('[ACC-112] X-Team-Id of a team of others is 404, as of one that never existed', async (t) => {
	const {owner, other} = await start(t);
	const team = await createTeam(owner.api);
	const foreign = await other.api.get('/v1/mcp/servers', {'x-team-id': team});
	const unknown = await other.api.get('/v1/mcp/servers', {'x-team-id': '01890000-0000-7000-8000-000000000000'});
	t.is(foreign.status, 404);
	t.deepEqual({...foreign.body.error, request_id: ''}, {...unknown.body.error, request_id: ''});
});
