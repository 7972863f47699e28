import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import {buildId} from '../builders/identity.ts';
import {buildCallEntry} from '../builders/mcp.ts';
import {addServerOfTenant} from './approvals.contract.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, idsOf, parallel, reasonOf, tally} from './world.ts';

const attended_seconds = 60;

const add = (world: ContractWorld, server: McpServerRecord, fields = {}) =>
	world.addApproval(server, {attended_seconds, ttl_seconds: 3600, ...fields});

const addConsumed = async (world: ContractWorld, server: McpServerRecord): Promise<ApprovalRecord> => {
	const approval = await add(world, server);
	const decision = {status: 'approved', decided_by: 'somebody', decision_note: null} as const;
	await world.stores.approvals.settle([approval.team_id], approval.id, decision);
	await world.stores.approvals.consume(approval.id);
	return approval;
};

const lapsedIds = ({stores}: ContractWorld) => stores.attendance.lapsed(10);

export const attending: Contract = {
	subject: 'attendance',
	cases: {
		'an approval is attended from its opening, for that long, by the clock of the store': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const {id} = await add(world, server);
			await world.advance(30);
			t.deepEqual(await lapsedIds(world), []);
			await world.advance(40);
			t.deepEqual(await lapsedIds(world), [id]);
		},
		'renewing makes it longer for those that are named, also once it ran out': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [kept, late, left] = [await add(world, server), await add(world, server), await add(world, server)];
			await world.advance(30);
			await world.stores.attendance.renew([kept.id], attended_seconds);
			await world.advance(40);
			t.deepEqual((await lapsedIds(world)).toSorted(), [late.id, left.id].toSorted());
			await world.stores.attendance.renew([late.id, buildId()], attended_seconds);
			t.deepEqual(await lapsedIds(world), [left.id]);
		},
		'the longest lapsed come first, at most the limit': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [third, first, second] = [await add(world, server), await add(world, server), await add(world, server)];
			for (const {id} of [first, second, third]) {
				await world.stores.attendance.renew([id], attended_seconds);
				await world.advance(1);
			}
			await world.advance(70);
			t.deepEqual(await world.stores.attendance.lapsed(2), idsOf([first, second]));
			t.deepEqual(await world.stores.attendance.lapsed(10), idsOf([first, second, third]));
		},
		'of those that are named the lapsed ones are answered as they are': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [named, renewed] = [await add(world, server), await add(world, server)];
			await add(world, server);
			const consumed = await addConsumed(world, server);
			await world.advance(70);
			await world.stores.attendance.renew([renewed.id], attended_seconds);
			const still = (ids: readonly string[]) => world.stores.attendance.stillLapsed(ids);
			t.deepEqual(await still([renewed.id, named.id, buildId()]), [named]);
			t.deepEqual(idsOf(await still([consumed.id, renewed.id])), [consumed.id]);
			t.deepEqual(await still([]), []);
			await world.advance(24 * 3600);
			t.deepEqual(await still([named.id]), [{...named, status: 'expired'}]);
		},
		'a lapsed one is detached once, also by parallel sweeps, and no other one; its call may come back': async (
			t,
			world,
		) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const [approval, other] = [await add(world, server), await add(world, server)];
			t.is(await world.stores.attendance.release(approval.id), false);
			await world.advance(70);
			const released = await parallel(5, () => world.stores.attendance.release(approval.id));
			t.deepEqual(tally(released), {true: 1, false: 4});
			t.deepEqual(await world.stores.approvals.get(owner, approval.id), {...approval, caller_waiting: false});
			t.deepEqual(await world.stores.approvals.get(owner, other.id), other);
			t.deepEqual(await lapsedIds(world), [other.id]);
			t.deepEqual(await world.stores.approvals.reattach({...approval, attended_seconds}), approval);
			await world.advance(70);
			t.deepEqual(await lapsedIds(world), idsOf([other, approval]));
		},
		'one whose caller left is attended no more, and renewing does not change that': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const {id} = await add(world, server);
			await world.stores.approvals.detach(id);
			await world.stores.attendance.renew([id], attended_seconds);
			await world.advance(70);
			t.deepEqual(await lapsedIds(world), []);
		},
		'a consumed one is never detached: it is attended until its outcome is logged': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			const {id} = await addConsumed(world, server);
			await world.stores.approvals.detach(id);
			await world.advance(70);
			t.is(await world.stores.attendance.release(id), false);
			t.deepEqual(await lapsedIds(world), [id]);
			await world.stores.callLog.append(buildCallEntry({server, approval_id: id}));
			t.deepEqual(await lapsedIds(world), [id]);
			await world.stores.callLog.append(buildCallEntry({server, id, approval_id: id}));
			t.deepEqual(await lapsedIds(world), []);
			await world.stores.attendance.renew([id], attended_seconds);
			await world.stores.calls.delete(owner.team_ids, id);
			await world.advance(70);
			t.deepEqual(await lapsedIds(world), []);
		},
		'an outcome is logged once, whoever else tries, and its neighbours in the log do not suffer': async (t, world) => {
			const {server, team_id} = await addServerOfTenant(world);
			const {id} = await addConsumed(world, server);
			const entries = Array.from({length: 5}, () => buildCallEntry({server, id, approval_id: id}));
			const answers = await Promise.all(
				[...entries, buildCallEntry({server})].map((entry) => reasonOf(world.stores.callLog.append(entry))),
			);
			t.deepEqual(tally(answers), {resolved: 2, resource_exists: 4});
			t.is(await world.stores.calls.count(team_id, {}), 2);
		},
		'a consumed one whose call was not let run is attended no more, one that waits still is': async (t, world) => {
			const {server} = await addServerOfTenant(world);
			const [waiting, consumed] = [await add(world, server), await addConsumed(world, server)];
			for (const id of [waiting.id, consumed.id, buildId()]) await world.stores.attendance.end(id);
			await world.stores.attendance.renew([waiting.id, consumed.id], attended_seconds);
			await world.advance(70);
			t.deepEqual(await lapsedIds(world), [waiting.id]);
		},
		'a deleted server leaves nothing to attend to': async (t, world) => {
			const {server, ...owner} = await addServerOfTenant(world);
			await add(world, server);
			await world.stores.mcpServers.delete(owner.team_ids, server.id);
			await world.advance(70);
			t.deepEqual(await lapsedIds(world), []);
		},
	},
};
