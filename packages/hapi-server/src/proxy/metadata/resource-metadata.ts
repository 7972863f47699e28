import {type Clock, type Core, type McpServerRecord, millisecondsOf} from '@signalbox/core';
import {refusal} from '../json-rpc-error.ts';
import type {ProxyLogger} from '../proxy-observers.ts';
import {toldCause} from '../upstream/told-cause.ts';
import type {Upstream, UpstreamAnswer} from '../upstream/upstream.ts';
import {readdressChallenges} from './auth-challenges.ts';
import {fetchResourceMetadata, type MetadataReading, wellKnownAddresses} from './fetch-resource-metadata.ts';

/**
 * OAuth protected resource metadata (RFC 9728) of the servers behind the proxy. A client compares the `resource` in it with
 * the address that it calls, which is ours, so it must get it from us.
 */
export type ResourceMetadata = Readonly<{
	/** The answer with every `resource_metadata` of its challenges pointing here. What it named is remembered. */
	readdress(server: McpServerRecord, answer: UpstreamAnswer): UpstreamAnswer;
	/**
	 * The document at the address that the server last named to this process, else at its well-known ones, with our
	 * `resource`; up to 60 seconds old. Refused with 404 when there is none and with 502 when it cannot be read.
	 */
	read(server: McpServerRecord): Promise<MetadataReading>;
}>;

type Needs = Readonly<{
	upstream: Upstream;
	clock: Clock;
	target: Core['mcp']['servers']['target'];
	log: ProxyLogger;
	/** Public address of the proxy. */
	proxy_url: string;
}>;

type Cached = Readonly<{reading: Promise<MetadataReading>; fresh_until: number}>;

/** What is known of one version of a server. */
type Known = {readonly version: number; named: URL | undefined; cached: Cached | undefined};

const freshFor_ms = 60_000;
/** With documents of up to 64 KiB. */
const mostServers = 256;

/** Knows as many servers as were asked for last. */
const createMemory = () => {
	const known = new Map<string, Known>();
	return ({id, version}: McpServerRecord): Known => {
		const before = known.get(id);
		const now = before?.version === version ? before : {version, named: undefined, cached: undefined};
		known.delete(id);
		known.set(id, now);
		const [oldest] = known.keys();
		if (known.size > mostServers && oldest !== undefined) known.delete(oldest);
		return now;
	};
};

const httpUrl = (text: string | undefined): URL | undefined => {
	const url = URL.parse(text ?? '');
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
};

const fetchFor = async (needs: Needs, server: McpServerRecord, named: URL | undefined): Promise<MetadataReading> => {
	const target = await needs.target(server);
	if (!target.ok) return {ok: false, refusal: refusal(502, target.message)};
	const urls = named === undefined ? wellKnownAddresses(target.url) : [named];
	const reading = await fetchResourceMetadata(needs, {urls, resource: `${needs.proxy_url}/p/${server.slug}`});
	if (!reading.ok && reading.refusal.status !== 404)
		needs.log.warn({mcp_server_id: server.id, ...toldCause(server, reading.cause)}, reading.refusal.message);
	return reading;
};

const wasRead = async (reading: Promise<MetadataReading>): Promise<boolean> => {
	try {
		return (await reading).ok;
	} catch {
		return false;
	}
};

export const createResourceMetadata = (needs: Needs): ResourceMetadata => {
	const recall = createMemory();
	const now = () => millisecondsOf(needs.clock.now());

	const remember = (server: McpServerRecord, named: URL | undefined) => {
		if (named === undefined) return;
		const known = recall(server);
		if (known.named?.href !== named.href) known.cached = undefined;
		known.named = named;
	};
	return {
		readdress: (server, answer) => {
			const challenges = answer.headers['www-authenticate'];
			if (challenges === undefined) return answer;
			const address = `${needs.proxy_url}/.well-known/oauth-protected-resource/p/${server.slug}`;
			const readdressed = [challenges].flat().map((value) => readdressChallenges(value, address));
			remember(server, httpUrl(readdressed.find(({named}) => named !== undefined)?.named));
			const values = readdressed.map(({value}) => value);
			// Node's types know this header as one text; repeated, it arrives as a list and leaves as one.
			const field = {'www-authenticate': values.length === 1 ? values[0] : values} as UpstreamAnswer['headers'];
			return {...answer, headers: {...answer.headers, ...field}};
		},
		read: async (server) => {
			const known = recall(server);
			if (known.cached !== undefined && now() < known.cached.fresh_until) return await known.cached.reading;
			const cached = {reading: fetchFor(needs, server, known.named), fresh_until: now() + freshFor_ms};
			known.cached = cached;
			if (!(await wasRead(cached.reading)) && known.cached === cached) known.cached = undefined;
			return await cached.reading;
		},
	};
};
