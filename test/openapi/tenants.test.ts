import test, {type ExecutionContext} from 'ava';
import {type Api, bearer, createApi, type Person, type Reply, registerPerson} from '../support/api.ts';
import {answerProblem} from '../support/openapi/answer-problem.ts';
import {type Operation, operations, schemaAt} from '../support/openapi/document.ts';
import {addResources, pathTo, type Resources, resourceFor} from '../support/openapi/resources.ts';
import {startTestServer} from '../support/server.ts';

const absentId = '01890000-0000-7000-8000-000000000000';
const secured = operations.filter(({needsCredentials}) => needsCredentials);

/** Somebody with one of everything. */
type Tenant = Readonly<{person: Person; resources: Resources}>;

const exampleOf = ({body}: Operation): object | undefined =>
	body === undefined ? undefined : (schemaAt(body).examples?.[0] ?? {});

type Sent = Readonly<{path: string; body?: object | undefined; headers?: Record<string, string>}>;

const send = async (api: Api, {method}: Operation, {path, body, headers}: Sent): Promise<Reply> => {
	if (method === 'GET') return api.get(path, headers);
	if (method === 'DELETE') return api.delete(path, headers);
	return (method === 'POST' ? api.post : api.put)(path, body, headers);
};

/** Moves by itself: names of requests, ends of periods, when a key was used and an agent heard. */
const moving = /"(request_id|to|last_used_at)":("[^"]*"|null)|"status":"(online|offline)"/g;

/** What an answer says. */
const saying = ({status, text}: Reply): string => `${status} ${text.replaceAll(moving, '')}`;

/** All that a tenant sees, as it stands. */
const everythingOf = async ({person, resources}: Tenant): Promise<readonly string[]> => {
	const reads = secured.filter(({method}) => method === 'GET');
	const answers = await Promise.all(reads.map((each) => person.api.get(pathTo(each, resources))));
	return answers.map(saying);
};

const addTenant = async (server: Awaited<ReturnType<typeof startTestServer>>, name: string): Promise<Tenant> => {
	const anyone = createApi(server.baseUrl);
	const person = await registerPerson(anyone, name);
	return {person, resources: await addResources(server, anyone, person)};
};

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const anyone = createApi(server.baseUrl);
	const early = await registerPerson(anyone, 'early');
	server.advance(3_600_000);
	const [ours, theirs] = [await addTenant(server, 'ours'), await addTenant(server, 'theirs')];
	return {server, anyone, early, ours, theirs};
};

test('without valid credentials every operation is 401, whatever it names, and nothing changes', async (t) => {
	const {anyone, early, ours} = await start(t);
	const {id, key} = (await ours.person.api.post('/v1/api-keys', {name: 'gone'})).body;
	t.is((await ours.person.api.delete(`/v1/api-keys/${id}`)).status, 204);
	const credentials: Readonly<Record<string, Record<string, string>>> = {
		none: {},
		'an expired token': bearer(early.access_token),
		'a refresh token': bearer(ours.person.refresh_token),
		'a revoked key': {'x-api-key': key},
		'a key as a token': bearer(key),
		'a cut token': bearer(ours.person.access_token.slice(0, -2)),
	};
	const before = await everythingOf(ours);
	for (const operation of secured) {
		for (const [name, headers] of Object.entries(credentials)) {
			const sent = {path: pathTo(operation, ours.resources), body: exampleOf(operation)};
			const answer = await send(anyone.with(headers), operation, sent);
			t.is(answer.status, 401, `${operation.id} with ${name}: ${answer.text}`);
			t.is(problemIn(operation, answer), undefined);
		}
	}
	t.deepEqual(await everythingOf(ours), before);
});

const problemIn = (operation: Operation, {status, text, headers}: Reply): string | undefined =>
	answerProblem(operation, {status, text, contentType: headers.get('content-type')});

/** Each way to put other ids in the place of one's own: in each place of the path alone, and in all. */
const choicesOf = ({path}: Operation): readonly (readonly string[])[] => {
	const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
	return names.length < 2 ? names.map((name) => [name]) : [...names.map((name) => [name]), names];
};

