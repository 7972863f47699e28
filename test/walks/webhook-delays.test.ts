import test, {type ExecutionContext} from 'ava';
import {type Api, createApi, registerPerson} from '../support/api.ts';
import {makeDataDirectory, removeDataDirectory} from '../support/data-directory.ts';
import {listen} from '../support/mcp/listen.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer, type TestServer} from '../support/server.ts';

const minute = 60_000;
/** Of an endpoint each, which gets 250 webhooks. Seconds. */
const delays = [60, 600, 3600, 7200];
const each = 250;

type Arrival = Readonly<{id: string; at: number; sent: number; delay: number}>;

/** A server whose clock is stepped and that is started again, and what its destination got. */
const open = async (t: ExecutionContext) => {
	const directory = await makeDataDirectory('delays');
	let ahead = 0;
	let server: TestServer | undefined;
	const now = () => Date.now() + ahead;
	const arrivals: Arrival[] = [];
	const destination = await listen(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		arrivals.push({id: String(request.headers['webhook-id']), at: now(), ...JSON.parse(chunks.join(''))});
		response.end();
	});
	const start = async (): Promise<string> => {
		server = await startTestServer({env: {DATA_DIR: directory}, ahead});
		return server.baseUrl;
	};
	t.teardown(async () => {
		await server?.close();
		await destination.close();
		await removeDataDirectory(directory);
	});
	return {
		arrivals,
		destination_url: `${destination.origin}/hook`,
		start,
		step: (milliseconds: number) => {
			ahead += milliseconds;
			server?.advance(milliseconds);
		},
		/** Starts it again, with its clock so much further. */
		restart: async (step: number): Promise<string> => {
			await server?.close();
			ahead += step;
			return start();
		},
		send: async (url: string, delay: number): Promise<number> =>
			(await fetch(url, {method: 'POST', body: JSON.stringify({sent: now(), delay})})).status,
	};
};

const addEndpoint = async (api: Api, destination_url: string, seconds: number): Promise<string> => {
	const {id, slug} = (await api.post('/v1/webhook/endpoints', {name: 'Later', destination_url})).body;
	const step = {type: 'delay', name: 'later', config: {seconds}};
	await api.post(`/v1/webhook/endpoints/${id}/middlewares`, step);
	return slug;
};

/** By a key: it lasts whatever the clock says. */
const keyOf = async (origin: string): Promise<Record<string, string>> => {
	const {api} = await registerPerson(createApi(origin));
	return {'x-api-key': (await api.post('/v1/api-keys', {name: 'test'})).body.key};
};

test('[MID-056 MID-059] a thousand delayed webhooks arrive once each and none early, over restarts and steps of the clock', async (t) => {
	const {arrivals, destination_url, start, step, restart, send} = await open(t);
	let origin = await start();
	const key = await keyOf(origin);
	const slugs = await Promise.all(
		[0, ...delays].map((seconds) => addEndpoint(createApi(origin, key), destination_url, seconds)),
	);
	const sendAll = (slug: string, delay: number, times: number) =>
		Promise.all(Array.from({length: times}, () => send(`${origin}/wh/${slug}`, delay)));
	const countOf = async (status: string): Promise<number> =>
		(await createApi(origin, key).get(`/v1/webhook/events?status=${status}&limit=1`)).body.total;
	/** Nothing else arrives: what is not delayed comes after what was due before it. */
	const arriveBy = async (count: number) => {
		await until(() => arrivals.length >= count, `the arrival of ${count}`);
		await until(async () => (await countOf('delivered')) === count, `${count} are delivered`);
		t.is(arrivals.length, count);
	};

	for (const [index, delay] of delays.entries()) {
		const statuses = await sendAll(slugs[index + 1] ?? '', delay, each);
		t.true(statuses.every((status) => status === 202));
	}
	t.is(await countOf('pending'), 4 * each);
	step(minute);
	await arriveBy(each);
	step(-30 * minute);
	await sendAll(slugs[0] ?? '', 0, 1);
	await arriveBy(each + 1);
	step(40 * minute);
	await arriveBy(2 * each + 1);
	origin = await restart(-120 * minute);
	await sendAll(slugs[0] ?? '', 0, 1);
	await arriveBy(2 * each + 2);
	step(170 * minute);
	await arriveBy(3 * each + 2);
	origin = await restart(120 * minute);
	await arriveBy(4 * each + 2);

	t.is(await countOf('pending'), 0);
	t.is(new Set(arrivals.map(({id}) => id)).size, arrivals.length);
	t.deepEqual(
		arrivals.filter(({at, sent, delay}) => at < sent + delay * 1000),
		[],
	);
});
