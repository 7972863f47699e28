import dns, {type LookupAddress, type LookupOptions} from 'node:dns';
import {syncBuiltinESMExports} from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import type {ExecutionContext} from 'ava';

type Found = (error: Error | null, addresses: LookupAddress[]) => void;
type Lookup = (hostname: string, options: LookupOptions, callback: Found) => void;
type Connecting = net.TcpNetConnectOpts;

export type SimulatedNetwork = Readonly<{
	/** What a name answers from now on: one list for each look-up in turn, the last for all that follow. */
	setAnswers(name: string, answers: readonly (readonly string[])[]): void;
}>;

type Ports = Readonly<{
	/** Where every address leads that is not public; connections to this port are simulated, and no others. */
	inside: number;
	/** Where the public addresses lead. */
	outside: number;
}>;

/** The only addresses of the simulated network from which nothing inside can be reached. */
const publicAddresses: readonly string[] = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

/** Addresses that every machine has: connections to them are left to the operating system. */
const isReal = (address: string): boolean =>
	/^(127\.0\.0\.1|0\.0\.0\.0|::1?|::ffff:(127\.0\.0\.1|7f00:1))$/.test(address);

const familyOf = (address: string): number => (address.includes(':') ? 6 : 4);

const unknownName = (hostname: string): Error =>
	Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {code: 'ENOTFOUND'});

/** `dns.lookup` that asks no one. */
const createLookup = (answers: ReadonlyMap<string, string[][]>) =>
	((hostname: string, options: LookupOptions, callback: (...result: unknown[]) => void) => {
		const left = answers.get(hostname.toLowerCase()) ?? [];
		const [first = []] = left.length > 1 ? left.splice(0, 1) : left;
		const found = first.map((address) => ({address, family: familyOf(address)}));
		process.nextTick(() => {
			if (found.length === 0) callback(unknownName(hostname));
			else if (options.all) callback(null, found);
			else callback(null, found[0]?.address, found[0]?.family);
		});
	}) as typeof dns.lookup;

const resolve = (options: Connecting, callback: Found): void => {
	const host = options.host ?? '';
	const lookup = (options.lookup ?? dns.lookup) as unknown as Lookup;
	if (net.isIP(host) === 0) lookup(host, {all: true}, callback);
	else callback(null, [{address: host, family: familyOf(host)}]);
};

/** `resolve4` and `resolve6`, of which each look-up asks both, in this order. */
const createResolve = (lookUp: typeof dns.lookup) => {
	let found: LookupAddress[] = [];
	const addressesOf = (hostname: string, family: number): string[] => {
		const addresses = found.filter((each) => each.family === family).map(({address}) => address);
		if (addresses.length === 0) throw unknownName(hostname);
		return addresses;
	};
	let looking: Promise<void> = Promise.resolve();
	return {
		resolve4: async (hostname: string) => {
			looking = new Promise((resolved) => {
				lookUp(hostname, {all: true}, (_error, addresses) => {
					found = addresses ?? [];
					resolved();
				});
			});
			await looking;
			return addressesOf(hostname, 4);
		},
		resolve6: async (hostname: string) => {
			await looking;
			return addressesOf(hostname, 6);
		},
	};
};

/** `net.connect` that takes connections to `inside` to where the simulated network has them go. */
const createConnect = (real: typeof net.connect, {inside, outside}: Ports) =>
	((options: Connecting, ...others: []) => {
		if (Number(options.port) !== inside) return real(options, ...others);
		const socket = new net.Socket();
		resolve(options, (error, [found]) => {
			if (error !== null || found === undefined) return void socket.destroy(error ?? unknownName(String(options.host)));
			if (publicAddresses.includes(found.address)) socket.connect(outside, '127.0.0.1');
			else socket.connect(inside, isReal(found.address) ? found.address : '127.0.0.1');
		});
		return socket;
	}) as typeof net.connect;

/** `tls.connect` that does the same: it would open its connection past `net.connect`. */
const createTlsConnect = (real: typeof tls.connect, connect: typeof net.connect, {inside}: Ports) =>
	((options: tls.ConnectionOptions & Connecting, ...others: []) =>
		Number(options.port) === inside && options.socket === undefined
			? real({...options, socket: connect(options)}, ...others)
			: real(options, ...others)) as typeof tls.connect;

/**
 * Until the test ends, this process lives in a network where private, reserved and translated addresses all lead to one
 * listener, and names answer as told. It stands in for `dns.lookup`, the resolver's `resolve4` and `resolve6`, `net.connect`
 * and `tls.connect`, so that what is tested is as it runs.
 */
export const simulateNetwork = (t: ExecutionContext, ports: Ports): SimulatedNetwork => {
	const answers = new Map<string, string[][]>();
	const {lookup} = dns;
	const resolver = dns.promises.Resolver.prototype;
	const {resolve4, resolve6} = resolver;
	const {connect} = net;
	const {connect: connectTls} = tls;
	dns.lookup = createLookup(answers);
	Object.assign(resolver, createResolve(dns.lookup));
	net.connect = createConnect(connect, ports);
	tls.connect = createTlsConnect(connectTls, net.connect, ports);
	syncBuiltinESMExports();
	t.teardown(() => {
		dns.lookup = lookup;
		Object.assign(resolver, {resolve4, resolve6});
		net.connect = connect;
		tls.connect = connectTls;
		syncBuiltinESMExports();
	});
	return {
		setAnswers: (name, lists) =>
			void answers.set(
				name.toLowerCase(),
				lists.map((list) => [...list]),
			),
	};
};
