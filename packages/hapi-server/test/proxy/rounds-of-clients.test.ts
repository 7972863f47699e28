import test, {type ExecutionContext} from 'ava';
import {connectStateless} from '../../../../test/support/mcp/official-clients.ts';
import {type StatelessOptions, startStatelessUpstream} from '../../../../test/support/mcp/stateless-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {openProxy, requireAll} from './open-proxy.ts';

/** The official client of the stateless era, before a server that holds every tool call. */
const open = async (t: ExecutionContext, options: StatelessOptions = {}) => {
	const upstream = await startStatelessUpstream(options);
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const server = await proxy.addServer({target_url: upstream.url, approval_config: requireAll});
	const client = await connectStateless(proxy.url(server), () => ({reason: 'spam'}));
	t.teardown(client.close);
	const isHeld = async () => await until(() => proxy.held() > 0, 'a held call');
	return {
		...proxy,
		upstream,
		client,
		isHeld,
		/** Ends that many rounds, and waits until the client is in the next one. */
		passRounds: async (count: number) => {
			for (let round = 0; round < count; round += 1) {
				await isHeld();
				await proxy.clock.advance(40_000);
				await until(() => proxy.held() === 0, 'the end of the round');
			}
			await isHeld();
		},
		rows: async () =>
			(await proxy.core.mcp.calls.list(proxy.owner, {tool_name: 'delete_item'}, {limit: 50, offset: 0})).data,
	};
};

for (const rounds of [0, 1, 3]) {
	test(`[PRX-079] the official client waits through ${rounds} ends of a round, and gets the result of the one run`, async (t) => {
		const proxy = await open(t);
		const calling = proxy.client.callTool('delete_item', {id: '7'});
		const approval = await proxy.pendingApproval();
		await proxy.passRounds(rounds);
		await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		t.deepEqual((await calling).content, [{type: 'text', text: 'deleted: unasked'}]);
		t.is(proxy.upstream.executions(), 1);
		const rows = await proxy.rows();
		t.is(rows.length, rounds + 1);
		t.true(rows.every(({approval_id, status}) => approval_id === approval && status === 'success'));
	});
}

test('[PRX-099] what is approved while the client is between two rounds runs when it comes back', async (t) => {
	const proxy = await open(t);
	const calling = proxy.client.callTool('delete_item', {id: '7'});
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(40_000);
	await until(() => proxy.held() === 0, 'the end of the round');
	t.true((await proxy.core.mcp.approvals.get(proxy.owner, approval)).caller_waiting);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.deepEqual((await calling).content, [{type: 'text', text: 'deleted: unasked'}]);
	t.is(proxy.upstream.executions(), 1);
});

test('a rejection in the second round reaches the model', async (t) => {
	const proxy = await open(t);
	const calling = proxy.client.callTool('delete_item', {id: '7'});
	const approval = await proxy.pendingApproval();
	await proxy.passRounds(1);
	await proxy.core.mcp.approvals.reject(proxy.owner, approval, 'Not this one.');
	const {isError, content} = await calling;
	t.true(isError);
	t.regex(content[0]?.text ?? '', /rejected it\. Not this one\./);
	t.is(proxy.upstream.executions(), 0);
});

test('an approval of five minutes expires before the official client has had enough of its rounds', async (t) => {
	const proxy = await open(t);
	const calling = proxy.client.callTool('delete_item', {id: '7'});
	await proxy.pendingApproval();
	await proxy.passRounds(7);
	await proxy.clock.advance(21_000);
	const {isError, content} = await calling;
	t.true(isError);
	t.regex(content[0]?.text ?? '', /nobody decided/);
});

test('a client that gives up mid-round, and calls again alike, gets the result of the one run', async (t) => {
	const proxy = await open(t);
	await t.throwsAsync(proxy.client.callTool('delete_item', {id: '7'}, 1000), {message: /timed out/});
	const [left] = await until(async () => {
		const pending = await proxy.core.mcp.approvals.list(proxy.owner, 'pending');
		return pending.length === 1 && pending[0]?.caller_waiting === false && pending;
	}, 'a detached approval');
	await proxy.core.mcp.approvals.approve(proxy.owner, left?.id ?? '');
	t.is(proxy.upstream.executions(), 0);
	t.deepEqual((await proxy.client.callTool('delete_item', {id: '7'})).content, [
		{type: 'text', text: 'deleted: unasked'},
	]);
	t.is(proxy.upstream.executions(), 1);
});

for (const events of [false, true]) {
	test(`[PRX-116] an approved call that asks for input, answered as ${events ? 'events' : 'JSON'}, is approved once`, async (t) => {
		const proxy = await open(t, {events, rounds: ['theirs', undefined]});
		const calling = proxy.client.callTool('delete_item', {id: '7'});
		const approval = await proxy.pendingApproval();
		await proxy.passRounds(1);
		await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		t.deepEqual((await calling).content, [{type: 'text', text: 'deleted: spam'}]);
		t.is(proxy.upstream.executions(), 1);
		t.deepEqual(
			proxy.upstream.called.map(({params}) => params.requestState),
			[undefined, 'theirs', undefined],
		);
		t.deepEqual(await proxy.core.mcp.approvals.list(proxy.owner, 'pending'), []);
		t.true((await proxy.rows()).every(({approval_id}) => approval_id === approval));
	});
}
