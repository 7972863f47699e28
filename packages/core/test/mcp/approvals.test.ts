import {approvalSchema, type DomainEvent} from '@signalbox/core';
import {addCaller, buildNewApproval} from '@signalbox/core/testing';
import test from 'ava';
import {callOf, held, refusalOf, startWorld, withKey} from './support.ts';

const page = {limit: 10, offset: 0};

test('[APR-044 APR-045 APR-046] approve sets status, decider, time and the note, if there is one', async (t) => {
	const world = await startWorld();
	for (const note of ['looks fine', undefined]) {
		const {approval} = await held(world, callOf(world.server));
		const approved = await world.core.mcp.approvals.approve(world.caller, approval.id, note);
		t.deepEqual(approved, {
			...approval,
			status: 'approved',
			decided_by: world.caller.user_id,
			decided_at: world.clock.now(),
			decision_note: note ?? null,
		});
		t.deepEqual(await world.core.mcp.approvals.get(world.caller, approval.id), approved);
	}
});

test('[APR-048 APR-049 APR-050] reject sets status, decider, time and the note, if there is one', async (t) => {
	const world = await startWorld();
	for (const note of ['not today', undefined]) {
		const {approval} = await held(world, callOf(world.server));
		const rejected = await world.core.mcp.approvals.reject(world.caller, approval.id, note);
		t.deepEqual(rejected, {
			...approval,
			status: 'rejected',
			decided_by: world.caller.user_id,
			decided_at: world.clock.now(),
			decision_note: note ?? null,
		});
	}
});

const secondDecisions = [
	{title: '[APR-053 APR-054] an approved approval', first: 'approve'},
	{title: '[APR-055 APR-056] a rejected approval', first: 'reject'},
	{title: '[APR-057 APR-058 APR-059] an approval past its end, swept or not,', first: 'expire'},
] as const;

for (const {title, first} of secondDecisions) {
	test(`${title} is decided no more: conflict, and nothing changes`, async (t) => {
		const world = await startWorld();
		const {approvals} = world.core.mcp;
		const decided = await Promise.all(
			[false, true].map(async (isSwept) => {
				const {id} = (await held(world, callOf(world.server))).approval;
				if (first !== 'expire') await approvals[first](world.caller, id);
				return {id, isSwept};
			}),
		);
		// The held calls are not let run, so that nobody sweeps but the test.
		if (first === 'expire') void world.clock.set(new Date(Date.parse(world.clock.now()) + 300_000).toISOString());
		for (const {id, isSwept} of decided) {
			if (isSwept) await approvals.expireDue();
			const before = await approvals.get(world.caller, id);
			t.is(await refusalOf(approvals.approve(world.caller, id, 'late')), 'conflict');
			t.is(await refusalOf(approvals.reject(world.caller, id, 'late')), 'conflict');
			t.deepEqual(await approvals.get(world.caller, id), before);
		}
	});
}

test('[APR-061 APR-062 APR-063] the pending list holds what is pending and leaves out what is past its end', async (t) => {
	const world = await startWorld();
	const {approval: early} = await held(world, callOf(world.server));
	const {approval: decided} = await held(world, callOf(world.server));
	await world.core.mcp.approvals.approve(world.caller, decided.id);
	await world.clock.advance(200_000);
	const {approval: late} = await held(world, callOf(world.server));
	const idsOf = async (status: 'pending' | 'expired') =>
		(await world.core.mcp.approvals.list(world.caller, status)).map(({id}) => id);
	t.deepEqual(await idsOf('pending'), [late.id, early.id]);
	void world.clock.set(early.expires_at);
	t.deepEqual(await idsOf('pending'), [late.id]);
	t.deepEqual(await idsOf('expired'), [early.id]);
});

test('[APR-075] any member of the team decides; for everyone else there is no such approval', async (t) => {
	const world = await startWorld();
	const {approvals} = world.core.mcp;
	const outsider = await addCaller(world.ports);
	const made = callOf(world.server, {caller: outsider});
	const {approval} = await held(world, made);
	t.is((await approvals.get(outsider, approval.id)).id, approval.id, 'whoever made the call sees it');
	t.is(await refusalOf(approvals.approve(outsider, approval.id)), 'resource_not_found');
	t.is(await refusalOf(approvals.reject(outsider, approval.id)), 'resource_not_found');
	const stranger = await addCaller(world.ports);
	t.is(await refusalOf(approvals.get(stranger, approval.id)), 'resource_not_found');
	const member = {...stranger, team_ids: [stranger.team_id, world.server.team_id]};
	t.is((await approvals.approve(member, approval.id)).decided_by, stranger.user_id);
});

