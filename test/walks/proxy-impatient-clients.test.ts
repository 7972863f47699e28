import test, {type ExecutionContext} from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {type OfficialClient, officialClients} from '../support/mcp/official-clients.ts';
import {startTicketsServer} from '../support/mcp/tickets-server.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

/** The clients' own timers are the subject, so they are real. A call that is to get its answer has time without end. */
const impatient = 3_000;
const patient = 100_000;

/** What clients do about progress. The first one comes after two seconds, the next ten seconds later. */
const handlings = {
	'no progress handling': {},
	'progress handling': {onprogress: () => {}},
	'progress that resets its timeout': {onprogress: () => {}, resetTimeoutOnProgress: true},
};

type Handling = (typeof handlings)[keyof typeof handlings];

const start = async (t: ExecutionContext, connect: (url: string) => Promise<OfficialClient>, handling: Handling) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const {api} = await registerPerson(createApi(server.baseUrl));
	const upstream = await startTicketsServer();
	t.teardown(upstream.close);
	const approval_config = {enabled: true, trust_level: 'strict'};
	const {slug} = (await api.post('/v1/mcp/servers', {name: 'tools', target_url: upstream.url, approval_config})).body;
	const client = await connect(`${server.proxyUrl}/p/${slug}`);
	t.teardown(client.close);
	return {
		api,
		upstream,
		/** The text of the result, or that the client gave up. */
		call: async (id: string, timeout: number): Promise<string> => {
			try {
				const {content} = await client.callTool('delete_item', {id}, {timeout, ...handling});
				return content[0]?.text ?? '';
			} catch (error) {
				if (/timed out/i.test(String(error))) return 'gave up';
				throw error;
			}
		},
		pending: async (): Promise<readonly Body[]> => (await api.get('/v1/mcp/approvals')).body.data,
		/** How many of the calls are over, on our side too. */
		ended: async (): Promise<number> => (await api.get('/v1/mcp/calls?tool_name=delete_item')).body.data.length,
		executions: () => upstream.executions('delete_item'),
	};
};

type Walk = Awaited<ReturnType<typeof start>>;

const approve = async (t: ExecutionContext, {api}: Walk, {id}: Body): Promise<void> => {
	t.is((await api.post(`/v1/mcp/approvals/${id}/approve`, {})).status, 200);
};

for (const {name, connect} of officialClients) {
	for (const [title, handling] of Object.entries(handlings)) {
		test(`[PRX-094 PRX-096 PRX-098] ${name}, ${title}: who gave up gets the result by an identical call, once`, async (t) => {
			const walk = await start(t, connect, handling);
			t.is(await walk.call('7', impatient), 'gave up');
			await until(async () => (await walk.ended()) === 1, 'the end of a call whose client left');
			const [left, ...others] = await walk.pending();
			t.like(left, {caller_waiting: false});
			t.deepEqual(others, []);
			await approve(t, walk, left);
			t.is(walk.executions(), 0);
			t.is(await walk.call('8', impatient), 'gave up');
			t.is(walk.executions(), 0);
			t.is(await walk.call('7', patient), 'delete_item 7');
			t.is(walk.executions(), 1);
			t.is(await walk.call('7', impatient), 'gave up');
			t.is(walk.executions(), 1);
			const held = await walk.pending();
			t.deepEqual(held.map(({request_body}) => request_body.id).toSorted(), ['7', '8']);
			t.false(held.some(({id}) => id === left.id));
		});

		test(`[PRX-095] ${name}, ${title}: who calls again at once gets the result, once`, async (t) => {
			const walk = await start(t, connect, handling);
			t.is(await walk.call('7', impatient), 'gave up');
			const again = walk.call('7', patient);
			// Before that, the caller who seems to wait may be the one that left.
			await until(async () => (await walk.ended()) === 1, 'the end of a call whose client left');
			const waiting = await until(
				async () => (await walk.pending()).find(({caller_waiting}) => caller_waiting),
				'a call that waits again',
			);
			await approve(t, walk, waiting);
			t.is(await again, 'delete_item 7');
			t.is(walk.executions(), 1);
			// The repetition may overtake the cancellation of what it repeats: then it waits under an approval of its own.
			t.true((await walk.pending()).length <= 1);
		});
	}
}