const foreignIds = (operation: Operation, names: readonly string[], {resources}: Tenant): Resources =>
	Object.fromEntries(names.map((name) => [name, resourceFor(operation, resources, name) ?? '']));

/** A person is no secret to another one who adds it to a team. */
const mayBeKnown = (operation: Operation, names: readonly string[]): boolean =>
	operation.id.startsWith('teams.members.') && names.includes('user_id');

test('[HTTP-043] what another tenant owns answers like what never was, wherever a path names it, and is not touched', async (t) => {
	const {ours, theirs} = await start(t);
	const before = await everythingOf(theirs);
	let compared = 0;
	for (const operation of secured) {
		for (const names of choicesOf(operation).filter((each) => !mayBeKnown(operation, each))) {
			const at = (ids: Resources) => ({path: pathTo(operation, ours.resources, ids), body: exampleOf(operation)});
			const absent = Object.fromEntries(names.map((name) => [name, absentId]));
			const unknown = await send(ours.person.api, operation, at(absent));
			const foreign = await send(ours.person.api, operation, at(foreignIds(operation, names, theirs)));
			t.is(foreign.status, 404, `${operation.id} ${names}: ${foreign.text}`);
			t.is(saying(foreign), saying(unknown), `${operation.id} ${names}`);
			compared += 1;
		}
	}
	t.log(`${compared} places`);
	t.deepEqual(await everythingOf(theirs), before);
});

/** Names of parameters and fields that hold the id of a resource. */
const namesIds = (name: string): boolean => /_ids?$/.test(name);

test('an id of another tenant in a query selects what an id that never was selects', async (t) => {
	const {ours, theirs} = await start(t);
	for (const operation of secured) {
		for (const {name} of operation.parameters.filter((each) => each.in === 'query' && namesIds(each.name))) {
			const at = (id: string) => ({path: `${pathTo(operation, ours.resources)}?${name}=${id}`});
			const foreign = await send(ours.person.api, operation, at(theirs.resources[name] ?? ''));
			t.is(saying(foreign), saying(await send(ours.person.api, operation, at(absentId))), `${operation.id} ${name}`);
		}
	}
});

const withId = (operation: Operation, name: string, id: string): object => ({
	...exampleOf(operation),
	[name]: name.endsWith('s') ? [id] : id,
});

test('an id of another tenant in a body is taken as one that never was', async (t) => {
	const {ours, theirs} = await start(t);
	let compared = 0;
	for (const operation of secured) {
		const fields = Object.keys(operation.body === undefined ? {} : (schemaAt(operation.body).properties ?? {}));
		for (const name of fields.filter((each) => namesIds(each) && each !== 'user_id')) {
			const theirId = theirs.resources[name.replace(/s$/, '')];
			t.truthy(theirId, `${operation.id} takes ${name}: add it to the resources`);
			const at = (id: string) => ({path: pathTo(operation, ours.resources), body: withId(operation, name, id)});
			const foreign = await send(ours.person.api, operation, at(theirId ?? ''));
			const unknown = await send(ours.person.api, operation, at(absentId));
			t.is(saying(foreign).replaceAll(theirId ?? '', absentId), saying(unknown), `${operation.id} ${name}`);
			compared += 1;
		}
	}
	t.log(`${compared} fields`);
});

test('the team of others is answered like a team that never was, whatever the operation', async (t) => {
	const {ours, theirs} = await start(t);
	const before = await everythingOf(theirs);
	for (const operation of secured.filter(({parameters}) => parameters.some(({name}) => name === 'X-Team-Id'))) {
		const at = (team: string) => ({
			path: pathTo(operation, ours.resources),
			body: exampleOf(operation),
			headers: {'x-team-id': team},
		});
		const unknown = await send(ours.person.api, operation, at(absentId));
		const foreign = await send(ours.person.api, operation, at(theirs.resources.team_id ?? ''));
		t.true(foreign.status >= 400 && foreign.status < 500, `${operation.id}: ${foreign.text}`);
		t.is(saying(foreign), saying(unknown), operation.id);
	}
	t.deepEqual(await everythingOf(theirs), before);
});
