import test, {type ExecutionContext} from 'ava';
import {type Api, bearer, createApi, type Person, type Reply, registerPerson} from '../support/api.ts';
import {type Operation, operations, streams} from '../support/openapi/document.ts';
import {type IdPlace, type PlacedRequest, placesIn, requestWith, resourceAt} from '../support/openapi/id-places.ts';
import {addResources, pathTo, type Resources} from '../support/openapi/resources.ts';
import {startTestServer} from '../support/server.ts';

const absentId = '01890000-0000-7000-8000-000000000000';
const secured = operations.filter(({needsCredentials}) => needsCredentials);

/** Somebody with one of everything. */
type Tenant = Readonly<{person: Person; resources: Resources}>;

type Sent = PlacedRequest & Readonly<{headers?: Record<string, string>}>;

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

/** Whose ids a request names. */
const idsOf = (operation: Operation, places: readonly IdPlace[], resources: Resources | undefined) =>
	new Map(
		places.map(
			(place) => [place, resources === undefined ? absentId : resourceAt(operation, place, resources)] as const,
		),
	);

test('without valid credentials every operation is the same 401, whosever ids it names, and nothing changes', async (t) => {
	const {anyone, early, ours, theirs} = await start(t);
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
	const before = [await everythingOf(ours), await everythingOf(theirs)];
	let sent = 0;
	for (const operation of [...secured, ...streams]) {
		const requests = [ours.resources, theirs.resources, undefined].map((whose) =>
			requestWith(operation, ours.resources, idsOf(operation, placesIn(operation), whose)),
		);
		for (const [name, headers] of Object.entries(credentials)) {
			const answers = await Promise.all(requests.map((each) => send(anyone.with(headers), operation, each)));
			for (const answer of answers) t.is(answer.status, 401, `${operation.id} with ${name}: ${answer.text}`);
			t.is(new Set(answers.map(saying)).size, 1, `${operation.id} with ${name}`);
			sent += answers.length;
		}
	}
	t.log(`${sent} requests`);
	t.deepEqual([await everythingOf(ours), await everythingOf(theirs)], before);
});

/** Each way to put other ids in the place of one's own: in each place alone, and in all of the path. */
const choicesOf = (operation: Operation): readonly (readonly IdPlace[])[] => {
	const places = placesIn(operation);
	const inPath = places.filter(({where}) => where === 'path');
	return [...places.map((place) => [place]), ...(inPath.length < 2 ? [] : [inPath])];
};

/** A person is no secret to another one who adds it to a team. */
const mayBeKnown = (operation: Operation, places: readonly IdPlace[]): boolean =>
	operation.id.startsWith('teams.members.') && places.some(({at}) => at[0] === 'user_id');

/** An answer may say the id that it was asked for. */
const withoutIds = (answer: Reply, ids: ReadonlyMap<IdPlace, string>): string =>
	[...ids.values()].reduce((text, id) => text.replaceAll(id, 'id'), saying(answer));

test('[HTTP-043] what another tenant owns answers like what never was, wherever a path, a query or a body names it, and is not touched', async (t) => {
	const {ours, theirs} = await start(t);
	const before = await everythingOf(theirs);
	const compared = {path: 0, query: 0, body: 0};
	for (const operation of secured) {
		for (const places of choicesOf(operation).filter((each) => !mayBeKnown(operation, each))) {
			const [where, name] = [places[0]?.where ?? 'path', `${operation.id} ${places.map(({at}) => at.join('.'))}`];
			const said = async (whose: Resources | undefined) => {
				const ids = idsOf(operation, places, whose);
				const answer = await send(ours.person.api, operation, requestWith(operation, ours.resources, ids));
				if (where === 'path') t.is(answer.status, 404, `${name}: ${answer.text}`);
				return withoutIds(answer, ids);
			};
			t.is(await said(theirs.resources), await said(undefined), name);
			compared[where] += 1;
		}
	}
	t.log(JSON.stringify(compared));
	t.deepEqual(await everythingOf(theirs), before);
});

test('the team of others is answered like a team that never was, whatever the operation', async (t) => {
	const {ours, theirs} = await start(t);
	const before = await everythingOf(theirs);
	for (const operation of secured.filter(({parameters}) => parameters.some(({name}) => name === 'X-Team-Id'))) {
		const at = (team: string) => ({
			...requestWith(operation, ours.resources, new Map()),
			headers: {'x-team-id': team},
		});
		const unknown = await send(ours.person.api, operation, at(absentId));
		const foreign = await send(ours.person.api, operation, at(theirs.resources.team_id ?? ''));
		t.true(foreign.status >= 400 && foreign.status < 500, `${operation.id}: ${foreign.text}`);
		t.is(saying(foreign), saying(unknown), operation.id);
	}
	t.deepEqual(await everythingOf(theirs), before);
});
