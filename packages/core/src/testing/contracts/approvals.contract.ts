import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {NewApproval} from '../../ports/index.ts';
import {buildId} from '../builders/identity.ts';
import {buildNewApproval} from '../builders/mcp.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, type ContractWorld, idsOf, parallel, reasonOf} from './world.ts';

const ttl = 300;

export const addServerOfTenant = async (world: ContractWorld) => {
	const owner = await world.addTenant();
	return {...owner, server: await world.addServer(owner)};
};

const decisionBy = (decided_by: string, status: 'approved' | 'rejected' = 'approved') => ({
	status,
	decided_by,
	decision_note: null,
});

export const openingApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'an opened approval is pending for its time to live': async (t, world) => {
			const {server, user_id, team_ids} = await addServerOfTenant(world);
			const request = buildNewApproval({server, api_key_id: buildId(), caller_key: 'key:1', ttl_seconds: ttl});
			const opened = await world.stores.approvals.open(request, 1);
			const {created_at, expires_at, ...rest} = opened as ApprovalRecord;
			const {ttl_seconds, attended_seconds: _, ...given} = request;
			const undecided = {
				decided_by: null,
				decision_note: null,
				decided_at: null,
				detaches_at: null,
				consumed_at: null,
				runs: 0,
			};
			t.deepEqual(rest, {...given, ...undecided, status: 'pending', caller_waiting: true});
			t.is(Date.parse(expires_at) - Date.parse(created_at), ttl_seconds * 1000);
			t.deepEqual(await world.stores.approvals.get({user_id, team_ids}, request.id), opened);
		},
		'a server has at most max_pending of them open, also under parallel calls': async (t, world) => {
			const [{server}, other] = [await addServerOfTenant(world), await addServerOfTenant(world)];
			await world.addApproval(other.server);
			const open = () => world.stores.approvals.open(buildNewApproval({server}), 5);
			const opened = await parallel(30, open);
			t.is(opened.filter((approval) => approval !== undefined).length, 5);
			t.is(await open(), undefined);
		},
		'decided approvals make room': async (t, world) => {
			const {server, team_ids, user_id} = await addServerOfTenant(world);
			for (const status of ['approved', 'rejected'] as const) {
				const {id} = await world.addApproval(server);
				t.is(await world.stores.approvals.open(buildNewApproval({server}), 1), undefined);
				await world.stores.approvals.settle(team_ids, id, decisionBy(user_id, status));
			}
			t.is((await world.stores.approvals.open(buildNewApproval({server}), 1))?.status, 'pending');
		},
		'those past their time make room, before any sweep': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			await world.addApproval(server, {ttl_seconds: ttl});
			await world.advance(ttl - 60);
			t.is(await world.stores.approvals.open(buildNewApproval({server}), 1), undefined);
			await world.advance(120);
			t.is((await world.stores.approvals.open(buildNewApproval({server}), 1))?.status, 'pending');
		},
		'a server that is gone takes none: resource_not_found': async (t, world) => {
			const {server, team_ids} = await addServerOfTenant(world);
			await world.stores.mcpServers.delete(team_ids, server.id);
			t.is(await reasonOf(world.stores.approvals.open(buildNewApproval({server}), 1)), 'resource_not_found');
		},
	},
};

export const viewingApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'the user it belongs to and the team of its server see an approval, nobody else': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [caller, stranger] = [await world.addTenant(), await world.addTenant()];
			const approval = await world.addApproval(server, {user_id: caller.user_id});
			const viewers = [owner, {...stranger, team_ids: [owner.team_id]}, caller, {...caller, team_ids: []}];
			for (const viewer of viewers) {
				t.deepEqual(await world.stores.approvals.get(viewer, approval.id), approval);
				t.deepEqual(await world.stores.approvals.list(viewer, 'pending', 10), [approval]);
			}
			t.is(await world.stores.approvals.get(stranger, approval.id), undefined);
			t.deepEqual(await world.stores.approvals.list(stranger, 'pending', 10), []);
			t.is(await world.stores.approvals.get(owner, buildId()), undefined);
		},
		'one of a team that the user is in too is listed once': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const approval = await world.addApproval(server, {user_id: owner.user_id});
			t.deepEqual(await world.stores.approvals.list(owner, 'pending', 10), [approval]);
		},
		'the list holds one status, newest first, equally new ones by id, and at most the limit': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const opened: ApprovalRecord[] = [];
			for (let count = 0; count < 6; count += 1) {
				opened.push(await world.addApproval(server, {ttl_seconds: 3600}));
				if (count % 2 === 1) await world.advance(1);
			}
			const newest = opened.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
			t.deepEqual(idsOf(await world.stores.approvals.list(owner, 'pending', 10)), idsOf(newest));
			t.deepEqual(idsOf(await world.stores.approvals.list(owner, 'pending', 2)), idsOf(newest.slice(0, 2)));
			const [first, second] = opened as [ApprovalRecord, ApprovalRecord];
			await world.stores.approvals.settle(owner.team_ids, first.id, decisionBy(owner.user_id, 'approved'));
			await world.stores.approvals.settle(owner.team_ids, second.id, decisionBy(owner.user_id, 'rejected'));
			t.deepEqual(idsOf(await world.stores.approvals.list(owner, 'approved', 10)), [first.id]);
			t.deepEqual(idsOf(await world.stores.approvals.list(owner, 'rejected', 10)), [second.id]);
			t.is((await world.stores.approvals.list(owner, 'pending', 10)).length, 4);
		},
		'one past its time reads as expired everywhere, before and after the sweep': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const approval = await world.addApproval(server, {ttl_seconds: ttl});
			const young = await world.addApproval(server, {ttl_seconds: 3600});
			await world.advance(ttl + 60);
			for (const sweep of [async () => [], () => world.stores.approvals.expireDue(10)]) {
				await sweep();
				t.deepEqual(idsOf(await world.stores.approvals.list(owner, 'pending', 10)), [young.id]);
				t.deepEqual(await world.stores.approvals.list(owner, 'expired', 10), [{...approval, status: 'expired'}]);
				t.deepEqual(await world.stores.approvals.get(owner, approval.id), {...approval, status: 'expired'});
			}
		},
	},
};

