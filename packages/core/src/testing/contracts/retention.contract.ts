import type {McpServerRecord} from '../../mcp/model/server.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {Retention} from '../../values/retention.ts';
import {buildNotification} from '../builders/live.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, idsOf, parallel} from './world.ts';

const retention: Retention = {
	days_by_plan: new Map([
		['short', 7],
		['long', 30],
	]),
	otherwise: 14,
};

const day = 24 * 3600;
const ages = [6, 8, 13, 15, 29, 31];
/** Which of those ages, in days, each plan keeps. */
const kept: Readonly<Record<string, readonly number[]>> = {short: [6], long: [6, 8, 13, 15, 29], other: [6, 8, 13]};

const daysAgo = ({now}: ContractWorld, days: number): string => plusSeconds(now(), -days * day);

const addServerOn = async (world: ContractWorld, plan: string) => {
	const owner = await world.addTenant({plan});
	return {...owner, server: await world.addServer(owner)};
};

const ageOf = (world: ContractWorld, created_at: string): number =>
	Math.round((Date.parse(world.now()) - Date.parse(created_at)) / 1000 / day);

/** Ages of the calls of a team that are still there, youngest first. */
const agesLeft = async (world: ContractWorld, team_id: string) => {
	const {data} = await world.stores.calls.list(team_id, {}, {limit: 100, offset: 0, body_chars: 0});
	return data.map(({created_at}) => ageOf(world, created_at));
};

const addCallsOfAges = (world: ContractWorld, server: McpServerRecord, days: readonly number[]) =>
	Promise.all(days.map((age) => world.addCall(server, {created_at: daysAgo(world, age)})));

/** How many calls the rollups count. */
const countedIn = async (world: ContractWorld, team_id: string): Promise<number> => {
	const {by_tool} = await world.stores.calls.sums(team_id, {from: daysAgo(world, 40), to: daysAgo(world, -1)});
	return by_tool.reduce((sum, {calls}) => sum + calls, 0);
};

export const retainingCalls: Contract = {
	subject: 'retention',
	cases: {
		'calls go when they are older than the plan of who made their server keeps them': async (t, world) => {
			for (const [plan, left] of Object.entries(kept)) {
				const {server, team_id} = await addServerOn(world, plan);
				await addCallsOfAges(world, server, ages);
				t.is(await world.stores.retention.purgeCalls(retention, 100), ages.length - left.length, plan);
				t.deepEqual(await agesLeft(world, team_id), left, plan);
				t.is(await world.stores.retention.purgeCalls(retention, 100), 0, plan);
			}
		},
		'age is by the clock of the store': async (t, world) => {
			const {server, team_id} = await addServerOn(world, 'short');
			await addCallsOfAges(world, server, [6]);
			await world.advance(day / 2);
			t.is(await world.stores.retention.purgeCalls(retention, 100), 0);
			await world.advance(day);
			t.is(await world.stores.retention.purgeCalls(retention, 100), 1);
			t.deepEqual(await agesLeft(world, team_id), []);
		},
		'at most so many go at once, the next time the rest': async (t, world) => {
			const {server} = await addServerOn(world, 'short');
			await addCallsOfAges(world, server, [8, 9, 10, 11, 12]);
			for (const purged of [2, 2, 1, 0]) t.is(await world.stores.retention.purgeCalls(retention, 2), purged);
		},
		'those that go are counted once, also when several purge at once, and stay in the rollups': async (t, world) => {
			const {server, team_id} = await addServerOn(world, 'short');
			await addCallsOfAges(world, server, [...Array.from({length: 20}, () => 8), 6, 6]);
			const purged = await parallel(10, () => world.stores.retention.purgeCalls(retention, 3));
			t.is(
				purged.reduce((sum, count) => sum + count, 0),
				20,
			);
			t.is(await countedIn(world, team_id), 22);
		},
		'rollups go when their hour is that many days ago, or their server is deleted': async (t, world) => {
			const {server, team_id, team_ids} = await addServerOn(world, 'short');
			await addCallsOfAges(world, server, [31, 8]);
			await world.stores.retention.purgeCalls(retention, 100);
			t.is(await world.stores.retention.purgeRollups(32), 0);
			t.is(await countedIn(world, team_id), 2);
			t.is(await world.stores.retention.purgeRollups(30), 1);
			t.is(await countedIn(world, team_id), 1);
			await world.stores.mcpServers.delete(team_ids, server.id);
			t.is(await countedIn(world, team_id), 0);
		},
		'large ones go too, in as many goes as it takes': async (t, world) => {
			const {server, team_id} = await addServerOn(world, 'short');
			const large = {created_at: daysAgo(world, 8), response_body: new Uint8Array(5 * 1024 * 1024)};
			for (let count = 0; count < 4; count += 1) await world.addCall(server, large);
			let purged = 0;
			for (let goes = 0; goes < 4; goes += 1) purged += await world.stores.retention.purgeCalls(retention, 100);
			t.is(purged, 4);
			t.deepEqual(await agesLeft(world, team_id), []);
		},
	},
};

