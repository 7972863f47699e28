import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import {buildId} from '../builders/identity.ts';
import {addServerOfTenant} from './approvals.contract.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, parallel, tally} from './world.ts';

const ttl = 300;
/** Real stores go on counting while the tests run: half of it is more than a busy machine takes. */
const gap = 60;
const call = {caller_key: 'key:1', tool_name: 'send_email', arguments_digest: 'Digest'};

const approve = async ({stores}: ContractWorld, {id, team_id}: ApprovalRecord) => {
	await stores.approvals.settle([team_id], id, {status: 'approved', decided_by: 'somebody', decision_note: null});
};

/** One whose caller left a round, and is expected back. */
const addBetweenRounds = async (world: ContractWorld, server: McpServerRecord) => {
	const approval = await world.addApproval(server, {...call, ttl_seconds: ttl});
	await world.stores.approvals.detach(approval.id, gap);
	return approval;
};

/** One whose execution has begun. */
const addConsumed = async (world: ContractWorld, server: McpServerRecord) => {
	const approval = await world.addApproval(server);
	await approve(world, approval);
	await world.stores.approvals.consume(approval.id);
	return approval;
};

const ofCall = ({id}: McpServerRecord) => ({...call, mcp_server_id: id, attended_seconds: 15});

export const gapsOfApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'between two rounds the caller counts as waiting, after the gap as gone': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await addBetweenRounds(world, server);
			const isWaiting = async () => (await world.stores.approvals.get(owner, id))?.caller_waiting;
			await world.advance(gap / 2);
			t.is(await isWaiting(), true);
			await world.advance(gap);
			t.is(await isWaiting(), false);
			t.deepEqual(
				(await world.stores.approvals.list(owner, 'pending', 10)).map(({caller_waiting}) => caller_waiting),
				[false],
			);
		},
		'an identical call does not pick one within the gap, and does after it': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const approval = await addBetweenRounds(world, server);
			await world.advance(gap / 2);
			t.is(await world.stores.approvals.reattach(ofCall(server)), undefined);
			await world.advance(gap);
			t.deepEqual(await world.stores.approvals.reattach(ofCall(server)), approval);
			t.is(await world.stores.approvals.reattach(ofCall(server)), undefined);
		},
		'the next round takes up the one that it names, within the gap and after it': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [approval] = [await addBetweenRounds(world, server), await addBetweenRounds(world, server)];
			for (const pause of [gap / 2, gap + 5]) {
				await world.advance(pause);
				t.deepEqual(await world.stores.approvals.reattach(ofCall(server), approval.id), approval);
				await world.advance(gap + 5);
				t.deepEqual(await world.stores.approvals.get(owner, approval.id), approval, 'it waits until it leaves');
				await world.stores.approvals.detach(approval.id, gap);
			}
		},
		'the next round takes up nothing by the name of another call': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const {id} = await addBetweenRounds(world, server);
			for (const fields of [{caller_key: 'key:2'}, {tool_name: 'Send_email'}, {arguments_digest: 'digest'}]) {
				const answer = await world.stores.approvals.reattach({...ofCall(server), ...fields}, id);
				t.is(answer, undefined, JSON.stringify(fields));
			}
			t.is(await world.stores.approvals.reattach(ofCall(server), buildId()), undefined);
		},
		'one approved in the gap is there for the next round, also past its time; after the gap it is not': async (
			t,
			world,
		) => {
			const {server} = await addServerOfTenant(world);
			const [prompt, late] = [
				await world.addApproval(server, {...call, ttl_seconds: ttl}),
				await world.addApproval(server, {...call, ttl_seconds: ttl}),
			];
			await world.advance(ttl - 30);
			for (const approval of [prompt, late]) {
				await world.stores.approvals.detach(approval.id, gap);
				await approve(world, approval);
			}
			await world.advance(gap / 2);
			t.is((await world.stores.approvals.reattach(ofCall(server), prompt.id))?.status, 'approved');
			await world.advance(gap);
			t.is(await world.stores.approvals.reattach(ofCall(server), late.id), undefined);
		},
		'one that is pending past its time, rejected or consumed is not taken up': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [overdue, rejected, consumed] = [
				await addBetweenRounds(world, server),
				await addBetweenRounds(world, server),
				await addBetweenRounds(world, server),
			];
			const decision = {status: 'rejected', decided_by: 'somebody', decision_note: null} as const;
			await world.stores.approvals.settle(owner.team_ids, rejected.id, decision);
			await approve(world, consumed);
			await world.stores.approvals.consume(consumed.id);
			for (const {id} of [rejected, consumed])
				t.is(await world.stores.approvals.reattach(ofCall(server), id), undefined);
			await world.advance(ttl - 40);
			await world.stores.approvals.reattach(ofCall(server), overdue.id);
			await world.stores.approvals.detach(overdue.id, 2 * gap);
			await world.advance(60);
			t.is(await world.stores.approvals.reattach(ofCall(server), overdue.id), undefined);
		},
		'who went away is not expected back': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await addBetweenRounds(world, server);
			await world.stores.approvals.detach(id);
			t.is((await world.stores.approvals.get(owner, id))?.caller_waiting, false);
			await world.stores.approvals.detach(id, gap);
			t.is((await world.stores.approvals.get(owner, id))?.caller_waiting, false);
			const lapsed = await addBetweenRounds(world, server);
			await world.advance(2 * gap);
			await world.stores.approvals.detach(lapsed.id, gap);
			t.is((await world.stores.approvals.get(owner, lapsed.id))?.caller_waiting, false);
		},
	},
};

export const continuingApprovals: Contract = {
	subject: 'approvals',
	cases: {
		'each continuation of an execution is made once, in turn, also under parallel calls': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await addConsumed(world, server);
			for (const run of [1, 2, 3]) {
				const ahead = {run: run + 1, within_seconds: 3600};
				t.is(await world.stores.approvals.consume(id, ahead), false);
				const consume = () => world.stores.approvals.consume(id, {run, within_seconds: 3600});
				t.deepEqual(tally(await parallel(20, consume)), {true: 1, false: 19});
			}
			t.is((await world.stores.approvals.get(owner, id))?.runs, 4);
			t.is(await world.stores.approvals.consume(id), false);
		},
		'what was not consumed has no continuation': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [pending, approved] = [await world.addApproval(server), await world.addApproval(server)];
			await approve(world, approved);
			for (const id of [pending.id, approved.id, buildId()]) {
				for (const run of [0, 1])
					t.is(await world.stores.approvals.consume(id, {run, within_seconds: 3600}), false, `${run}`);
			}
		},
		'an execution is continued for a time, counted from its begin': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const {id} = await addConsumed(world, server);
			await world.advance(590);
			t.is(await world.stores.approvals.consume(id, {run: 1, within_seconds: 600}), true);
			await world.advance(gap);
			t.is(await world.stores.approvals.consume(id, {run: 2, within_seconds: 600}), false);
		},
	},
};
