import {readFile} from 'node:fs/promises';
import {isDeepStrictEqual} from 'node:util';
import type {CallStatus} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {type FaultUpstream, type FaultyAnswer, startFaultUpstream} from '../scenarios/proxy/fault-upstream.ts';
import {type LoneProxy, openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {toolCall} from '../support/json-rpc-upstream.ts';
import {listen} from '../support/mcp/listen.ts';
import {until} from '../support/mcp/until.ts';

/** What the client sees. */
type Seen =
	/** A JSON-RPC error of ours, with this code, under the id of the request, in place of an answer. */
	| Readonly<{status: number; error: number}>
	/** The same as the last event of a stream. */
	| Readonly<{status: number; event: number}>
	/** The bytes of the upstream, all of them or these. */
	| Readonly<{status: number; passes: true | string}>
	/** More than it has patience for. */
	| Readonly<{status: number; leaves: true}>;

type FaultCase = Readonly<{
	category: string;
	name: string;
	answer: FaultyAnswer;
	client: Seen;
	row: Readonly<{status: CallStatus; status_code: number; error_message: string}>;
}>;

const address = new URL('../scenarios/proxy/faults.json', import.meta.url);
/** `<x:100>` stands for a hundred of them. */
const text = (await readFile(address, 'utf8')).replaceAll(/<x:(\d+)>/g, (_, times) => 'x'.repeat(Number(times)));
const cases: readonly FaultCase[] = JSON.parse(text);

const wellBehaved: FaultyAnswer = {
	head: ['HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: <length>'],
	body: '{"jsonrpc":"2.0","id":<id>,"result":{"content":[]}}',
	end: 'keep',
};

const answers = new Map(cases.map(({name, answer}) => [name, answer]));
const answerOf = (tool: string): FaultyAnswer => answers.get(tool) ?? wellBehaved;

type World = Readonly<{faulty: FaultUpstream; proxy: LoneProxy; faultyUrl: string; healthyUrl: string}>;

const openWorld = async (t: ExecutionContext): Promise<World> => {
	const [faulty, healthy] = [await startFaultUpstream(answerOf), await startFaultUpstream(answerOf)];
	const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8'], upstream_timeout_ms: 3_000});
	t.teardown(async () => Promise.all([faulty.close(), healthy.close()]));
	const url = async ({url}: FaultUpstream) => `${proxy.origin}${await proxy.addServer({target_url: url})}`;
	return {faulty, proxy, faultyUrl: await url(faulty), healthyUrl: await url(healthy)};
};

const send = (url: string, body: object, signal?: AbortSignal): Promise<Response> =>
	fetch(url, {
		method: 'POST',
		redirect: 'manual',
		headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
		body: JSON.stringify(body),
		...(signal && {signal}),
	});

const impatience = 1024 * 1024;

/** Reads so much and no more. */
const readAndLeave = async (url: string, body: object): Promise<Seen> => {
	const leaving = new AbortController();
	const {status, body: stream} = await send(url, body, leaving.signal);
	let read = 0;
	for await (const chunk of stream ?? []) {
		read += chunk.length;
		if (read > impatience) break;
	}
	leaving.abort();
	return {status, leaves: true};
};

const textPassed = ({answer, client}: FaultCase, id: unknown): string => {
	if ('passes' in client && typeof client.passes === 'string') return client.passes;
	const {head = [], body = '', times = 1} = answer;
	const one = head.some((line) => /chunked/.test(line)) ? body.slice(body.indexOf('\r\n') + 2, -2) : body;
	return times === 'endless' ? '' : one.replaceAll('<id>', JSON.stringify(id)).repeat(times);
};

/** The code of a JSON-RPC error under that id. */
const errorCode = (json: string, id: unknown): number | undefined => {
	const message = JSON.parse(json);
	return message.id === id ? message.error?.code : undefined;
};

const lastEvent = (stream: string): string => stream.trimEnd().split('\n').at(-1)?.slice('data: '.length) ?? '';

/** Sends a case, and says what came back in the words of the case. */
const see = async (url: string, each: FaultCase): Promise<object> => {
	const call = toolCall(each.name);
	const {client} = each;
	if ('leaves' in client) return await readAndLeave(url, call);
	const answer = await send(url, call);
	const {status} = answer;
	const bytes = Buffer.from(await answer.arrayBuffer());
	const text = bytes.toString();
	try {
		if ('error' in client) return {status, error: errorCode(text, call.id)};
		if ('event' in client) return {status, event: errorCode(lastEvent(text), call.id)};
	} catch {
		return {status, text};
	}
	const passed = bytes.equals(Buffer.from(textPassed(each, call.id), 'latin1'));
	return passed ? {status, passes: client.passes} : {status, text: text.slice(0, 1000)};
};

const isWell = async (url: string): Promise<boolean> => {
	const call = toolCall('well_behaved');
	const answer = await send(url, call);
	return (await answer.text()) === JSON.stringify({jsonrpc: '2.0', id: call.id, result: {content: []}});
};

const rowsOf = async ({core, owner}: LoneProxy, tool_name: string) => {
	const read = async () => (await core.mcp.calls.list(owner, {tool_name}, {limit: 100, offset: 0})).data;
	const rows = await until(async () => {
		const found = await read();
		return found.length > 0 && found;
	}, `the row of ${tool_name}`);
	return rows.map(({status, status_code, error_message}) => ({status, status_code, error_message}));
};

const runCase = async ({proxy, faultyUrl, healthyUrl}: World, each: FaultCase) => {
	const [client, ...beside] = await Promise.all([see(faultyUrl, each), isWell(faultyUrl), isWell(healthyUrl)]);
	const others = [...beside, await isWell(faultyUrl)];
	const rows = await rowsOf(proxy, each.name);
	return {name: each.name, client, rows, others};
};

type Outcome = Awaited<ReturnType<typeof runCase>>;

const expected = ({name, client, row}: FaultCase) => ({name, client, rows: [row], others: [true, true, true]});

/** Which requirements the cases of a category show. */
const citations: Readonly<Record<string, string>> = {
	content: '',
	framing: '[PRX-060 PRX-062 PRX-063] ',
	timing: '[PRX-061 PRX-062 PRX-063] ',
	size: '',
};

for (const [category, ids] of Object.entries(citations)) {
	const ofCategory = cases.filter((each) => each.category === category);
	test(`${ids}an upstream whose ${category} is at fault harms its own call only, which is answered and logged`, async (t) => {
		const world = await openWorld(t);
		const outcomes: Outcome[] = [];
		const wanted = ofCategory.map(expected);
		// What is large comes alone, so that it is the largest thing in memory.
		const atOnce = category === 'size' ? 1 : ofCategory.length;
		for (let from = 0; from < ofCategory.length; from += atOnce) {
			const group = ofCategory.slice(from, from + atOnce);
			outcomes.push(...(await Promise.all(group.map((each) => runCase(world, each)))));
		}
		const unexpected = outcomes.filter((outcome, at) => !isDeepStrictEqual(outcome, wanted[at]));
		t.deepEqual(
			unexpected,
			wanted.filter(({name}) => unexpected.some((each) => each.name === name)),
		);
		await until(() => world.faulty.open() <= 1, 'the end of the connections, but for one that can be used again');
	});
}

test('an upstream that speaks no TLS where TLS is due is a bad gateway', async (t) => {
	const {proxy, healthyUrl} = await openWorld(t);
	const plain = await listen(() => {});
	t.teardown(plain.close);
	const path = await proxy.addServer({target_url: plain.origin.replace('http:', 'https:')});
	const call = toolCall('no_tls');
	const answer = await send(`${proxy.origin}${path}`, call);
	t.is(answer.status, 502);
	t.like(await answer.json(), {id: call.id, error: {code: 502}});
	t.like(await rowsOf(proxy, 'no_tls'), [{status: 'error', error_message: 'The upstream could not be reached.'}]);
	t.true(await isWell(healthyUrl));
});

test('every case is of a category that is run', (t) => {
	t.true(cases.length >= 80);
	t.deepEqual(
		cases.filter(({category}) => citations[category] === undefined),
		[],
	);
});
