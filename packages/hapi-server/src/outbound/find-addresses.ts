import {type LookupAddress, type LookupOptions, lookup, promises} from 'node:dns';
import {readFileSync} from 'node:fs';

/** Finds the addresses of a host, as `dns.lookup` does. */
export type FindAddresses = (
	hostname: string,
	options: LookupOptions & Readonly<{all: true}>,
	callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

type NameServers = Readonly<{
	/** Addresses, with ports if not 53. Default: those of this machine. */
	servers?: readonly string[];
	/** Until a question is asked again, once. Milliseconds, default 1500. */
	timeout_ms?: number;
}>;

const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** How long this machine's configuration is taken to be what it was. Milliseconds. */
const believed = 30_000;

const readHostNames = (): ReadonlySet<string> => {
	try {
		const lines = readFileSync(hostsFile, 'utf8').toLowerCase().split('\n');
		return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1)));
	} catch {
		return new Set();
	}
};

const openResolver = ({servers, timeout_ms = 1500}: NameServers) => {
	const resolver = new promises.Resolver({timeout: timeout_ms, tries: 2});
	if (servers !== undefined) resolver.setServers(servers);
	return {resolver, hostNames: readHostNames(), until: performance.now() + believed};
};

const resolve = async (resolver: promises.Resolver, hostname: string): Promise<LookupAddress[]> => {
	const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
	if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
	return [
		...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({address, family: 4})) : []),
		...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({address, family: 6})) : []),
	];
};

/**
 * Asks name servers itself. `dns.lookup` would wait for them in one of four threads, which passwords and files need too:
 * a few names whose servers never answer would hold up everybody. It is left with the names that this machine knows:
 * those of its file of hosts, and names without a dot.
 */
export const createFindAddresses = (nameServers: NameServers = {}): FindAddresses => {
	let opened = openResolver(nameServers);
	return (hostname, options, callback) => {
		if (performance.now() > opened.until) opened = openResolver(nameServers);
		const name = hostname.toLowerCase().replace(/\.$/, '');
		if (!name.includes('.') || name.endsWith('.localhost') || opened.hostNames.has(name))
			return lookup(hostname, options, callback);
		void resolve(opened.resolver, hostname).then(
			(found) => callback(null, found),
			(error) => callback(error, []),
		);
	};
};
