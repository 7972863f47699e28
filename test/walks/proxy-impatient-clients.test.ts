import {setTimeout as pause} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {type OfficialClient, officialClients} from '../support/mcp/official-clients.ts';
import {startTicketsServer} from '../support/mcp/tickets-server.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

/** The clients' own timers are the subject: what passes here is real time. */
const timeout = 3_000;
const decisionAfter = 6_000;

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
		call: async (id: string): Promise<string> => {
			try {
				const {content} = await client.callTool('delete_item', {id}, {timeout, ...handling});
				return content[0]?.text ?? '';
			} catch (error) {
				if (/timed out/i.test(String(error))) return 'gave up';
				throw error;
			}
		},
		pending: async (): Promise<readonly Body[]> => (await api.get('/v1/mcp/approvals')).body.data,
		executions: () => upstream.executions('delete_item'),
	};
};

type Walk = Awaited<ReturnType<typeof start>>;

const approveTheOldest = async (t: ExecutionContext, {api, pending}: Walk): Promise<string> => {
	const approval = await until(async () => (await pending()).at(-1), 'a pending approval');
	t.is((await api.post(`/v1/mcp/approvals/${approval.id}/approve`, {})).status, 200);
	return approval.id;
};

for (const {name, connect} of officialClients) {
	for (const [title, handling] of Object.entries(handlings)) {
		test(`[PRX-094 PRX-096 PRX-098] ${name}, ${title}: who gave up gets the result by an identical call, once`, async (t) => {
			const walk = await start(t, connect, handling);
			const decided = pause(decisionAfter);
			t.is(await walk.call('7'), 'gave up');
			await decided;
			t.like(await walk.pending(), [{caller_waiting: false}]);
			const approval = await approveTheOldest(t, walk);
			t.is(walk.executions(), 0);
			t.is(await walk.call('8'), 'gave up');
			t.is(walk.executions(), 0);
			t.is(await walk.call('7'), 'delete_item 7');
			t.is(walk.executions(), 1);
			t.is(await walk.call('7'), 'gave up');
			t.is(walk.executions(), 1);
			const held = await walk.pending();
			t.deepEqual(held.map(({request_body}) => request_body.id).toSorted(), ['7', '8']);
			t.false(held.some(({id}) => id === approval));
		});

		test(`[PRX-095] ${name}, ${title}: who calls again at once gets the result, once`, async (t) => {
			const walk = await start(t, connect, handling);
			const deciding = pause(decisionAfter).then(() => approveTheOldest(t, walk));
			const answers = [await walk.call('7')];
			while (answers.at(-1) === 'gave up' && answers.length < 6) answers.push(await walk.call('7'));
			await deciding;
			t.true(answers.length > 1);
			t.is(answers.at(-1), 'delete_item 7');
			t.is(walk.executions(), 1);
			// The first repetition may overtake the cancellation of what it repeats: then it waits under an approval of its own.
			t.true((await walk.pending()).length <= 1);
		});
	}
}
