import {type ClientAddress, createClientAddress} from '../http/client-address.ts';

/** What an embedder may set. Times are milliseconds, sizes bytes. */
export type ProxySettings = Readonly<{
	/** Public address of the proxy, as MCP clients use it: `https://mcp.example.org`. */
	proxy_url: string;
	/** Public address of the API and its pages, for links in messages to people. */
	base_url: string;
	/** Further origins whose pages may call the proxy: `https://inspector.example.org`. */
	allowed_origins: readonly string[];
	/** Everything runs on one machine: pages and names of loopback pass the Origin and Host check. */
	local: boolean;
	/** Ranges that the SSRF guard lets through although they are not public, as CIDR: `127.0.0.0/8`, `::1/128`. */
	allowed_private_cidrs: readonly string[];
	/** Largest request body; larger answers pass, but are logged only up to here. */
	max_body_bytes: number;
	/** Most bytes of request bodies that are held until their calls are answered, a quarter for one team, or one body: what comes on top waits. */
	held_bytes: number;
	/** How long a body may wait for its place, and take to come while others wait; then it is refused. */
	patience_ms: number;
	connect_timeout_ms: number;
	/** How long an upstream may take for its headers, and how long its answer may fall silent. GET streams: no limit. */
	upstream_timeout_ms: number;
	/** Streams without end (GET, and `subscriptions/listen`) that may be open at once: to one server, and in all. */
	max_streams_per_server: number;
	max_streams: number;
	/** How long `close` waits for calls on their way before it cuts them. */
	close_grace_ms: number;
	/** Who calls. Default: the peer of the connection. */
	client_address: ClientAddress;
}>;

/** Everything but the public addresses. */
export const defaultProxySettings: Omit<ProxySettings, 'proxy_url' | 'base_url'> = {
	allowed_origins: [],
	local: false,
	allowed_private_cidrs: [],
	max_body_bytes: 10 * 1024 * 1024,
	held_bytes: 256 * 1024 * 1024,
	patience_ms: 10_000,
	connect_timeout_ms: 5_000,
	upstream_timeout_ms: 300_000,
	max_streams_per_server: 1_000,
	max_streams: 4_000,
	close_grace_ms: 5_000,
	client_address: createClientAddress([]),
};
