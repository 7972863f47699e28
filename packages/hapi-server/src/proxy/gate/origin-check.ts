import type {IncomingMessage} from 'node:http';
import {hostCount} from '../../http/host-count.ts';
import {createOwnHost, isLoopbackName} from '../../http/own-host.ts';
import type {ProxySettings} from '../proxy-settings.ts';

type OriginSettings = Pick<ProxySettings, 'proxy_url' | 'base_url' | 'allowed_origins' | 'local'>;

/** What a browser may do here, and under which names we answer. */
export type OriginCheck = Readonly<{
	/** False for a request from a page of elsewhere, or one sent to a name that is not ours (DNS rebinding). */
	passes(request: IncomingMessage): boolean;
}>;

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

export const createOriginCheck = (settings: OriginSettings): OriginCheck => {
	const own = [settings.proxy_url, settings.base_url].map((address) => new URL(address));
	const origins = new Set([
		...own.map((url) => url.origin),
		...settings.allowed_origins.map((text) => new URL(text).origin),
	]);
	const isOwnHost = createOwnHost({addresses: own.map(({href}) => href), local: settings.local});
	const isAllowedOrigin = (origin: string): boolean => {
		if (origins.has(origin)) return true;
		const url = settings.local ? parse(origin) : undefined;
		return url !== undefined && url.origin === origin && isLoopbackName(url.hostname);
	};
	return {
		passes: ({headers, rawHeaders}) =>
			hostCount(rawHeaders) === 1 &&
			isOwnHost(headers.host) &&
			(headers.origin === undefined || isAllowedOrigin(headers.origin)),
	};
};
