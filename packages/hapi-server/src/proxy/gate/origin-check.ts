import type {IncomingMessage} from 'node:http';
import {isIPv4} from 'node:net';
import {hostCount} from '../../http/host-count.ts';
import type {ProxySettings} from '../proxy-settings.ts';

type OriginSettings = Pick<ProxySettings, 'proxy_url' | 'base_url' | 'allowed_origins' | 'local'>;

/** What a browser may do here, and under which names we answer. */
export type OriginCheck = Readonly<{
	/** False for a request from a page of elsewhere, or one sent to a name that is not ours (DNS rebinding). */
	passes(request: IncomingMessage): boolean;
}>;

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const isLoopbackName = (hostname: string): boolean =>
	hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

export const createOriginCheck = (settings: OriginSettings): OriginCheck => {
	const own = [settings.proxy_url, settings.base_url].map((address) => new URL(address));
	const origins = new Set([
		...own.map((url) => url.origin),
		...settings.allowed_origins.map((text) => new URL(text).origin),
	]);
	const hostnames = new Set(own.map((url) => url.hostname));

	/** Clients call us by one name, over and over: it need not be read anew each time. */
	let lastOwn: string | undefined;
	const isOwnHost = (host: string | undefined): boolean => {
		const hostname = parse(`http://${host ?? ''}`)?.hostname;
		const isOwn = hostname !== undefined && (hostnames.has(hostname) || (settings.local && isLoopbackName(hostname)));
		if (isOwn) lastOwn = host;
		return isOwn;
	};
	const isAllowedOrigin = (origin: string): boolean => {
		if (origins.has(origin)) return true;
		const url = settings.local ? parse(origin) : undefined;
		return url !== undefined && url.origin === origin && isLoopbackName(url.hostname);
	};
	return {
		passes: ({headers, rawHeaders}) =>
			hostCount(rawHeaders) === 1 &&
			(headers.host === lastOwn || isOwnHost(headers.host)) &&
			(headers.origin === undefined || isAllowedOrigin(headers.origin)),
	};
};
