import {once} from 'node:events';
import {Readable} from 'node:stream';
import {DomainError} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {type AgentEvent, type AgentPeer, type Call, type OutputChunk, RpcError, requestMaxBytes} from '../src/index.ts';
import {asked, chunk, exchanges, watched} from './support/messages.ts';
import {annesKey, answering, bensKey} from './support/served.ts';
import {type Wire, wires} from './support/wires.ts';

type Run = (t: ExecutionContext, wire: Wire) => Promise<void>;

/** Runs over every wire. What it proves about gRPC is cited where gRPC is spoken. */
const overEveryWire = (title: string, run: Run, ...ids: readonly string[]): void => {
	for (const wire of wires) {
		const cited = wire.name === 'over gRPC' && ids.length > 0 ? `[${ids.join(' ')}] ` : '';
		test(`${cited}${wire.name}, ${title}`, (t) => run(t, wire));
	}
};

const failureOf = async (call: Promise<unknown>): Promise<readonly [string, string]> => {
	try {
		return ['nothing', JSON.stringify(await call)];
	} catch (error) {
		return error instanceof RpcError ? [error.kind, error.message] : ['not an RpcError', String(error)];
	}
};

const kindOf = async (call: Promise<unknown>): Promise<string> => (await failureOf(call))[0];

const aborted = async (signal: AbortSignal | undefined): Promise<void> => {
	if (signal && !signal.aborted) await once(signal, 'abort');
};

const all = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
	const got: T[] = [];
	for await (const item of items) got.push(item);
	return got;
};

async function* endless(onReturn = () => {}): AsyncGenerator<OutputChunk, void> {
	try {
		for (let offset = 0; ; offset += 1024) yield chunk(offset, new Uint8Array(1024));
	} finally {
		onReturn();
	}
}

overEveryWire(
	'every call arrives as it was made, and so does its answer',
	async (t, wire) => {
		const seen: unknown[] = [];
		const calls = Object.entries(exchanges);
		const answer = (name: string, response: unknown) => async (request: unknown) => {
			seen.push([name, request]);
			return response;
		};
		const answers = Object.fromEntries(calls.map(([name, [, response]]) => [name, answer(name, response)]));
		const {connect} = await wire.open(t, answering(answers));
		const peer = connect() as unknown as Readonly<Record<string, Call<unknown, unknown>>>;
		for (const [name, [request, response]] of calls) t.deepEqual(await peer[name]?.(request), response, name);
		t.deepEqual(
			seen,
			calls.map(([name, [request]]) => [name, request]),
		);
	},
	'AGT-034',
);

overEveryWire('an execution that got no exit code has none', async (t, wire) => {
	const {exit_code: _, ...request} = exchanges.finish[0];
	const {connect} = await wire.open(t, answering({finish: async (got) => ({accepted: got.exit_code === undefined})}));
	t.deepEqual(await connect().finish(request), {accepted: true});
});

overEveryWire('a watch brings its events in their order, and ends when the server ends it', async (t, wire) => {
	const events: readonly AgentEvent[] = [
		{$case: 'wake', value: {}},
		{$case: 'cancel', value: {execution_id: 'e1', reason: 'person', grace_ms: 10_000}},
		{$case: 'drain', value: {reason: 'update'}},
	];
	const {connect} = await wire.open(
		t,
		answering({
			async *watch(request) {
				t.deepEqual(request, watched);
				yield* events;
			},
		}),
	);
	t.deepEqual(await all(connect().watch(watched)), events);
});

overEveryWire('what the server throws on purpose arrives with its kind and its message', async (t, wire) => {
	const kinds = [
		'invalid',
		'unauthenticated',
		'forbidden',
		'missing',
		'conflict',
		'limited',
		'unsupported',
		'unavailable',
		'timed_out',
		'internal',
	] as const;
	for (const kind of kinds) {
		const fail = () => Promise.reject(new RpcError(kind, `It is ${kind}: übel.`));
		const watch = () => ({[Symbol.asyncIterator]: () => ({next: fail})});
		const {connect} = await wire.open(t, answering({start: fail, watch, appendOutput: fail}));
		const peer = connect();
		t.deepEqual(await failureOf(peer.start(exchanges.start[0])), [kind, `It is ${kind}: übel.`]);
		t.deepEqual(await failureOf(all(peer.watch(watched))), [kind, `It is ${kind}: übel.`]);
		t.deepEqual(await failureOf(peer.appendOutput(endless())), [kind, `It is ${kind}: übel.`]);
	}
});

