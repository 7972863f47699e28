import {connect as connectSocket} from 'node:net';
import {Client, credentials, Metadata, status} from '@grpc/grpc-js';
import test, {type ExecutionContext} from 'ava';
import {makeCertificate} from '../../../test/support/self-signed-certificate.ts';
import {
	connectGrpc,
	type GrpcClientSettings,
	type GrpcServerSettings,
	type Peer,
	RpcError,
	serveGrpc,
	whileUnavailable,
} from '../src/index.ts';
import {errorOf, statusOf, toldOf} from '../src/rpc-error.ts';
import {exchanges} from './support/messages.ts';
import {annesKey, answering} from './support/served.ts';

const [question, answer] = exchanges.start;
const answered = answering({start: async () => answer});

const serve = async (t: ExecutionContext, settings: Partial<GrpcServerSettings> = {}) => {
	const server = await serveGrpc({...answered, port: 0, ...settings});
	t.teardown(() => server.stop(0));
	return server;
};

const connect = (t: ExecutionContext, settings: GrpcClientSettings): Peer => {
	const client = connectGrpc({apiKey: annesKey, ...settings});
	t.teardown(client.close);
	return client.peer;
};

const urlOf = ({port}: Readonly<{port: number}>): string => `http://127.0.0.1:${port}`;

const kindOf = async (call: Promise<unknown>): Promise<string> => {
	try {
		await call;
		return 'nothing';
	} catch (error) {
		return error instanceof RpcError ? error.kind : String(error);
	}
};

type Reply = Readonly<{code: number; bytes: string}>;

/** Asks Start as a client of another make would: bytes, and metadata of its own. */
const askRaw = (t: ExecutionContext, port: number, [name, value, hex]: readonly [string, string, string]) => {
	const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
	t.teardown(() => client.close());
	const metadata = new Metadata();
	metadata.set(name, value);
	const same = (bytes: Buffer): Buffer => bytes;
	return new Promise<Reply>((resolve) => {
		client.makeUnaryRequest(
			'/signalbox.agent.v1.AgentService/Start',
			same,
			same,
			Buffer.from(hex, 'hex'),
			metadata,
			(error, bytes) => resolve({code: error?.code ?? status.OK, bytes: bytes?.toString('hex') ?? ''}),
		);
	});
};

// Field 1 "e1", field 2 "l1", field 3 the varint 300; answered by field 1 true, field 2 "first".
const startBytes = '0a026531' + '12026c31' + '18ac02';
const proceedBytes = '0801' + '12056669727374';

test('[AGT-034] what other makes of client write by agent.proto is read, and answered by it', async (t) => {
	const asked: unknown[] = [];
	const start = async (request: unknown) => {
		asked.push(request);
		return answer;
	};
	const {port} = await serve(t, answering({start}));
	t.deepEqual(await askRaw(t, port, ['x-api-key', annesKey, startBytes]), {code: status.OK, bytes: proceedBytes});
	t.deepEqual(asked, [{execution_id: 'e1', lease_token: 'l1', started_at_ms: 300}]);
});

test('[AGT-036] the API key is taken from x-api-key and from nowhere else', async (t) => {
	const {port} = await serve(t);
	const codeWith = async (name: string, value: string) => (await askRaw(t, port, [name, value, startBytes])).code;
	t.is(await codeWith('x-api-key', annesKey), status.OK);
	t.is(await codeWith('X-API-Key', annesKey), status.OK);
	t.is(await codeWith('authorization', `Bearer ${annesKey}`), status.UNAUTHENTICATED);
	t.is(await codeWith('api-key', annesKey), status.UNAUTHENTICATED);
});

test('a message that is not what agent.proto says is the fault of its sender', async (t) => {
	const {port} = await serve(t, {report: (thrown) => t.fail(String(thrown))});
	for (const hex of ['0aff', 'ffffffffffffffffffffff', '18ffffffffffffffff7f'])
		t.is((await askRaw(t, port, ['x-api-key', annesKey, hex])).code, status.INVALID_ARGUMENT, hex);
});

const canConnect = (host: string, port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = connectSocket({host, port});
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});

test('a server is reached on 127.0.0.1 unless it is told otherwise, on a free port if it is told 0', async (t) => {
	const [one, other] = [await serve(t), await serve(t)];
	t.not(one.port, other.port);
	t.true(await canConnect('127.0.0.1', one.port));
	t.false(await canConnect('127.0.0.2', one.port));
});

test('[AGT-038] with a certificate only TLS is spoken, and only with who trusts it', async (t) => {
	const tls = makeCertificate();
	const {port} = await serve(t, {tls});
	const url = `https://localhost:${port}`;
	t.deepEqual(await connect(t, {url, ca: tls.certificate}).start(question), answer);
	t.is(await kindOf(connect(t, {url, ca: makeCertificate().certificate}).start(question)), 'unavailable');
	t.is(await kindOf(connect(t, {url}).start(question)), 'unavailable');
	t.is(await kindOf(connect(t, {url: urlOf({port})}).start(question)), 'unavailable');
});

