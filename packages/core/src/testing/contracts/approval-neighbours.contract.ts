import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import {buildCallEntry} from '../builders/mcp.ts';
import {addServerOfTenant} from './approvals.contract.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, idsOf} from './world.ts';

const attended_seconds = 60;
/** Longer than a call is attended. */
const lapse = attended_seconds + 10;
const gap = 600;

const addApproved = async (world: ContractWorld, server: McpServerRecord): Promise<ApprovalRecord> => {
	const approval = await world.addApproval(server, {attended_seconds, ttl_seconds: 3600});
	const decision = {status: 'approved', decided_by: 'somebody', decision_note: null} as const;
	await world.stores.approvals.settle([approval.team_id], approval.id, decision);
	return approval;
};

const addConsumed = async (world: ContractWorld, server: McpServerRecord): Promise<ApprovalRecord> => {
	const approval = await addApproved(world, server);
	await world.stores.approvals.consume(approval.id);
	return approval;
};

const lapsedIds = ({stores}: ContractWorld) => stores.attendance.lapsed(10);

export const besideApprovals: Contract = {
	subject: 'approvals beside others',
	cases: {
		'one that is consumed, or run once more, uses up no other one of its server': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const both = [await addApproved(world, server), await addApproved(world, server)];
			const {approvals} = world.stores;
			for (const {id} of both) t.is(await approvals.consume(id), true);
			for (const {id} of both) t.is(await approvals.consume(id, {run: 1, within_seconds: 600}), true);
		},
		'the caller of one is expected back for a while, those of the others wait on': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [left, waiting] = [await addApproved(world, server), await addApproved(world, server)];
			await world.stores.approvals.detach(left.id, gap);
			await world.advance(2 * gap);
			t.is((await world.stores.approvals.get(owner, left.id))?.caller_waiting, false);
			t.is((await world.stores.approvals.get(owner, waiting.id))?.caller_waiting, true);
		},
		'one whose caller left is attended no more, the others are': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [left, waiting] = [await addApproved(world, server), await addApproved(world, server)];
			await world.stores.approvals.detach(left.id);
			await world.advance(lapse);
			t.deepEqual(await lapsedIds(world), [waiting.id]);
		},
		'a consumed one is not released because another one could be': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [consumed] = [await addConsumed(world, server), await addApproved(world, server)];
			await world.advance(lapse);
			t.is(await world.stores.attendance.release(consumed.id), false);
		},
		'what was not let run, or has its outcome on record, ends no other attendance': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [ended, logged] = [await addConsumed(world, server), await addConsumed(world, server)];
			const running = await addConsumed(world, server);
			await world.stores.attendance.end(ended.id);
			await world.stores.callLog.append(buildCallEntry({server, id: logged.id, approval_id: logged.id}));
			await world.advance(lapse);
			t.deepEqual(await lapsedIds(world), idsOf([running]));
		},
	},
};
