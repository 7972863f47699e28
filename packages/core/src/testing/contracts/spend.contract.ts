import type {Reservation} from '../../ports/index.ts';
import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, parallel, reasonOf} from './world.ts';

const month = '2026-01';

const createBooking = async (world: ContractWorld) => {
	const {id: mcp_server_id} = await world.addServer(await world.addTenant());
	const of = (cents: number, fields: Partial<Reservation> = {}): Reservation => ({
		mcp_server_id,
		month,
		tool_name: 'send',
		cents,
		...fields,
	});
	return {
		mcp_server_id,
		of,
		reserve: (cents: number, budget: number | null, fields: Partial<Reservation> = {}) =>
			world.stores.spend.reserve(of(cents, fields), budget),
		report: () => world.stores.spend.report(mcp_server_id, month),
	};
};

export const spend: Contract = {
	subject: 'spend',
	cases: {
		'a reservation answers the sum of the month afterwards': async (t, world) => {
			const {reserve} = await createBooking(world);
			t.is(await reserve(10, null), 10);
			t.is(await reserve(5, null, {tool_name: 'list'}), 15);
			t.is(await reserve(0, null), 15);
		},
		'the budget may be spent to the last cent, and not beyond': async (t, world) => {
			const {reserve, report} = await createBooking(world);
			t.is(await reserve(60, 100), 60);
			t.is(await reserve(41, 100), undefined);
			t.is(await reserve(40, 100, {tool_name: 'list'}), 100);
			t.is(await reserve(1, 100), undefined);
			t.deepEqual(await report(), [
				{tool_name: 'send', total_cents: 60, call_count: 1},
				{tool_name: 'list', total_cents: 40, call_count: 1},
			]);
		},
		'parallel reservations never exceed the budget': async (t, world) => {
			const {reserve, report} = await createBooking(world);
			const sums = await parallel(50, (index) => reserve(10, 100, {tool_name: `tool_${index % 3}`}));
			const granted = sums.filter((sum) => sum !== undefined).toSorted((a, b) => a - b);
			t.deepEqual(granted, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
			t.is(
				(await report()).reduce((total, tool) => total + tool.total_cents, 0),
				100,
			);
		},
		'each server and each month has its own sum': async (t, world) => {
			const [one, two] = [await createBooking(world), await createBooking(world)];
			t.is(await one.reserve(100, 100), 100);
			t.is(await one.reserve(100, 100, {month: '2026-02'}), 100);
			t.is(await two.reserve(100, 100), 100);
			t.deepEqual(await one.report(), [{tool_name: 'send', total_cents: 100, call_count: 1}]);
			t.deepEqual(await world.stores.spend.report(buildId(), month), []);
		},
		'what is reserved or released changes no sum of another server, month or tool': async (t, world) => {
			const [one, two] = [await createBooking(world), await createBooking(world)];
			const february = {month: '2026-02'};
			const list = {tool_name: 'list'};
			t.is(await one.reserve(10, null), 10);
			t.is(await one.reserve(20, null, february), 20);
			t.is(await two.reserve(30, null), 30);
			t.is(await two.reserve(30, null), 60);
			t.is(await two.reserve(5, null, list), 65);
			await world.stores.spend.release(two.of(30));
			t.is(await one.reserve(1, null), 11);
			t.is(await one.reserve(1, null, february), 21);
			t.is(await two.reserve(1, null), 36);
			t.deepEqual(await two.report(), [
				{tool_name: 'send', total_cents: 31, call_count: 2},
				{tool_name: 'list', total_cents: 5, call_count: 1},
			]);
			t.deepEqual(await one.report(), [{tool_name: 'send', total_cents: 11, call_count: 2}]);
		},
		'what was not reserved, or was released before, is not taken back': async (t, world) => {
			const {of, reserve, report} = await createBooking(world);
			await reserve(10, null, {tool_name: 'list'});
			await reserve(20, null);
			for (let again = 0; again < 3; again += 1) await world.stores.spend.release(of(20));
			t.deepEqual(await report(), [{tool_name: 'list', total_cents: 10, call_count: 1}]);
			t.is(await reserve(0, null), 10);
		},
		'a released reservation makes room, and is as if it never was': async (t, world) => {
			const {of, reserve, report} = await createBooking(world);
			await reserve(30, 100);
			const before = await report();
			await reserve(70, 100);
			await reserve(0, 100, {tool_name: 'list'});
			await world.stores.spend.release(of(70));
			await world.stores.spend.release(of(0, {tool_name: 'list'}));
			t.deepEqual(await report(), before);
			t.is(await reserve(70, 100), 100);
		},
		'parallel reservations and releases add up to what is left': async (t, world) => {
			const {of, reserve, report} = await createBooking(world);
			for (let count = 0; count < 30; count += 1) await reserve(10, null);
			await parallel(60, async (index) => {
				if (index % 2 === 0) await reserve(10, null);
				else await world.stores.spend.release(of(10));
			});
			t.deepEqual(await report(), [{tool_name: 'send', total_cents: 300, call_count: 30}]);
			t.is(await reserve(0, 300), 300);
		},
		'the report is costliest first, with the number of calls of each tool': async (t, world) => {
			const {reserve, report} = await createBooking(world);
			const booked = [
				['cheap', 1],
				['dear', 50],
				['cheap', 2],
				['middling', 20],
			] as const;
			for (const [tool_name, cents] of booked) await reserve(cents, null, {tool_name});
			t.deepEqual(await report(), [
				{tool_name: 'dear', total_cents: 50, call_count: 1},
				{tool_name: 'middling', total_cents: 20, call_count: 1},
				{tool_name: 'cheap', total_cents: 3, call_count: 2},
			]);
		},
		'a server that is gone spends nothing: resource_not_found': async (t, world) => {
			const {reserve} = await createBooking(world);
			t.is(await reasonOf(reserve(1, null, {mcp_server_id: buildId()})), 'resource_not_found');
		},
	},
};

export const textOfSpend: Contract = {
	subject: 'spend',
	needs: 'exact_text',
	cases: {
		'tools whose names differ in case or a trailing blank are reported apart': async (t, world) => {
			const {reserve, report} = await createBooking(world);
			const names = ['send', 'SEND', 'send ', 's\u00e9nd', 'se\u0301nd'];
			for (const [index, tool_name] of names.entries()) await reserve(50 - index, null, {tool_name});
			t.deepEqual(
				(await report()).map((tool) => tool.tool_name),
				names,
			);
		},
	},
};
