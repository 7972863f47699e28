import {readFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';
import {Agent, interceptors, request} from 'undici';
import {type SimulatedNetwork, simulateNetwork} from './simulated-network.ts';

/** Has what is tested connect to that address, as often as told. */
type SendThrough = (target_url: string, times: number) => Promise<void>;

type SsrfCase = Readonly<{
	category: string;
	/** `<port>` is where the listener is that must not be reached. */
	target_url: string;
	/** What the name of the host answers, look-up by look-up. */
	answers?: readonly (readonly string[])[];
	/** Where the public server redirects to. */
	redirect?: Readonly<{status: number; location: string}>;
}>;

const address = new URL('./ssrf.json', import.meta.url);
const cases: readonly SsrfCase[] = JSON.parse(await readFile(address, 'utf8'));
const startListeners = async (t: ExecutionContext) => {
	let connected = 0;
	let redirect: SsrfCase['redirect'];
	const inside = createServer((_request, response) => void response.writeHead(200, {connection: 'close'}).end());
	inside.on('connection', () => {
		connected += 1;
	});
	const outside = createServer((_request, response) => {
		const head = redirect === undefined ? {} : {location: redirect.location};
		response.writeHead(redirect?.status ?? 200, {connection: 'close', ...head}).end();
	});
	const [insidePort, outsidePort] = await Promise.all(
		[inside, outside].map(async (server) => {
			await new Promise<void>((listening) => server.listen(0, '::', listening));
			t.teardown(() => server.close());
			return (server.address() as AddressInfo).port;
		}),
	);
	return {
		ports: {inside: insidePort ?? 0, outside: outsidePort ?? 0},
		connected: () => connected,
		setRedirect: (to: SsrfCase['redirect']) => {
			redirect = to;
		},
	};
};

const prepare = (network: SimulatedNetwork, {target_url, answers}: SsrfCase): void => {
	if (answers !== undefined) network.setAnswers(URL.parse(target_url)?.hostname ?? '', answers);
};

/** The same HTTP client as the service has, without a guard, and following redirects. */
const sendUnguarded = async (target_url: string): Promise<void> => {
	const agent = new Agent();
	const dispatcher = agent.compose(interceptors.redirect({maxRedirections: 3}));
	try {
		const answer = await request(target_url, {
			method: 'POST',
			body: '{}',
			headers: {'content-type': 'application/json'},
			dispatcher,
		});
		await answer.body.dump();
	} catch {
		// Then it did not connect, and the case does not count.
	} finally {
		await agent.destroy();
	}
};

/** However an address is written or answered, no connection comes inside. A case counts that connects without the guard. */
export const assertNoneReached = async (t: ExecutionContext, sendThrough: SendThrough): Promise<void> => {
	const {ports, connected, setRedirect} = await startListeners(t);
	const network = simulateNetwork(t, ports);
	const fill = (text: string) => text.replaceAll('<port>', String(ports.inside));
	const [dead, reached]: [string[], string[]] = [[], []];
	for (const written of cases) {
		const each: SsrfCase = JSON.parse(fill(JSON.stringify(written)));
		const times = each.answers?.length ?? 1;
		setRedirect(each.redirect);
		prepare(network, each);
		const before = connected();
		for (let sent = 0; sent < times; sent += 1) await sendUnguarded(each.target_url);
		const unguarded = connected();
		if (unguarded === before) dead.push(JSON.stringify(written));
		prepare(network, each);
		await sendThrough(each.target_url, times);
		if (connected() > unguarded) reached.push(JSON.stringify(written));
	}
	const alive = cases.length - dead.length;
	const overTls = cases.filter(({target_url}) => target_url.startsWith('https:')).length;
	t.log(`${alive} of ${cases.length} cases connect without the guard, ${overTls} of them for TLS`);
	t.deepEqual(reached, []);
	t.deepEqual(dead, []);
	t.true(alive >= 150);
};
