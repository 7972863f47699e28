import type {Role} from './config.ts';
import type {EdgeTimeouts} from './http/edge.ts';
import type {EdgeLimits} from './http/rate-limit.ts';

/** What the server needs to know besides the domain. */
export type ServerSettings = Readonly<{
	host: string;
	/** 0: any free port. */
	port: number;
	roles: readonly Role[];
	/** Public addresses; undefined: made from host and port. */
	baseUrl: string | undefined;
	proxyUrl: string | undefined;
	hookUrl: string | undefined;
	loopback: boolean;
	local: boolean;
	allowedPrivateCidrs: readonly string[];
	trustedProxies: readonly string[];
	allowedOrigins: readonly string[];
	maxProxyBody: number;
	maxWebhookBody: number;
	/** Milliseconds. */
	upstreamTimeout: number;
	metricsToken: string | undefined;
	limits: EdgeLimits;
	timeouts: EdgeTimeouts;
}>;

/** Where a running server is reached. */
export type Addresses = Readonly<{base_url: string; proxy_url: string; hook_url: string}>;

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The public addresses, once the port is known. */
export const addressesOf = (settings: ServerSettings, port: number): Addresses => {
	const own = settings.baseUrl ?? `http://${bracketed(settings.host)}:${port}`;
	return {base_url: own, proxy_url: settings.proxyUrl ?? own, hook_url: settings.hookUrl ?? own};
};
