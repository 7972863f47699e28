import {SignalboxClient} from '@signalbox/client-sdk';
import test from 'ava';
import {serve} from './support/script-server.ts';

test('every item of a paged list comes once, in order, in as few pages as it takes', async (t) => {
	const calls = Array.from({length: 250}, (_, number) => ({id: String(number)}));
	const {baseUrl, received} = await serve(t, ({path}) => {
		const query = new URL(path, 'http://localhost').searchParams;
		const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
		return {status: 200, body: {data: calls.slice(offset, offset + limit), total: 250, limit, offset}};
	});
	const client = new SignalboxClient({baseUrl, apiKey: 'k'});
	const ids: string[] = [];
	const filter = {status: 'success'} as const;
	for await (const {id} of client.mcp.calls.iterate({query: filter})) ids.push(id);
	t.deepEqual(
		ids,
		calls.map(({id}) => id),
	);
	t.is(received.length, 3);
	t.true(received.every(({path}) => path.includes('status=success')));
});

test('what a script takes out of the list as it goes hides nothing from it', async (t) => {
	let jobs = Array.from({length: 250}, (_, number) => ({id: String(number)}));
	const {baseUrl} = await serve(t, ({path, method}) => {
		const {pathname, searchParams: query} = new URL(path, 'http://localhost');
		if (method === 'DELETE') {
			jobs = jobs.filter(({id}) => !pathname.endsWith(`/${id}`));
			return {status: 204};
		}
		const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
		return {status: 200, body: {data: jobs.slice(offset, offset + limit), total: jobs.length, limit, offset}};
	});
	const client = new SignalboxClient({baseUrl, apiKey: 'k'});
	let taken = 0;
	for await (const {id} of client.cron.jobs.iterate()) {
		taken += 1;
		if (Number(id) % 3 > 0) await client.cron.jobs.delete({path: {id}});
	}
	t.is(taken, 250);
	t.is(jobs.length, 84);
});

test('pages are asked for only as far as items are taken, and an empty list ends at once', async (t) => {
	const {baseUrl, received} = await serve(t, ({path}) => {
		const total = path.startsWith('/v1/audit') ? 0 : 1000;
		return {
			status: 200,
			body: {data: Array.from({length: Math.min(total, 100)}, () => ({})), total, limit: 100, offset: 0},
		};
	});
	const client = new SignalboxClient({baseUrl, apiKey: 'k'});
	let taken = 0;
	for await (const _event of client.webhook.events.iterate()) if (++taken === 140) break;
	t.is(received.length, 2);
	t.deepEqual(await client.audit.iterate().next(), {done: true, value: undefined});
});

test('a list that pages within something iterates by its own name, with pages as large as it has them', async (t) => {
	const {baseUrl, received} = await serve(t, () => ({status: 200, body: {data: [], total: 0, limit: 1, offset: 0}}));
	const client = new SignalboxClient({baseUrl, apiKey: 'k'});
	for await (const _execution of client.cron.chains.iterateExecutions({path: {id: 'c 1'}})) t.fail();
	for await (const _run of client.cron.jobs.iterateNext({query: {hours: 24}})) t.fail();
	t.deepEqual(
		received.map(({path}) => path),
		['/v1/cron/chains/c%201/executions?limit=100&offset=0', '/v1/cron-jobs/next?hours=24&limit=1000&offset=0'],
	);
});