overEveryWire('errors of the domain keep their meaning', async (t, wire) => {
	const fail = () => Promise.reject(new DomainError('resource_not_found', {message: 'There is no such agent.'}));
	const {connect} = await wire.open(t, answering({start: fail}));
	t.deepEqual(await failureOf(connect().start(exchanges.start[0])), ['missing', 'There is no such agent.']);
});

overEveryWire('a refusal says when the same call makes sense again, where the server knows', async (t, wire) => {
	const limited = () => Promise.reject(new DomainError('rate_limited', {retryAfterSeconds: 7}));
	const watch = () => ({[Symbol.asyncIterator]: () => ({next: limited})});
	const answers = {
		start: limited,
		watch,
		appendOutput: limited,
		deregister: () => Promise.reject(new RpcError('limited', '')),
	};
	const {connect} = await wire.open(t, answering(answers));
	const peer = connect();
	const refused = {kind: 'limited', message: 'Too many requests: wait, then try again.', retryAfterSeconds: 7};
	t.like(await t.throwsAsync(peer.start(exchanges.start[0])), refused);
	t.like(await t.throwsAsync(all(peer.watch(watched))), refused);
	t.like(await t.throwsAsync(peer.appendOutput(endless())), refused);
	t.like(await t.throwsAsync(peer.deregister(exchanges.deregister[0])), {
		kind: 'limited',
		retryAfterSeconds: undefined,
	});
});

overEveryWire('what goes wrong inside is reported there and not told', async (t, wire) => {
	const reported: unknown[] = [];
	const inside = new Error('SELECT secret FROM keys');
	const {connect} = await wire.open(
		t,
		answering(
			{
				start: () => Promise.reject(inside),
				watch: () => {
					throw inside;
				},
			},
			{report: (thrown) => reported.push(thrown)},
		),
	);
	const told = ['internal', 'Something went wrong on our side.'] as const;
	t.deepEqual(await failureOf(connect().start(exchanges.start[0])), told);
	t.deepEqual(await failureOf(all(connect().watch(watched))), told);
	t.deepEqual(reported, [inside, inside]);
});

overEveryWire(
	'a call without a valid API key is refused as unauthenticated, before anything else happens',
	async (t, wire) => {
		const {connect} = await wire.open(
			t,
			answering(() => t.fail() as never),
		);
		for (const key of [null, 'sbx_nobodys0_secret', `${annesKey}x`]) {
			const peer = connect(key);
			t.is(await kindOf(peer.whoAmI({})), 'unauthenticated');
			t.is(await kindOf(peer.lease(asked)), 'unauthenticated');
			t.is(await kindOf(all(peer.watch(watched))), 'unauthenticated');
			t.is(await kindOf(peer.appendOutput(endless())), 'unauthenticated');
		}
	},
	'AGT-036',
);

overEveryWire(
	'the API key says who calls, call by call',
	async (t, wire) => {
		const {connect} = await wire.open(
			t,
			answering(({user_id}) => ({whoAmI: async () => ({...exchanges.whoAmI[1], user_id})})),
		);
		const [anne, ben] = [connect(annesKey), connect(bensKey)];
		const answers = await Promise.all([anne, ben, anne].map((peer) => peer.whoAmI({})));
		t.deepEqual(
			answers.map(({user_id}) => user_id),
			['anne', 'ben', 'anne'],
		);
	},
	'AGT-035',
);

overEveryWire('logging in needs no key', async (t, wire) => {
	const {connect} = await wire.open(t, answering({login: async () => exchanges.login[1]}));
	t.deepEqual(await connect(null).login(exchanges.login[0]), exchanges.login[1]);
});

overEveryWire('a long poll that is given up ends on both sides', async (t, wire) => {
	const given = new AbortController();
	const ended = Promise.withResolvers<void>();
	const {connect} = await wire.open(
		t,
		answering({
			async lease(_request, options) {
				given.abort();
				await aborted(options?.signal);
				ended.resolve();
				return {executions: []};
			},
		}),
	);
	t.is(await kindOf(connect().lease(asked, {signal: given.signal})), 'canceled');
	await ended.promise;
});

overEveryWire('a call that is given up before it is made is not made', async (t, wire) => {
	const signal = AbortSignal.abort();
	const {connect} = await wire.open(
		t,
		answering(() => t.fail() as never),
	);
	t.is(await kindOf(connect().lease(asked, {signal})), 'canceled');
	t.is(await kindOf(all(connect().watch(watched, {signal}))), 'canceled');
	t.is(await kindOf(connect().appendOutput(endless(), {signal})), 'canceled');
});

