import test, {type ExecutionContext} from 'ava';
import {badDestinations} from '../scenarios/webhook/bad-destinations.ts';
import {createApi, registerPerson} from '../support/api.ts';
import {listen} from '../support/mcp/listen.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

const toEach = 15;

const open = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(() => server.close());
	const {api} = await registerPerson(createApi(server.baseUrl));
	const count = async (id: string, status: string): Promise<number> =>
		(await api.get(`/v1/webhook/events?endpoint_id=${id}&status=${status}`)).body.total;
	return {
		server,
		isHealthy: async () => (await fetch(`${server.baseUrl}/healthz`)).ok,
		addEndpoint: async (destination_url: string) => {
			const fields = {name: destination_url, destination_url, retry_config: {max_retries: 0, intervals: [1]}};
			const {id, slug} = (await api.post('/v1/webhook/endpoints', fields)).body;
			return {
				count: (status: string) => count(id, status),
				accept: async (times: number) => {
					for (let sent = 0; sent < times; sent += 1)
						t.is((await fetch(`${server.baseUrl}/wh/${slug}`, {method: 'POST', body: '{"a":1}'})).status, 202);
				},
			};
		},
	};
};

test('[WHK-075] whatever destinations do, another one gets all its webhooks meanwhile, and only a 2xx delivers', async (t) => {
	const {server, addEndpoint, isHealthy} = await open(t);
	const bad: Readonly<{what: string; status: string; count(status: string): Promise<number>}>[] = [];
	for (const {what, status, listener} of badDestinations) {
		const destination = await listen(listener);
		t.teardown(() => destination.close());
		const endpoint = await addEndpoint(`${destination.origin}/hook`);
		await endpoint.accept(toEach);
		bad.push({what, status, count: endpoint.count});
	}
	let arrived = 0;
	const good = await listen((_request, response) => {
		arrived += 1;
		response.end();
	});
	t.teardown(() => good.close());
	const endpoint = await addEndpoint(good.origin);
	await endpoint.accept(60);
	await until(async () => (await endpoint.count('delivered')) === 60, 'all are delivered');
	t.is(arrived, 60);
	for (const {what, status, count} of bad) {
		await until(async () => (await count(status)) === toEach, `what goes to one that ${what} is ${status}`);
	}
	t.true(await isHealthy());
	t.deepEqual(
		server.logs().filter((line) => JSON.parse(line).level >= 50),
		[],
	);
});
