import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import {buildId} from '../builders/identity.ts';
import {addServerOfTenant} from './approvals.contract.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, idsOf, parallel, tally} from './world.ts';

const ttl = 300;

const settle = async ({stores}: ContractWorld, {id, team_id}: ApprovalRecord, status: 'approved' | 'rejected') => {
	await stores.approvals.settle([team_id], id, {status, decided_by: 'somebody', decision_note: null});
};

const addApproved = async (world: ContractWorld, server: McpServerRecord): Promise<ApprovalRecord> => {
	const approval = await world.addApproval(server);
	await settle(world, approval, 'approved');
	return approval;
};

export const consumingApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'an approved one is consumed once, also under parallel calls': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await addApproved(world, server);
			t.deepEqual(tally(await parallel(50, () => world.stores.approvals.consume(id))), {true: 1, false: 49});
			t.is(await world.stores.approvals.consume(id), false);
			const consumed = await world.stores.approvals.get(owner, id);
			t.is(consumed?.status, 'approved');
			t.is((consumed?.consumed_at ?? '') >= (consumed?.decided_at ?? '-'), true);
		},
		'one that is pending, rejected, expired or unknown is never consumed': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [pending, rejected] = [await world.addApproval(server), await world.addApproval(server)];
			await settle(world, rejected, 'rejected');
			for (const id of [pending.id, rejected.id, buildId()]) t.is(await world.stores.approvals.consume(id), false);
			await world.advance(ttl + 60);
			t.is(await world.stores.approvals.consume(pending.id), false);
			await world.stores.approvals.expireDue(10);
			t.is(await world.stores.approvals.consume(pending.id), false);
			t.is((await world.stores.approvals.get(owner, pending.id))?.consumed_at, null);
		},
		'one that was approved in time is consumed also when that time is over': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const {id} = await addApproved(world, server);
			await world.advance(ttl + 60);
			await world.stores.approvals.expireDue(10);
			t.is(await world.stores.approvals.consume(id), true);
		},
	},
};

export const expiringApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'the sweep answers those past their time as expired, each once': async (t, world) => {
			const [{server}, other] = [await addServerOfTenant(world), await addServerOfTenant(world)];
			const due = [await world.addApproval(server), await world.addApproval(other.server)];
			const young = await world.addApproval(server, {ttl_seconds: 3600});
			await addApproved(world, server);
			await world.advance(ttl - 60);
			t.deepEqual(await world.stores.approvals.expireDue(10), []);
			await world.advance(120);
			const expired = await world.stores.approvals.expireDue(10);
			const byId = (a: ApprovalRecord, b: ApprovalRecord) => (a.id < b.id ? -1 : 1);
			t.deepEqual(
				expired.toSorted(byId),
				due.map((approval) => ({...approval, status: 'expired'})),
			);
			t.deepEqual(await world.stores.approvals.expireDue(10), []);
			t.is((await world.stores.approvals.get({user_id: young.user_id, team_ids: []}, young.id))?.status, 'pending');
		},
		'a sweep answers at most its limit, the next ones the rest': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const due = await parallel(5, () => world.addApproval(server));
			await world.advance(ttl + 60);
			const swept: ApprovalRecord[] = [];
			for (const expected of [2, 2, 1, 0]) {
				const expired = await world.stores.approvals.expireDue(2);
				t.is(expired.length, expected);
				swept.push(...expired);
			}
			t.deepEqual(idsOf(swept).toSorted(), idsOf(due).toSorted());
		},
		'parallel sweeps answer each approval to one of them': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const due = await parallel(9, () => world.addApproval(server));
			await world.advance(ttl + 60);
			const swept = await parallel(6, () => world.stores.approvals.expireDue(3));
			const rest = await world.stores.approvals.expireDue(10);
			t.deepEqual(idsOf([...swept.flat(), ...rest]).toSorted(), idsOf(due).toSorted());
		},
	},
};

const call = {caller_key: 'key:1', tool_name: 'send_email', arguments_digest: 'Digest'};

const addDetached = async (world: ContractWorld, server: McpServerRecord, ttl_seconds = ttl) => {
	const approval = await world.addApproval(server, {...call, ttl_seconds});
	await world.stores.approvals.detach(approval.id);
	return approval;
};

const reattach = ({stores}: ContractWorld, server: McpServerRecord, fields: Partial<ApprovalRecord> = {}) =>
	stores.approvals.reattach({...call, mcp_server_id: server.id, attended_seconds: 15, ...fields});

export const reattaching: Contract = {
	subject: 'approvals',
	cases: {
		'a detached approval has no caller waiting; detaching an unknown one is no error': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const approval = await addDetached(world, server);
			await world.stores.approvals.detach(buildId());
			t.deepEqual(await world.stores.approvals.get(owner, approval.id), {...approval, caller_waiting: false});
		},
		'a detached approval of exactly this call is picked, and waits again': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const approval = await addDetached(world, server);
			t.deepEqual(await reattach(world, server), approval);
			t.deepEqual(await world.stores.approvals.get(owner, approval.id), approval);
			t.is(await reattach(world, server), undefined);
		},
		'one whose caller still waits is not picked': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			await world.addApproval(server, call);
			t.is(await reattach(world, server), undefined);
		},
		'one of another server, caller, tool or with other arguments is not picked, not even by case': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const other = await world.addServer(owner);
			await addDetached(world, server);
			const near = [
				{mcp_server_id: other.id},
				{caller_key: 'key:2'},
				{caller_key: 'KEY:1'},
				{tool_name: 'Send_email'},
				{tool_name: 'send_email '},
				{arguments_digest: 'digest'},
			];
			for (const fields of near) {
				const answer = await reattach(world, server, fields);
				t.is(answer, undefined, JSON.stringify(fields));
			}
		},
		'one that is rejected, expired or consumed is not picked': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [rejected, consumed] = [await addDetached(world, server), await addDetached(world, server)];
			await addDetached(world, server, 60);
			await settle(world, rejected, 'rejected');
			await settle(world, consumed, 'approved');
			await world.stores.approvals.consume(consumed.id);
			await world.advance(120);
			t.is(await reattach(world, server), undefined);
		},
		'one that was approved and not consumed is picked, until its time is over': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const late = await addDetached(world, server, 60);
			await addDetached(world, server, 90);
			const approval = await addDetached(world, server);
			await settle(world, late, 'approved');
			await settle(world, approval, 'approved');
			await world.advance(120);
			const picked = await reattach(world, server);
			t.is(picked?.id, approval.id);
			t.is(picked?.status, 'approved');
			t.is(await reattach(world, server), undefined);
		},
		'one that was granted is picked before an older one that is pending': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [older, granted] = [await addDetached(world, server), await addDetached(world, server)];
			await settle(world, granted, 'approved');
			t.deepEqual([(await reattach(world, server))?.id, (await reattach(world, server))?.id], [granted.id, older.id]);
		},
		'parallel calls each get another one, or none': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const detached = await parallel(3, () => addDetached(world, server));
			const picked = (await parallel(10, () => reattach(world, server))).filter((approval) => approval !== undefined);
			t.deepEqual(idsOf(picked).toSorted(), idsOf(detached).toSorted());
		},
	},
};
