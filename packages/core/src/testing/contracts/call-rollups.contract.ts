import type {McpCallEntry} from '../../mcp/model/call.ts';
import type {CallSums, DaySum, ToolSum} from '../../mcp/model/metrics.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import {durationBucketOf} from '../../mcp/rules/duration-histogram.ts';
import {instantOf, millisecondsOf} from '../../values/instant.ts';
import {buildCallEntry} from '../builders/mcp.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, parallel} from './world.ts';

const month = {from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z'};

const keyOf = (sum: ToolSum | DaySum) =>
	JSON.stringify('date' in sum ? [sum.date, sum.status] : [sum.tool_name, sum.status, sum.bucket]);

const sorted = <S extends ToolSum | DaySum>(sums: readonly S[]) =>
	sums.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const inOrder = ({by_tool, by_day}: CallSums): CallSums => ({by_tool: sorted(by_tool), by_day: sorted(by_day)});

const none: CallSums = {by_tool: [], by_day: []};

type Entries = readonly McpCallEntry[];

const total = (entries: Entries, field: 'duration_ms' | 'cost_cents') =>
	entries.reduce((sum, entry) => sum + entry[field], 0);

const groups = (entries: Entries, key: (entry: McpCallEntry) => unknown): readonly Entries[] => [
	...Map.groupBy(entries, (entry) => JSON.stringify(key(entry))).values(),
];

const toolSum = (entries: Entries): ToolSum => {
	const {tool_name, status, duration_ms} = entries[0] as McpCallEntry;
	const sums = {duration_ms: total(entries, 'duration_ms'), cost_cents: total(entries, 'cost_cents')};
	return {tool_name, status, bucket: durationBucketOf(duration_ms), calls: entries.length, ...sums};
};

const daySum = (entries: Entries): DaySum => {
	const {created_at, status} = entries[0] as McpCallEntry;
	return {
		...{date: created_at.slice(0, 10), status, calls: entries.length},
		duration_ms: total(entries, 'duration_ms'),
	};
};

/** The same sums, computed from the entries. */
const recomputed = (entries: Entries): CallSums =>
	inOrder({
		by_tool: groups(entries, ({tool_name, status, duration_ms}) => [
			tool_name,
			status,
			durationBucketOf(duration_ms),
		]).map(toolSum),
		by_day: groups(entries, ({created_at, status}) => [created_at.slice(0, 10), status]).map(daySum),
	});

const statuses = ['success', 'success', 'error', 'timeout'] as const;

/** Calls spread over three days, four tools, every status, and durations from 0 to an hour. */
const addMixedCalls = (world: ContractWorld, server: McpServerRecord, count: number) =>
	parallel(count, (index) =>
		world.addCall(server, {
			tool_name: `tool_${index % 4}`,
			status: statuses[index % 3] ?? 'success',
			duration_ms: index === 0 ? 0 : ((index * 7919) % 3_600_000) >> (index % 20),
			cost_cents: index % 6,
			created_at: instantOf(millisecondsOf('2026-01-10T00:00:00.000Z') + ((index * 104_729_000) % (3 * 86_400_000))),
		}),
	);

export const rollups: Contract = {
	subject: 'call rollups',
	cases: {
		'they equal the sums over the entries, per team and per server': async (t, world) => {
			const owner = await world.addTenant();
			const [one, two] = [await world.addServer(owner), await world.addServer(owner)];
			const [ofOne, ofTwo] = [await addMixedCalls(world, one, 90), await addMixedCalls(world, two, 30)];
			const read = async (server_id?: string) =>
				inOrder(await world.stores.calls.sums(owner.team_id, {...month, server_id}));
			t.deepEqual(await read(), recomputed([...ofOne, ...ofTwo]));
			t.deepEqual(await read(one.id), recomputed(ofOne));
			t.deepEqual(await read(two.id), recomputed(ofTwo));
		},
		'a deleted entry is taken out of them, also under parallel deletions, and out of no others': async (t, world) => {
			const owner = await world.addTenant();
			const [server, other] = [await world.addServer(owner), await world.addServer(owner)];
			const [entries, ofOther] = [await addMixedCalls(world, server, 40), await addMixedCalls(world, other, 40)];
			const [deleted, kept] = [entries.slice(0, 25), entries.slice(25)];
			await Promise.all([...deleted, ...deleted].map(({id}) => world.stores.calls.delete(owner.team_ids, id)));
			const read = async ({id: server_id}: McpServerRecord) =>
				inOrder(await world.stores.calls.sums(owner.team_id, {...month, server_id}));
			t.deepEqual(await read(server), recomputed(kept));
			t.deepEqual(await read(other), recomputed(ofOther));
		},
		'they stay exact while entries come and go': async (t, world) => {
			const owner = await world.addTenant();
			const server = await world.addServer(owner);
			let kept: Entries = [];
			for (let wave = 0; wave < 6; wave += 1) {
				const entries = [...kept, ...(await addMixedCalls(world, server, 120))];
				const gone = entries.filter((_, index) => index % 3 === wave % 3);
				await Promise.all(gone.map(({id}) => world.stores.calls.delete(owner.team_ids, id)));
				kept = entries.filter((entry) => !gone.includes(entry));
				t.deepEqual(inOrder(await world.stores.calls.sums(owner.team_id, month)), recomputed(kept));
			}
		},
		'nothing is left of them when the last entry is deleted': async (t, world) => {
			const owner = await world.addTenant();
			const entries = await addMixedCalls(world, await world.addServer(owner), 10);
			for (const {id} of entries) await world.stores.calls.delete(owner.team_ids, id);
			t.deepEqual(await world.stores.calls.sums(owner.team_id, month), none);
		},
		'a deleted server is taken out of them': async (t, world) => {
			const owner = await world.addTenant();
			const [gone, kept] = [await world.addServer(owner), await world.addServer(owner)];
			await addMixedCalls(world, gone, 10);
			const entries = await addMixedCalls(world, kept, 10);
			await world.stores.mcpServers.delete(owner.team_ids, gone.id);
			t.deepEqual(inOrder(await world.stores.calls.sums(owner.team_id, month)), recomputed(entries));
		},
		'the hours asked for begin with from and end before to': async (t, world) => {
			const owner = await world.addTenant();
			const server = await world.addServer(owner);
			const at = (created_at: string) => world.addCall(server, {created_at});
			await at('2026-01-10T09:59:59.999Z');
			const inside = [await at('2026-01-10T10:00:00.000Z'), await at('2026-01-10T11:59:59.999Z')];
			await at('2026-01-10T12:00:00.000Z');
			const hours = {from: '2026-01-10T10:00:00.000Z', to: '2026-01-10T12:00:00.000Z'};
			t.deepEqual(await world.stores.calls.sums(owner.team_id, hours), recomputed(inside));
			t.deepEqual(await world.stores.calls.sums(owner.team_id, {...hours, to: hours.from}), none);
		},
		'whole days and the hours around them are summed up as one': async (t, world) => {
			const owner = await world.addTenant();
			const entries = await addMixedCalls(world, await world.addServer(owner), 120);
			for (const [from, to] of [
				['2026-01-10T00:00:00.000Z', '2026-01-12T00:00:00.000Z'],
				['2026-01-10T07:00:00.000Z', '2026-01-12T15:00:00.000Z'],
				['2026-01-10T07:00:00.000Z', '2026-01-11T05:00:00.000Z'],
				['2026-01-09T23:00:00.000Z', '2026-01-13T01:00:00.000Z'],
			] as const) {
				const inside = entries.filter(({created_at}) => created_at >= from && created_at < to);
				t.deepEqual(inOrder(await world.stores.calls.sums(owner.team_id, {from, to})), recomputed(inside));
			}
		},
		'another team has none of them': async (t, world) => {
			const [owner, other] = [await world.addTenant(), await world.addTenant()];
			const server = await world.addServer(owner);
			await world.addCall(server);
			t.deepEqual(await world.stores.calls.sums(other.team_id, {...month, server_id: server.id}), none);
		},
		'a dropped entry is in none of them': async (t, world) => {
			const owner = await world.addTenant();
			const server = await world.addServer(owner);
			await world.stores.mcpServers.delete(owner.team_ids, server.id);
			await world.stores.callLog.append(buildCallEntry({server}));
			t.deepEqual(await world.stores.calls.sums(owner.team_id, month), none);
		},
	},
};

export const textOfRollups: Contract = {
	subject: 'call rollups',
	needs: 'exact_text',
	cases: {
		'tools whose names differ in case or a trailing blank are summed apart': async (t, world) => {
			const owner = await world.addTenant();
			const server = await world.addServer(owner);
			const names = ['send', 'SEND', 'send ', 's\u00e9nd', 'se\u0301nd'];
			const entries = await parallel(10, (index) => world.addCall(server, {tool_name: names[index % 5] ?? ''}));
			t.deepEqual(inOrder(await world.stores.calls.sums(owner.team_id, month)), recomputed(entries));
		},
	},
};
