import {SignalboxClient} from '@signalbox/client-sdk';
import test from 'ava';
import {type Body, createApi, type Person, registerPerson} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';
import {operationAt} from '../support/openapi/answer-problem.ts';
import {type Operation, operations, schemaAt} from '../support/openapi/document.ts';
import {addResources, type Resources, resourceFor} from '../support/openapi/resources.ts';
import {startTestServer, type TestServer} from '../support/server.ts';

/** Somebody with one of everything. */
type User = Readonly<{person: Person; resources: Resources; client: SignalboxClient}>;

/** Who calls, and the one who is there besides. */
type People = Readonly<{user: User; other: User}>;

type Made = Readonly<{path?: Resources; body?: object; as?: User}>;

/** An event whose delivery failed for good. */
const failedEvent = async ({client, person}: User): Promise<Resources> => {
	const retry_config = {max_retries: 0, intervals: [1]};
	const body = {name: 'Fails', destination_url: 'http://127.0.0.1:9/', retry_config};
	const endpoint = await client.webhook.endpoints.create({body});
	await person.api.post(`/wh/${endpoint.slug}`, {});
	const query = {endpoint_id: endpoint.id, status: 'failed'} as const;
	return until(async () => {
		const [event] = (await client.webhook.events.list({query})).data;
		return event && {id: event.id};
	}, 'a failed delivery');
};

/** Where one of everything and what the document shows do not make a call that succeeds. */
const made: Readonly<Record<string, (people: People) => Made | Promise<Made>>> = {
	'auth.register': () => ({body: {email: 'grace@example.com', password: 'correct horse battery'}}),
	'auth.login': ({user: {person}}) => ({body: {email: person.email, password: person.password}}),
	'auth.refresh': ({user: {person}}) => ({body: {refresh_token: person.refresh_token}}),
	'auth.logout': ({user: {person}}) => ({body: {refresh_token: person.refresh_token}}),
	'auth.changePassword': ({user: {person}}) => ({
		body: {current_password: person.password, new_password: `${person.password}!`},
	}),
	'teams.members.add': ({other}) => ({body: {email: other.person.email, role: 'member'}}),
	'teams.members.remove': ({user, other}) => ({
		path: {id: user.resources.team_id ?? '', user_id: other.person.id},
	}),
	// One approval is decided once.
	'mcp.approvals.reject': ({other}) => ({as: other}),
	'webhook.middlewares.reorder': async ({user: {client, resources}}) => {
		const path = {endpoint_id: resources.endpoint_id ?? ''};
		const {data} = await client.webhook.middlewares.list({path});
		return {body: {middleware_ids: data.map(({id}) => id).reverse()}};
	},
	// What the document shows of a change switches a channel off.
	'notificationChannels.test': async ({user: {client}}) => {
		const {id} = await client.notificationChannels.create({body: {type: 'webhook', url: 'http://127.0.0.1:9/'}});
		return {path: {id}};
	},
	'webhook.events.retry': async ({user}) => ({path: await failedEvent(user)}),
	'cron.chains.create': ({user: {resources}}) => ({
		body: {name: 'Nightly', trigger_type: 'manual', steps: [{cron_job_id: resources.job_id, step_order: 0}]},
	}),
};

const pathOf = (operation: Operation, {resources}: User): Resources =>
	Object.fromEntries(
		operation.parameters
			.filter((each) => each.in === 'path')
			.map(({name}) => [name, resourceFor(operation, resources, name) ?? '']),
	);

const methodOf = (id: string, {client}: User): Body => id.split('.').reduce<Body>((at, name) => at[name], client);

const callWith = async (operation: Operation, people: People): Promise<void> => {
	const {as = people.user, ...own} = (await made[operation.id]?.(people)) ?? {};
	const body = operation.body && schemaAt(operation.body).examples[0];
	await methodOf(operation.id, as)({path: pathOf(operation, as), ...(body && {body}), ...own});
};

const addUser = async (server: TestServer, fetch: typeof globalThis.fetch): Promise<User> => {
	const anyone = createApi(server.baseUrl);
	const person = await registerPerson(anyone, 'sdk');
	const resources = await addResources(server, anyone, person);
	const client = new SignalboxClient({baseUrl: server.baseUrl, tokens: person, fetch, retries: 0});
	return {person, resources, client};
};

/** What deletes comes last, and what is inside of something before it. */
const inOrder: readonly Operation[] = [
	...operations.filter(({method}) => method !== 'DELETE'),
	...operations.filter(({method}) => method === 'DELETE').toReversed(),
];

test('every operation of the document succeeds through the SDK', async (t) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const succeeded = new Set<string | undefined>();
	const observing = async (...[request, init]: Parameters<typeof fetch>): Promise<Response> => {
		const response = await fetch(request, init);
		const {method, url} = request as Request;
		if (response.ok) succeeded.add(operationAt(method, new URL(url).pathname)?.id);
		return response;
	};
	const people = {user: await addUser(server, observing), other: await addUser(server, observing)};
	for (const operation of inOrder) {
		await t.notThrowsAsync(callWith(operation, people), operation.id);
		t.true(succeeded.has(operation.id), operation.id);
	}
	t.is(succeeded.size, operations.length);
});

const isPaged = ({answers}: Operation): boolean => {
	const {properties = {}} = schemaAt(answers.get(200)) ?? {};
	return 'data' in properties && 'total' in properties && 'offset' in properties;
};

/** `audit.list` has `audit.iterate`, and `cron.jobs.next` has `cron.jobs.iterateNext`. */
const iteratorOf = (id: string): string =>
	id.replace(/\.(\w)(\w*)$/, (_whole, first, rest) =>
		first + rest === 'list' ? '.iterate' : `.iterate${first.toUpperCase()}${rest}`,
	);

test('every list that pages iterates through the SDK, over as many items as it counts', async (t) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const user = await addUser(server, fetch);
	const paged = operations.filter(isPaged);
	t.true(paged.length >= 7);
	for (const operation of paged) {
		const options = {path: pathOf(operation, user)};
		const {total} = await methodOf(operation.id, user)(options);
		let items = 0;
		for await (const _item of methodOf(iteratorOf(operation.id), user)(options)) items += 1;
		t.is(items, total, operation.id);
		t.true(total > 0, operation.id);
	}
});