export const settlingApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'settling writes the decision, who made it, the note and when': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			for (const status of ['approved', 'rejected'] as const) {
				const approval = await world.addApproval(server);
				const decision = {status, decided_by: owner.user_id, decision_note: 'Looks fine 👍'};
				const settled = await world.stores.approvals.settle(owner.team_ids, approval.id, decision);
				const decided_at = settled?.decided_at ?? '';
				t.deepEqual(settled, {...approval, ...decision, decided_at});
				t.is(decided_at >= approval.created_at && decided_at <= world.now(), true);
				t.deepEqual(await world.stores.approvals.get(owner, approval.id), settled);
			}
		},
		'of parallel decisions exactly one is made, and it stays': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await world.addApproval(server);
			const settle = (index: number) =>
				world.stores.approvals.settle(
					owner.team_ids,
					id,
					decisionBy(`user-${index}`, index % 2 ? 'approved' : 'rejected'),
				);
			const settled = (await parallel(20, settle)).filter((record) => record !== undefined);
			t.is(settled.length, 1);
			t.deepEqual(await world.stores.approvals.get(owner, id), settled[0]);
		},
		'a decision tells whether the caller waits, as reading it does': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await world.addApproval(server);
			await world.stores.approvals.detach(id, 60);
			await world.advance(70);
			t.is((await world.stores.approvals.get(owner, id))?.caller_waiting, false);
			const settled = await world.stores.approvals.settle(owner.team_ids, id, decisionBy(owner.user_id));
			t.is(settled?.caller_waiting, false);
		},
		'a decided approval is not decided again': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await world.addApproval(server);
			const first = await world.stores.approvals.settle(owner.team_ids, id, decisionBy(owner.user_id, 'rejected'));
			t.is(await world.stores.approvals.settle(owner.team_ids, id, decisionBy(owner.user_id)), undefined);
			t.deepEqual(await world.stores.approvals.get(owner, id), first);
		},
		'one past its time is not decided, before and after the sweep': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [early, late] = [await world.addApproval(server), await world.addApproval(server)];
			const settle = (id: string) => world.stores.approvals.settle(owner.team_ids, id, decisionBy(owner.user_id));
			await world.advance(ttl - 60);
			t.is((await settle(early.id))?.status, 'approved');
			await world.advance(120);
			t.is(await settle(late.id), undefined);
			await world.stores.approvals.expireDue(10);
			t.is(await settle(late.id), undefined);
			t.deepEqual(await world.stores.approvals.get(owner, late.id), {...late, status: 'expired'});
		},
		'only members of the team of the server decide: another team, or the user alone, does not': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const caller = await world.addTenant();
			const approval = await world.addApproval(server, {user_id: caller.user_id});
			for (const team_ids of [caller.team_ids, []]) {
				const decision = decisionBy(caller.user_id);
				t.is(await world.stores.approvals.settle(team_ids, approval.id, decision), undefined);
			}
			t.deepEqual(await world.stores.approvals.get(owner, approval.id), approval);
			t.is(await world.stores.approvals.settle(owner.team_ids, buildId(), decisionBy(owner.user_id)), undefined);
		},
	},
};

export const textOfApprovals: Contract = {
	subject: 'approvals',
	needs: 'exact_text',
	cases: {
		'every text of an approval is kept to the last character': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			for (const text of [...awkwardTexts, '👩‍👩‍👧‍👦'.repeat(2700)]) {
				const request_body = {[text]: [text, {nested: text}], empty: {}, number: 1.5, nothing: null};
				const arguments_json = `${JSON.stringify(request_body)} `;
				const fields: Partial<NewApproval> = {tool_name: text.slice(0, 30), request_body, arguments_json};
				const {id} = await world.addApproval(server, fields);
				const decision = {...decisionBy(owner.user_id), decision_note: text};
				const settled = await world.stores.approvals.settle(owner.team_ids, id, decision);
				t.deepEqual(settled?.request_body, request_body);
				t.is(settled?.arguments_json, arguments_json);
				t.is(settled?.tool_name, fields.tool_name);
				t.is(settled?.decision_note, text);
				t.deepEqual(await world.stores.approvals.get(owner, id), settled);
			}
		},
	},
};