export const retainingTheRest: Contract = {
	subject: 'retention',
	cases: {
		'approvals go when they are final and older than that, and never while they are pending': async (t, world) => {
			const {server, ...owner} = await addServerOn(world, 'short');
			const {approvals} = world.stores;
			const [approved, rejected, expired, overdue] = await parallel(4, (index) =>
				world.addApproval(server, {ttl_seconds: index === 3 ? 8 * day : 300}),
			);
			if (!approved || !rejected || !expired || !overdue) throw new Error('an approval was not opened');
			const {team_ids} = owner;
			await approvals.settle(team_ids, approved.id, {status: 'approved', decided_by: 'x', decision_note: null});
			await approvals.settle(team_ids, rejected.id, {status: 'rejected', decided_by: 'x', decision_note: null});
			await world.advance(3600);
			await approvals.expireDue(10);
			await world.advance(6.5 * day);
			t.is(await world.stores.retention.purgeApprovals(retention, 100), 0);
			await world.advance(day);
			t.is(await world.stores.retention.purgeApprovals(retention, 2), 2);
			t.is(await world.stores.retention.purgeApprovals(retention, 100), 1);
			t.is((await approvals.get(owner, overdue.id))?.status, 'pending');
			// Past its time nobody has said so yet: it has to be told to whoever waits first.
			await world.advance(20 * day);
			t.is(await world.stores.retention.purgeApprovals(retention, 100), 0);
			t.deepEqual(idsOf(await approvals.expireDue(10)), [overdue.id]);
			t.is(await world.stores.retention.purgeApprovals(retention, 100), 1);
			t.is(await approvals.get(owner, overdue.id), undefined);
		},
		'approvals go by the plan of who made their server, whatever the plans of others are': async (t, world) => {
			const owners = [await addServerOn(world, 'short'), await addServerOn(world, 'long')];
			for (const {server} of owners) await world.addApproval(server);
			await world.advance(3600);
			await world.stores.approvals.expireDue(10);
			await world.advance(8 * day);
			t.is(await world.stores.retention.purgeApprovals(retention, 100), 1);
			const left = owners.map((owner) => world.stores.approvals.list(owner, 'expired', 10));
			t.deepEqual(
				(await Promise.all(left)).map(({length}) => length),
				[0, 1],
			);
		},
		'notifications go by the plan of their user, read or not': async (t, world) => {
			for (const [plan, left] of Object.entries(kept)) {
				const {user_id} = await world.addTenant({plan});
				const written = ages.map((age, index) =>
					buildNotification({user_id, is_read: index % 2 === 0, created_at: daysAgo(world, age)}),
				);
				for (const each of written) await world.stores.notifications.append(each);
				t.is(await world.stores.retention.purgeNotifications(retention, 100), ages.length - left.length, plan);
				const {data} = await world.stores.notifications.list(user_id, {unread_only: false}, {limit: 100, offset: 0});
				t.deepEqual(
					data.map(({created_at}) => ageOf(world, created_at)),
					left,
					plan,
				);
			}
		},
	},
};
