import {type LookupAddress, type LookupOptions, lookup, promises} from 'node:dns';
import {readFileSync} from 'node:fs';

/** Finds the addresses of a host, as `dns.lookup` does. */
export type FindAddresses = (
	hostname: string,
	options: LookupOptions & Readonly<{all: true}>,
	callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

type NameSettings = Readonly<{
	/** Addresses, with ports if not 53. Default: those of this machine. */
	servers?: readonly string[];
	/** Until a question is asked again, once. Milliseconds, default 1500. */
	timeout_ms?: number;
	/** What a name that is not known may be short for: `mcp.tools` in `svc.cluster.local`. Default: as this machine has it. */
	search?: readonly string[];
}>;

const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** How long this machine's configuration is taken to be what it was. Milliseconds. */
const believed = 30_000;

/** As many as the C library looks at. */
const mostSearched = 6;

const readHostNames = (): ReadonlySet<string> => {
	try {
		const lines = readFileSync(hostsFile, 'utf8').toLowerCase().split('\n');
		return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1)));
	} catch {
		return new Set();
	}
};

/** Of `search` and `domain` the last one counts: resolv.conf(5). */
const readSearch = (): readonly string[] => {
	try {
		const lines = readFileSync('/etc/resolv.conf', 'utf8').split('\n');
		const last = lines.findLast((line) => /^(search|domain)\s/.test(line)) ?? '';
		return last
			.trim()
			.split(/\s+/)
			.slice(1, 1 + mostSearched);
	} catch {
		return [];
	}
};

const openResolver = ({servers, timeout_ms = 1500, search = readSearch()}: NameSettings) => {
	const resolver = new promises.Resolver({timeout: timeout_ms, tries: 2});
	if (servers !== undefined) resolver.setServers(servers);
	return {resolver, search, hostNames: readHostNames(), until: performance.now() + believed};
};

const resolve = async (resolver: promises.Resolver, hostname: string): Promise<LookupAddress[]> => {
	const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
	if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
	return [
		...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({address, family: 4})) : []),
		...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({address, family: 6})) : []),
	];
};

type Opened = ReturnType<typeof openResolver>;

const isUnknown = (error: unknown): boolean =>
	['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The name as it is, then what it may be short for. @throws what is wrong with the name as it is. */
const resolveAny = async ({resolver, search}: Opened, hostname: string): Promise<LookupAddress[]> => {
	const names = hostname.endsWith('.') ? [] : search.map((domain) => `${hostname}.${domain}`);
	try {
		return await resolve(resolver, hostname);
	} catch (error) {
		if (!isUnknown(error)) throw error;
		for (const name of names) {
			const found = await resolve(resolver, name).catch(() => []);
			if (found.length > 0) return found;
		}
		throw error;
	}
};

/**
 * Asks name servers itself. `dns.lookup` would wait for them in one of four threads, which passwords and files need too:
 * a few names whose servers never answer would hold up everybody. It is left with the names that this machine knows:
 * those of its file of hosts, and names without a dot.
 */
export const createFindAddresses = (settings: NameSettings = {}): FindAddresses => {
	let opened = openResolver(settings);
	return (hostname, options, callback) => {
		if (performance.now() > opened.until) opened = openResolver(settings);
		const name = hostname.toLowerCase().replace(/\.$/, '');
		if (!name.includes('.') || name.endsWith('.localhost') || opened.hostNames.has(name))
			return lookup(hostname, options, callback);
		void resolveAny(opened, hostname).then(
			(found) => callback(null, found),
			(error) => callback(error, []),
		);
	};
};