/** One chunk, and then nothing for ever. */
const quiet = (onReturn: () => void): AsyncIterable<OutputChunk> => {
	const ready = [chunk(0, new Uint8Array(1))];
	const next = async () => {
		const value = ready.shift();
		return value ? {done: false as const, value} : new Promise<never>(() => {});
	};
	const end = async () => {
		onReturn();
		return {done: true as const, value: undefined};
	};
	return {[Symbol.asyncIterator]: () => ({next, return: end})};
};

const watchedUntilAborted = () => {
	const ended = Promise.withResolvers<void>();
	const watch: AgentPeer['watch'] = async function* (_request, options) {
		try {
			yield {$case: 'wake', value: {}};
			await aborted(options?.signal);
		} finally {
			ended.resolve();
		}
	};
	return {watch, ended: ended.promise};
};

overEveryWire('a watch that is left ends on both sides', async (t, wire) => {
	const {watch, ended} = watchedUntilAborted();
	const {connect} = await wire.open(t, answering({watch}));
	for await (const event of connect().watch(watched)) {
		t.is(event.$case, 'wake');
		break;
	}
	await ended;
});

overEveryWire('a watch that is given up ends on both sides', async (t, wire) => {
	const {watch, ended} = watchedUntilAborted();
	const {connect} = await wire.open(t, answering({watch}));
	const given = new AbortController();
	const events = connect().watch(watched, {signal: given.signal})[Symbol.asyncIterator]();
	await events.next();
	given.abort();
	t.is(await kindOf(Promise.resolve(events.next())), 'canceled');
	await ended;
});

overEveryWire('output arrives whole and in order', async (t, wire) => {
	const sent = Array.from({length: 200}, (_, at) => chunk(at * 1024, new Uint8Array(1024).fill(at)));
	const got: OutputChunk[] = [];
	const {connect} = await wire.open(
		t,
		answering({
			async appendOutput(chunks) {
				for await (const each of chunks) got.push(each);
				return {accepted_offset: 200 * 1024, stop: false};
			},
		}),
	);
	t.deepEqual(await connect().appendOutput(Readable.from(sent)), {accepted_offset: 200 * 1024, stop: false});
	t.true(Buffer.concat(got.map(({data}) => data)).equals(Buffer.concat(sent.map(({data}) => data))));
	const headOf = ({data: _, ...head}: OutputChunk) => head;
	t.deepEqual(got.map(headOf), sent.map(headOf));
});

overEveryWire('a server that wants no more output ends an endless upload', async (t, wire) => {
	const returned = Promise.withResolvers<void>();
	const {connect} = await wire.open(
		t,
		answering({
			async appendOutput(chunks) {
				for await (const {offset} of chunks) if (offset >= 4096) break;
				return {accepted_offset: 4096, stop: true};
			},
		}),
	);
	t.deepEqual(await connect().appendOutput(endless(returned.resolve)), {accepted_offset: 4096, stop: true});
	await returned.promise;
});

overEveryWire(
	'a server that wants no more output ends an upload that has nothing to send just then',
	async (t, wire) => {
		const returned = Promise.withResolvers<void>();
		const {connect} = await wire.open(
			t,
			answering({
				async appendOutput(chunks) {
					for await (const _ of chunks) break;
					return {accepted_offset: 1, stop: true};
				},
			}),
		);
		t.deepEqual(await connect().appendOutput(quiet(returned.resolve)), {accepted_offset: 1, stop: true});
		await returned.promise;
	},
);

overEveryWire('an upload whose output cannot be read fails as that does, and ends on both sides', async (t, wire) => {
	const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const {connect} = await wire.open(
		t,
		answering({
			async appendOutput(chunks, options) {
				for await (const _ of chunks) arrived.resolve();
				await aborted(options?.signal);
				ended.resolve();
				return {accepted_offset: 0, stop: false};
			},
		}),
	);
	const broken = (async function* () {
		yield chunk(0, new Uint8Array(1));
		await arrived.promise;
		throw new Error('the pipe is gone');
	})();
	await t.throwsAsync(connect().appendOutput(broken), {message: 'the pipe is gone'});
	await ended.promise;
});

