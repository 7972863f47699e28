import {paginate, SignalboxClient} from '@signalbox/client-sdk';
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
	for await (const {id} of paginate((page) => client.mcp.calls.list({query: {...filter, ...page}}))) ids.push(id);
	t.deepEqual(
		ids,
		calls.map(({id}) => id),
	);
	t.is(received.length, 3);
	t.true(received.every(({path}) => path.includes('status=success')));
});

test('pages are asked for only as far as items are taken, and an empty list ends at once', async (t) => {
	let pages = 0;
	const list = async ({limit, offset}: {limit: number; offset: number}) => {
		pages += 1;
		return {data: Array.from({length: limit}, (_, index) => offset + index), total: 1000, limit, offset};
	};
	for await (const item of paginate(list, 10)) if (item === 14) break;
	t.is(pages, 2);
	const none = paginate(async () => ({data: [], total: 3, limit: 10, offset: 0}));
	t.deepEqual(await none.next(), {done: true, value: undefined});
});
