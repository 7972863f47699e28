import {type Body, createApi, registerPerson} from '../../support/api.ts';
import type {TestServer} from '../../support/server.ts';
import {fieldOf, type HttpMessage} from './http-messages.ts';
import {type RawUpstream, startRawUpstream} from './raw-upstream.ts';
import {runWireCase, type Seen, type SeenAnswer, statusOf} from './run-wire-case.ts';
import type {Address, OwnAnswer, WireCase} from './wire-cases.ts';
import {
	type About,
	anew,
	answerDifferences,
	type Difference,
	requestDifferences,
	withoutOwnHop,
} from './wire-differences.ts';

/** Two values that are to be equal, and the differences by design that were met. */
type Comparison = Readonly<{got: unknown; expected: unknown; met: readonly string[]}>;

/** A case that was run through the proxy, and straight where it can be. */
export type WireRun = Readonly<{
	server_id: string;
	about: About;
	words: Address['words'];
	direct: Seen;
	proxied: Seen;
}>;

/** Names in alphabetical order, each with its values in theirs. */
const valuesByName = ({fields}: HttpMessage): Readonly<Record<string, readonly string[]>> => {
	const names = [...new Set(fields.map(([name]) => name))].sort();
	const valuesOf = (name: string) => fields.filter(([each]) => each === name).map(([, value]) => value);
	return Object.fromEntries(names.map((name) => [name, valuesOf(name)]));
};

/** A list may come in one field or in many (RFC 9110, 5.3). */
const listsByName = (message: HttpMessage): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(valuesByName(message)).map(([name, values]) => [name, values.join(', ')]));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isNew = (name: string, value: string): boolean =>
	name === 'date' ? !Number.isNaN(Date.parse(value)) : name === 'x-request-id' && uuid.test(value);

/** With what is new each time looked at, and then covered. */
const masked = (seen: SeenAnswer, expected: SeenAnswer): SeenAnswer => ({
	...seen,
	fields: seen.fields.map(([name, value]) => [
		name,
		fieldOf(expected, name) === anew && isNew(name, value) ? anew : value,
	]),
});

type Applied<T> = Readonly<{seen: T; met: readonly string[]}>;

/** What was seen direct as it must look through the proxy, and which differences made a difference. */
const applyAll = <T extends HttpMessage>(differences: readonly Difference<T>[], seen: T, about: About): Applied<T> =>
	differences.reduce<Applied<T>>(
		(before, {name, apply}) => {
			const after = apply(before.seen, about);
			const isMet = JSON.stringify(after) !== JSON.stringify(before.seen);
			return {seen: after, met: isMet ? [...before.met, name] : before.met};
		},
		{seen, met: []},
	);

const nothing: HttpMessage = {start: '', fields: [], body: '', trailers: [], complete: false};

/** What the client read, and what it must have read by what it reads straight from the upstream. */
const compareAnswers = ({direct, proxied, about}: WireRun): Comparison => {
	const applied = direct.answers.map((answer, index) =>
		applyAll(answerDifferences, answer, {...about, request: direct.requests[index] ?? nothing}),
	);
	const got = proxied.answers.map((answer, index) => masked(withoutOwnHop(answer), applied[index]?.seen ?? answer));
	const shown = (answer: SeenAnswer) => ({...answer, fields: valuesByName(answer)});
	return {got: got.map(shown), expected: applied.map(({seen}) => shown(seen)), met: applied.flatMap(({met}) => met)};
};

/** What reached the upstream, and what must have reached it by what the client sent. */
const compareRequests = ({direct, proxied, about}: WireRun): Comparison => {
	const applied = direct.requests.map((request) => applyAll(requestDifferences, request, {...about, request}));
	const shown = (request: HttpMessage) => ({...withoutOwnHop(request), fields: listsByName(withoutOwnHop(request))});
	return {
		got: proxied.requests.map(shown),
		expected: applied.map(({seen}) => shown(seen)),
		met: applied.flatMap(({met}) => met),
	};
};

/** An error as far as it is fixed; its message only has to be there. */
const errorIn = (body: Body) =>
	body?.jsonrpc === undefined
		? {code: body?.error?.code}
		: {...body, error: {...body.error, message: body.error.message !== ''}};

const compareOwn = ({proxied, words}: WireRun, own: OwnAnswer, isAsked: boolean): Comparison => {
	const {because, status, code, id = null, fields = {}} = own;
	const answer = proxied.answers[0] ?? {...nothing, interim: []};
	const body = answer.body === '' ? undefined : JSON.parse(answer.body);
	const rpcError = {jsonrpc: '2.0', id, error: {code, message: true}};
	return {
		got: {
			status: statusOf(answer),
			error: errorIn(body),
			fields: Object.keys(fields).map((name) => fieldOf(answer, name)),
			asked: proxied.requests.length,
		},
		expected: {
			status,
			error: typeof code === 'number' ? rpcError : {code},
			fields: Object.values(fields).map((value) => value.replace('{origin}', words.origin ?? '')),
			asked: isAsked ? 1 : 0,
		},
		met: [because],
	};
};

/** What is to be equal after a run of a case. */
export const compareWire = (run: WireRun, {exchanges}: WireCase): Comparison => {
	const [first] = exchanges;
	if (first?.own !== undefined) return compareOwn(run, first.own, first.answer !== undefined);
	const [requests, answers] = [compareRequests(run), compareAnswers(run)];
	return {
		got: {requests: requests.got, answers: answers.got},
		expected: {requests: requests.expected, answers: answers.expected},
		met: [...requests.met, ...answers.met],
	};
};

/** Somebody with a server at the proxy for each case, before an upstream of its own. */
export const openWireBench = async (server: TestServer) => {
	const {api} = await registerPerson(createApi(server.baseUrl));
	const {key} = (await api.post('/v1/api-keys', {name: 'wire', scopes: ['proxy']})).body;
	const address = (port: number, path: string): Address => ({
		port,
		words: {path, key, host: `127.0.0.1:${port}`, origin: new URL(server.baseUrl).origin},
	});
	const runBefore = async (upstream: RawUpstream, each: WireCase): Promise<WireRun> => {
		const settings = {name: 'wire', target_url: upstream.url, ...each.server};
		const {id, slug} = (await api.post('/v1/mcp/servers', settings)).body;
		const proxied = address(server.port, `/p/${slug}${each.suffix ?? ''}`);
		const metadata = `${server.proxyUrl}/.well-known/oauth-protected-resource/p/${slug}`;
		return {
			server_id: id,
			words: proxied.words,
			about: {server: each.server ?? {}, request: nothing, metadata},
			direct: await runWireCase(each, upstream, address(upstream.port, '/mcp')),
			proxied: await runWireCase(each, upstream, proxied),
		};
	};
	const run = async (each: WireCase): Promise<WireRun> => {
		const upstream = await startRawUpstream();
		try {
			return await runBefore(upstream, each);
		} finally {
			await upstream.close();
		}
	};
	const runs = new Map<WireCase, Promise<WireRun>>();
	return {
		api,
		/** Runs a case, once however often it is asked for. */
		run: (each: WireCase): Promise<WireRun> => {
			const running = runs.get(each) ?? run(each);
			runs.set(each, running);
			return running;
		},
	};
};

export type WireBench = Awaited<ReturnType<typeof openWireBench>>;
