import type {CallFilter, McpCall, McpCallEntry} from '../../mcp/model/call.ts';
import {buildId} from '../builders/identity.ts';
import {buildCallEntry} from '../builders/mcp.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, type ContractWorld, idsOf, longTexts, parallel, tally} from './world.ts';

const whole = 1_000_000;
const firstPage = {limit: 100, offset: 0};
const bytes = (text: string) => new TextEncoder().encode(text);

/** What was appended, as it is read. */
const readAs = ({team_id: _, request_body, response_body, ...entry}: McpCallEntry): McpCall => ({
	...entry,
	request_body: new TextDecoder('utf-8', {ignoreBOM: true}).decode(request_body),
	response_body: new TextDecoder('utf-8', {ignoreBOM: true}).decode(response_body),
});

const addTeamWithServer = async (world: ContractWorld) => {
	const owner = await world.addTenant();
	return {...owner, server: await world.addServer(owner)};
};

export const callLog: Contract = {
	subject: 'call log',
	cases: {
		'an entry can be read as soon as its append has resolved, also among many at once': async (t, world) => {
			const {server, team_ids} = await addTeamWithServer(world);
			const entries = Array.from({length: 100}, () => buildCallEntry({server, approval_id: buildId(), cost_cents: 3}));
			const appendAndRead = async (entry: McpCallEntry) => {
				await world.stores.callLog.append(entry);
				return world.stores.calls.get(team_ids, entry.id);
			};
			const read = await Promise.all(entries.map(appendAndRead));
			t.deepEqual(read, entries.map(readAs));
		},
		'its rollup is there at the same time': async (t, world) => {
			const {server, team_id} = await addTeamWithServer(world);
			const month = {from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z'};
			for (let calls = 1; calls <= 3; calls += 1) {
				await world.addCall(server);
				t.is((await world.stores.calls.sums(team_id, month)).by_tool.at(0)?.calls, calls);
			}
		},
		'an entry whose server is gone is dropped in silence, and harms no other': async (t, world) => {
			const {server, team_id, team_ids} = await addTeamWithServer(world);
			const orphan = buildCallEntry({server: {...server, id: buildId()}});
			const entries = [buildCallEntry({server}), orphan, buildCallEntry({server})];
			await Promise.all(entries.map((entry) => world.stores.callLog.append(entry)));
			t.is(await world.stores.calls.get(team_ids, orphan.id), undefined);
			t.is(await world.stores.calls.count(team_id, {}), 2);
		},
	},
};

export const readingCalls: Contract = {
	subject: 'calls',
	cases: {
		'the list is newest first, equally new ones by id, and pages join without gaps or doubles': async (t, world) => {
			const {server, team_id} = await addTeamWithServer(world);
			const times = ['2026-01-31T10:00:00.001Z', '2026-01-31T10:00:00.000Z'];
			const entries = await parallel(12, (index) => world.addCall(server, {created_at: times[index % 2] ?? ''}));
			const newest = entries.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
			const pages = await parallel(4, (page) =>
				world.stores.calls.list(team_id, {}, {limit: 5, offset: page * 5, body_chars: whole}),
			);
			t.deepEqual(idsOf(pages.flatMap((page) => page.data)), idsOf(newest));
			t.deepEqual(
				pages.map(({total, limit, offset}) => [total, limit, offset]),
				[0, 5, 10, 15].map((offset) => [12, 5, offset]),
			);
		},
		'the list and the count obey every filter, and all of them together': async (t, world) => {
			const {server, team_id, user_id, team_ids} = await addTeamWithServer(world);
			const other = await world.addServer({...(await world.addTenant()), user_id, team_id, team_ids});
			const wanted = {
				method: 'tools/call',
				tool_name: 'send',
				status: 'timeout',
				created_at: '2026-01-31T10:00:00.000Z',
			} as const;
			const odd: readonly Partial<McpCallEntry>[] = [
				{method: 'tools/list'},
				{tool_name: 'Send'},
				{status: 'error'},
				{created_at: '2026-01-31T09:59:59.999Z'},
				{created_at: '2026-01-31T10:00:00.001Z'},
			];
			for (const fields of odd) await world.addCall(server, {...wanted, ...fields});
			await world.addCall(other, wanted);
			const {id} = await world.addCall(server, wanted);
			const filters: readonly (readonly [CallFilter, number])[] = [
				[{}, 7],
				[{server_id: server.id}, 6],
				[{method: 'tools/call'}, 6],
				[{tool_name: 'send'}, 6],
				[{status: 'timeout'}, 6],
				[{from: wanted.created_at}, 6],
				[{to: wanted.created_at}, 1],
			];
			for (const [filter, count] of filters) {
				t.is(await world.stores.calls.count(team_id, filter), count, JSON.stringify(filter));
				t.is((await world.stores.calls.list(team_id, filter, {...firstPage, body_chars: whole})).total, count);
			}
			const {created_at: from, ...equal} = wanted;
			const all = {...equal, from, to: '2026-01-31T10:00:00.001Z', server_id: server.id};
			t.is(await world.stores.calls.count(team_id, all), 1);
			t.deepEqual(idsOf((await world.stores.calls.list(team_id, all, {...firstPage, body_chars: whole})).data), [id]);
		},
		'in a list bodies are cut to their first characters, by id they are whole': async (t, world) => {
			const {server, team_id, team_ids} = await addTeamWithServer(world);
			const entry = await world.addCall(server, {request_body: bytes('a👩é\u0301z'), response_body: bytes('ab')});
			const cut = async (characters: number) => {
				const {data} = await world.stores.calls.list(team_id, {}, {...firstPage, body_chars: characters});
				return [data[0]?.request_body, data[0]?.response_body];
			};
			t.deepEqual(await cut(0), ['', '']);
			t.deepEqual(await cut(1), ['a', 'a']);
			t.deepEqual(await cut(2), ['a👩', 'ab']);
			t.deepEqual(await cut(4), ['a👩é\u0301', 'ab']);
			t.deepEqual(await cut(5), ['a👩é\u0301z', 'ab']);
			t.deepEqual(await world.stores.calls.get(team_ids, entry.id), readAs(entry));
		},
		'long bodies come back whole, and begin in a list as they were sent': async (t, world) => {
			const {server, team_id, team_ids} = await addTeamWithServer(world);
			for (const text of longTexts) {
				const {id} = await world.addCall(server, {request_body: bytes(text), response_body: bytes(`${text}.`)});
				const call = await world.stores.calls.get(team_ids, id);
				t.is(call?.request_body === text && call.response_body === `${text}.`, true, `${text.length} characters`);
				for (const body_chars of [10, 16_384, 40_000]) {
					const {data} = await world.stores.calls.list(team_id, {}, {limit: 1, offset: 0, body_chars});
					const characters = Array.from(text).slice(0, body_chars).join('');
					t.is(data[0]?.request_body === characters, true, `${body_chars} of ${text.length} characters`);
				}
				await world.stores.calls.delete(team_ids, id);
			}
		},
		'another team sees no call, counts none and deletes none': async (t, world) => {
			const [{server, ...owner}, other] = [await addTeamWithServer(world), await addTeamWithServer(world)];
			const {id} = await world.addCall(server);
			t.is(await world.stores.calls.get(other.team_ids, id), undefined);
			t.is(await world.stores.calls.get([], id), undefined);
			t.is(
				(await world.stores.calls.list(other.team_id, {server_id: server.id}, {...firstPage, body_chars: whole})).total,
				0,
			);
			t.is(await world.stores.calls.count(other.team_id, {}), 0);
			t.is(await world.stores.calls.delete(other.team_ids, id), undefined);
			t.is((await world.stores.calls.get(owner.team_ids, id))?.id, id);
		},
		'a deletion answers whose the entry was, once': async (t, world) => {
			const {server, team_id, team_ids} = await addTeamWithServer(world);
			const [{id}, kept] = [await world.addCall(server), await world.addCall(server)];
			const deleted = await parallel(5, () => world.stores.calls.delete(['elsewhere', ...team_ids], id));
			t.deepEqual(tally(deleted.map((answer) => answer?.mcp_server_id)), {[server.id]: 1, undefined: 4});
			t.is(deleted.find((answer) => answer !== undefined)?.team_id, team_id);
			const {data} = await world.stores.calls.list(team_id, {}, {...firstPage, body_chars: whole});
			t.deepEqual(idsOf(data), [kept.id]);
		},
	},
};

export const textOfCalls: Contract = {
	subject: 'calls',
	needs: 'exact_text',
	cases: {
		'every text of an entry is kept to the last character': async (t, world) => {
			const {server, team_ids} = await addTeamWithServer(world);
			for (const text of awkwardTexts) {
				const body = bytes(text);
				const fields = {method: text, tool_name: text, error_message: text, headers: {'x-a': text}};
				const entry = await world.addCall(server, {...fields, request_body: body, response_body: body});
				t.deepEqual(await world.stores.calls.get(team_ids, entry.id), readAs(entry));
			}
		},
		'bodies of a megabyte are kept whole, empty ones stay empty': async (t, world) => {
			const {server, team_ids} = await addTeamWithServer(world);
			const request_body = bytes('👩 {"a":"\u00e9"}\r\n'.repeat(60_000));
			const entry = await world.addCall(server, {request_body, response_body: new Uint8Array()});
			t.deepEqual(await world.stores.calls.get(team_ids, entry.id), readAs(entry));
		},
		'bytes that are no text read as replacement characters': async (t, world) => {
			const {server, team_ids} = await addTeamWithServer(world);
			const {id} = await world.addCall(server, {request_body: new Uint8Array([0x61, 0xff, 0x62])});
			t.is((await world.stores.calls.get(team_ids, id))?.request_body, 'a\ufffdb');
		},
		'tool names that differ in case or a trailing blank are filtered apart': async (t, world) => {
			const {server, team_id} = await addTeamWithServer(world);
			const names = ['send', 'SEND', 'send ', 's\u00e9nd', 'se\u0301nd'];
			for (const tool_name of names) await world.addCall(server, {tool_name});
			for (const tool_name of names) t.is(await world.stores.calls.count(team_id, {tool_name}), 1, tool_name);
		},
		'texts with a long beginning in common are filtered apart': async (t, world) => {
			const {server, team_id} = await addTeamWithServer(world);
			const beginning = 'é'.repeat(126);
			const texts = ['', 'x', 'xx', 'xxx', 'xxy', '👩', '👩👩', 'x👩'].map((end) => `${beginning}${end}`);
			for (const text of texts) await world.addCall(server, {method: text, tool_name: text});
			for (const text of texts) {
				t.is(await world.stores.calls.count(team_id, {tool_name: text}), 1, text);
				t.is(await world.stores.calls.count(team_id, {method: text, tool_name: text}), 1, text);
			}
		},
	},
};
