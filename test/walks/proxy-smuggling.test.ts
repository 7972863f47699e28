import {readFile} from 'node:fs/promises';
import {connect} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {gatedTool, onlyGatedTool} from '../scenarios/proxy/lenient-upstream.ts';
import {type LoneProxy, openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {type Framing, startLooseUpstream} from '../scenarios/proxy/loose-upstream.ts';

type SmugglingCase = Readonly<{
	category: string;
	name: string;
	/** Which of two framings the upstream believes. */
	framing: Framing;
	/**
	 * What is sent, a character for each byte. `<call>`, `<ping>` and `<hidden>` (a whole request with the call) stand for
	 * themselves, `<call.length>` and `<call.hex>` for their sizes, `<target>`, `<host>` and `<upstream>` for addresses.
	 */
	bytes: string;
}>;

const address = new URL('../scenarios/proxy/smuggling.json', import.meta.url);
const cases: readonly SmugglingCase[] = JSON.parse(await readFile(address, 'utf8'));

const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${gatedTool}","arguments":{"id":"7"}}}`;
const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
const hidden = `POST / HTTP/1.1\r\nHost: upstream\r\nContent-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n${call}`;

const chunked = (parts: readonly string[]): string =>
	[...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');

const sizes = Object.fromEntries(
	Object.entries({call, ping, hidden, 'ping+hidden': ping + hidden}).flatMap(([name, {length}]) => [
		[`${name}.length`, String(length)],
		[`${name}.hex`, length.toString(16)],
		[`${name}.hex8`, length.toString(16).padStart(8, '0')],
	]),
);

const [firstDigit = '', secondDigit = ''] = String(ping.length);
const parts: Readonly<Record<string, string>> = {
	...sizes,
	call,
	ping,
	hidden,
	'call.chunked': chunked([...call]),
	'call.halves': chunked(call.split(/(?<=delete)/)),
	'hidden.length+5': String(hidden.length + 5),
	'hidden.length+49': String(hidden.length + chunked([ping]).length),
	'ping.1': firstDigit,
	'ping.2': secondDigit,
};

type Addresses = Readonly<{target: string; host: string; upstream: string}>;

const fill = (text: string, addresses: Addresses): Buffer =>
	Buffer.from(
		text.replaceAll(/<([a-z0-9.+]+)>/g, (written, name: string) => ({...parts, ...addresses})[name] ?? written),
		'latin1',
	);

/** How long to wait for what may never come, in milliseconds. What must come gets more. */
const patience = {straight: 10_000, through: 300};

type Sending = Readonly<{port: number; bytes: Buffer; patience: number; enough: () => boolean}>;

/** Sends the bytes and waits for what is awaited, the end of the connection, or the end of the patience. */
const send = ({port, bytes, patience, enough}: Sending): Promise<void> =>
	new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
		const finish = () => {
			clearInterval(watch);
			clearTimeout(limit);
			socket.destroy();
			resolve();
		};
		const watch = setInterval(() => enough() && finish(), 2);
		const limit = setTimeout(finish, patience);
		socket.on('error', () => {});
		socket.on('close', finish);
	});

/** How often the gated tool ran straight, and then through the proxy, where nobody approves anything. */
const runCase = async (t: ExecutionContext, each: SmugglingCase, proxy: LoneProxy) => {
	const upstream = await startLooseUpstream(each.framing);
	t.teardown(upstream.close);
	const origin = `127.0.0.1:${upstream.port}`;
	const straight = {target: '/mcp', host: origin, upstream: origin};
	const isExecuted = () => upstream.executions() > 0;
	await send({...upstream, bytes: fill(each.bytes, straight), patience: patience.straight, enough: isExecuted});
	const direct = upstream.executions();
	const target = await proxy.addServer({target_url: `http://${origin}/mcp`, approval_config: onlyGatedTool});
	const through = {target, host: `127.0.0.1:${proxy.port}`, upstream: origin};
	const isBypassed = () => upstream.executions() > direct;
	await send({...proxy, bytes: fill(each.bytes, through), patience: patience.through, enough: isBypassed});
	return {each, isAlive: direct > 0, isBypassed};
};

test('requests that are framed, hidden or aimed oddly run no gated tool on a loose upstream', async (t) => {
	const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8']});
	const outcomes = await Promise.all(cases.map((each) => runCase(t, each, proxy)));
	// Ends what the proxy may still be at.
	await proxy.end();
	const titles = (chosen: typeof outcomes) => chosen.map(({each: {category, name}}) => `${category}: ${name}`);
	t.deepEqual(titles(outcomes.filter(({isBypassed}) => isBypassed())), []);
	t.deepEqual(titles(outcomes.filter(({isAlive}) => !isAlive)), []);
	for (const [category, ofCategory] of Map.groupBy(outcomes, ({each}) => each.category)) {
		const alive = ofCategory.filter(({isAlive}) => isAlive).length;
		t.log(`${category}: ${alive} of ${ofCategory.length} cases are alive`);
		t.true(alive >= 8, category);
	}
});