test('keys do not travel in the clear to other machines', async (t) => {
	await t.throwsAsync(serveGrpc({...answered, port: 0, host: '0.0.0.0'}), {message: /certificate/});
	for (const host of ['192.0.2.1', '[2001:db8::1]', 'signalbox.example', '127.0.0.1.example', 'localhost.example'])
		t.throws(() => connect(t, {url: `http://${host}:1`}), {instanceOf: RpcError, message: /in the clear/}, host);
	t.notThrows(() => connect(t, {url: 'http://192.0.2.1:1', allowPlaintext: true}));
	for (const host of ['127.0.0.1', '127.1.2.3', '[::1]', 'localhost'])
		t.notThrows(() => connect(t, {url: `http://${host}:1`}));
});

test('a key that cannot be sent is refused, and stands in no error', (t) => {
	for (const apiKey of ['sbx_anne0000_secret\r', 'sbx_anne0000_sécret', 'sbx\n_anne0000_secret']) {
		const error = t.throws(() => connect(t, {url: 'http://127.0.0.1:1', apiKey}), {instanceOf: RpcError}, apiKey);
		t.deepEqual([error.kind, error.message.includes('anne')], ['invalid', false]);
	}
});

test('a URL that is none is refused', (t) => {
	for (const url of ['', 'localhost:3001', 'ftp://localhost:3001', 'not a url'])
		t.throws(() => connect(t, {url}), {message: /https:\/\//}, url);
});

test('a port that is taken is an error, not another port', async (t) => {
	const {port} = await serve(t);
	await t.throwsAsync(serveGrpc({...answered, port}), {message: /EADDRINUSE|address/i});
});

test('a call that takes too long is timed out', async (t) => {
	const server = await serve(t, answering({start: () => new Promise(() => {})}));
	t.is(await kindOf(connect(t, {url: urlOf(server), deadlineMs: 100}).start(question)), 'timed_out');
});

test('a long poll may take longer than other calls', async (t) => {
	const polled = Promise.withResolvers<void>();
	const lease = async () => {
		await polled.promise;
		return {executions: []};
	};
	const server = await serve(t, answering({lease, start: () => new Promise(() => {})}));
	const peer = connect(t, {url: urlOf(server), deadlineMs: 100});
	const poll = peer.lease({agent_id: 'a', session_id: 's', max: 1});
	t.is(await kindOf(peer.start(question)), 'timed_out');
	polled.resolve();
	t.deepEqual(await poll, {executions: []});
});

test('a stop waits for calls that still work, until its deadline', async (t) => {
	const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const start = async () => {
		entered.resolve();
		await release.promise;
		return answer;
	};
	const server = await serve(t, answering({start}));
	const call = connect(t, {url: urlOf(server)}).start(question);
	await entered.promise;
	const stopped = server.stop();
	release.resolve();
	t.deepEqual(await call, answer);
	await stopped;
});

test('a stop cuts off at its deadline what does not end, and its caller may try again', async (t) => {
	const entered = Promise.withResolvers<void>();
	const start = () => {
		entered.resolve();
		return new Promise<never>(() => {});
	};
	const server = await serve(t, answering({start}));
	const call = kindOf(connect(t, {url: urlOf(server)}).start(question));
	await entered.promise;
	await server.stop(1);
	t.is(await call, 'unavailable');
});

test('a client finds its server again after the server was away', async (t) => {
	const first = await serve(t);
	const peer = connect(t, {url: urlOf(first), reconnectMs: [1, 5]});
	t.deepEqual(await peer.start(question), answer);
	await first.stop();
	t.is(await kindOf(peer.start(question)), 'unavailable');
	const back = serve(t, {port: first.port});
	const wait = () => new Promise((resolve) => setImmediate(resolve));
	t.deepEqual(await whileUnavailable(() => peer.start(question), {wait}), answer);
	await back;
});

test('each kind of error has a status of its own, and other statuses have the nearest kind', (t) => {
	const kinds = ['invalid', 'unauthenticated', 'forbidden', 'missing', 'conflict', 'limited', 'unsupported'] as const;
	for (const kind of [...kinds, 'unavailable', 'timed_out', 'internal'] as const)
		t.is(errorOf(statusOf(new RpcError(kind, 'why'))).kind, kind);
	const nearest = (code: status) => errorOf({code, details: ''}).kind;
	t.is(nearest(status.ALREADY_EXISTS), 'conflict');
	t.is(nearest(status.ABORTED), 'conflict');
	t.is(nearest(status.OUT_OF_RANGE), 'invalid');
	t.is(nearest(status.CANCELLED), 'unavailable');
	t.is(nearest(status.UNKNOWN), 'internal');
	t.is(nearest(status.DATA_LOSS), 'internal');
	const details = 'No connection established. Last error: Error: connect EHOSTDOWN. Resolution note: ';
	t.is(errorOf({code: status.UNAVAILABLE, details}).message, 'No connection to the server: connect EHOSTDOWN');
	t.is(toldOf('a text').message, 'Something went wrong on our side.');
});