overEveryWire('an upload that is given up ends on both sides', async (t, wire) => {
	const given = new AbortController();
	const [ended, returned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const {connect} = await wire.open(
		t,
		answering({
			async appendOutput(chunks, options) {
				for await (const _ of chunks) setImmediate(() => given.abort());
				await aborted(options?.signal);
				ended.resolve();
				return {accepted_offset: 0, stop: false};
			},
		}),
	);
	t.is(await kindOf(connect().appendOutput(quiet(returned.resolve), {signal: given.signal})), 'canceled');
	await Promise.all([ended.promise, returned.promise]);
});

overEveryWire('a message that is too large is refused, and harms no other call', async (t, wire) => {
	const drain: AgentPeer['appendOutput'] = async (chunks) => {
		for await (const _ of chunks);
		return {accepted_offset: 0, stop: false};
	};
	const {connect} = await wire.open(t, answering({start: async () => exchanges.start[1], appendOutput: drain}));
	const peer = connect();
	const large = {...exchanges.start[0], lease_token: 'x'.repeat(requestMaxBytes)};
	t.is(await kindOf(peer.start(large)), 'limited');
	const upload = (async function* () {
		yield chunk(0, new Uint8Array(requestMaxBytes));
	})();
	t.is(await kindOf(peer.appendOutput(upload)), 'limited');
	t.deepEqual(await peer.start(exchanges.start[0]), exchanges.start[1]);
});

overEveryWire('a key has a bounded number of calls open, other keys have their own', async (t, wire) => {
	const open = Promise.withResolvers<void>();
	const lease: AgentPeer['lease'] = async (_request, options) => {
		open.resolve();
		await aborted(options?.signal);
		return {executions: []};
	};
	const {connect} = await wire.open(
		t,
		answering(({user_id}) => ({lease: user_id === 'anne' ? lease : async () => ({executions: []})}), {
			openCallsPerKey: 1,
		}),
	);
	const given = new AbortController();
	const first = kindOf(connect().lease(asked, {signal: given.signal}));
	await open.promise;
	t.is(await kindOf(connect().lease(asked)), 'limited');
	t.is(await kindOf(all(connect().watch(watched))), 'limited');
	t.is(await kindOf(connect().appendOutput(endless())), 'limited');
	t.is(await kindOf(connect(bensKey).lease(asked)), 'nothing');
	given.abort();
	t.is(await first, 'canceled');
});

overEveryWire('calls that have ended count no more', async (t, wire) => {
	const {connect} = await wire.open(
		t,
		answering(
			{
				lease: async () => ({executions: []}),
				async *watch() {
					yield {$case: 'wake', value: {}};
				},
				appendOutput: () => Promise.reject(new RpcError('conflict', 'no')),
			},
			{openCallsPerKey: 1},
		),
	);
	for (let round = 0; round < 3; round++) {
		t.is(await kindOf(connect().lease(asked)), 'nothing');
		t.is(await kindOf(all(connect().watch(watched))), 'nothing');
		t.is(await kindOf(connect().appendOutput(endless())), 'conflict');
	}
});

overEveryWire('a server that stops ends what is open as promised, and refuses what comes later', async (t, wire) => {
	const open: (() => void)[] = [];
	const opened = Array.from({length: 3}, () => new Promise<void>((resolve) => open.push(resolve)));
	const {connect, stop} = await wire.open(
		t,
		answering({
			async lease(_request, options) {
				open[0]?.();
				await aborted(options?.signal);
				throw options?.signal?.reason;
			},
			async *watch() {
				open[1]?.();
				yield {$case: 'wake', value: {}};
				await new Promise(() => {});
			},
			async appendOutput(chunks) {
				let accepted_offset = 0;
				for await (const {offset, data} of chunks) {
					accepted_offset = offset + data.length;
					open[2]?.();
				}
				return {accepted_offset, stop: false};
			},
		}),
	);
	const peer = connect();
	const pending = (async function* () {
		yield chunk(0, new Uint8Array(7));
		await new Promise(() => {});
	})();
	const ends = Promise.all([peer.lease(asked), all(peer.watch(watched)), peer.appendOutput(pending)]);
	await Promise.all(opened);
	await stop();
	t.deepEqual(await ends, [{executions: []}, [{$case: 'wake', value: {}}], {accepted_offset: 7, stop: false}]);
	t.is(await kindOf(peer.lease(asked)), 'unavailable');
	t.is(await kindOf(peer.login(exchanges.login[0])), 'unavailable');
	t.is(await kindOf(all(peer.watch(watched))), 'unavailable');
});