test('[APR-076] the very key that made the call cannot decide, another one with scope approvals can', async (t) => {
	const world = await startWorld();
	const {approvals} = world.core.mcp;
	const key = withKey(world.caller, 'approvals', 'proxy');
	const {approval} = await held(world, callOf(world.server, {caller: key}));
	t.is(await refusalOf(approvals.approve(key, approval.id)), 'forbidden');
	t.is(await refusalOf(approvals.reject(key, approval.id)), 'forbidden');
	await t.throwsAsync(approvals.approve(withKey(world.caller, 'api', 'proxy'), approval.id), {
		code: 'forbidden',
		message: 'Deciding an approval needs an API key with scope approvals.',
	});
	t.is((await approvals.approve(withKey(world.caller, 'approvals'), approval.id)).status, 'approved');
});

test('[APR-068 APR-069] the list shows the own ones and those of the active team, and no others', async (t) => {
	const world = await startWorld();
	const {approvals} = world.core.mcp;
	const other = await addCaller(world.ports);
	const {approval} = await held(world, callOf(world.server, {caller: other}));
	t.deepEqual(
		(await approvals.list(other, 'pending')).map(({id}) => id),
		[approval.id],
	);
	t.deepEqual(
		(await approvals.list(world.caller, 'pending')).map(({id}) => id),
		[approval.id],
	);
	const elsewhere = {...world.caller, team_id: other.team_id};
	t.deepEqual(await approvals.list(elsewhere, 'pending'), []);
	t.deepEqual(await approvals.list(await addCaller(world.ports), 'pending'), []);
});

test('[APR-037] request_body shows every argument, also one named __proto__', async (t) => {
	const world = await startWorld();
	const text = '{"id":7,"__proto__":{"id":8},"constructor":1}';
	const {approval} = await held(world, callOf(world.server, {text}));
	const shown = approvalSchema.parse(await world.core.mcp.approvals.get(world.caller, approval.id));
	t.is(JSON.stringify(shown.request_body), text);
});

test('an approval shows nothing of how it is kept', async (t) => {
	const world = await startWorld();
	const {approval} = await held(world, callOf(world.server));
	for (const field of ['team_id', 'api_key_id', 'caller_key', 'arguments_digest', 'consumed_at'])
		t.false(field in approval);
});

test('a note of more than 2,000 characters is refused, and decides nothing', async (t) => {
	const world = await startWorld();
	const {approval} = await held(world, callOf(world.server));
	const long = 'x'.repeat(2001);
	t.is(await refusalOf(world.core.mcp.approvals.approve(world.caller, approval.id, long)), 'validation_error note');
	t.is((await world.core.mcp.approvals.get(world.caller, approval.id)).status, 'pending');
});

test('a decision is told to the waiters and kept in the audit, with who decided', async (t) => {
	const world = await startWorld();
	const events: DomainEvent[] = [];
	world.ports.signals.subscribe((event) => events.push(event));
	const {approval} = await held(world, callOf(world.server));
	const key = withKey(world.caller, 'approvals');
	await world.core.mcp.approvals.reject(key, approval.id, 'no');
	const {id: mcp_server_id, team_id} = world.server;
	t.deepEqual(events.at(-1), {type: 'approval.decided', approval_id: approval.id, mcp_server_id, team_id});
	const {data} = await world.core.live.audit.list(world.caller, page);
	t.like(data[0], {
		action: 'approval.rejected',
		target_id: approval.id,
		user_id: world.caller.user_id,
		api_key_id: key.credential.kind === 'api_key' ? key.credential.id : '',
		data: {mcp_server_id, tool_name: 'delete_user', decision_note: 'no'},
	});
});

test('the sweep answers how many expired, however many there are', async (t) => {
	const world = await startWorld();
	for (let made = 0; made < 230; made += 1) {
		await world.ports.approvals.open(buildNewApproval({server: world.server}), 1000);
	}
	await world.clock.advance(300_000);
	t.is(await world.core.mcp.approvals.expireDue(), 230);
	t.is(await world.core.mcp.approvals.expireDue(), 0);
});

test('[APR-069] who left the team no longer sees what others call on the servers they made there', async (t) => {
	const world = await startWorld();
	const {approvals} = world.core.mcp;
	const [anonymous, own] = [
		(await held(world, callOf(world.server))).approval,
		(await held(world, callOf(world.server, {caller: world.caller}))).approval,
	];
	const {team_id: team} = await addCaller(world.ports);
	const gone = {...world.caller, team_id: team, team_ids: [team]};
	t.deepEqual(
		(await approvals.list(gone, 'pending')).map(({id}) => id),
		[own.id],
	);
	t.is(await refusalOf(approvals.get(gone, anonymous.id)), 'resource_not_found');
	t.is((await approvals.get(gone, own.id)).id, own.id);
	// With another team active, a creator still sees them.
	const elsewhere = {...world.caller, team_id: team, team_ids: [team, world.caller.team_id]};
	t.is((await approvals.list(elsewhere, 'pending')).length, 2);
});
