import type {DomainEvent, Ports} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import type {McpServerRecord} from './model/server.ts';

/**
 * The record behind a slug, mostly without asking the store. What this process changed is seen at once; what another one
 * changed, and told nobody, at most a second later. A record that did not change stays the same object, so that what is
 * derived from it can be kept with it.
 */
export type ServerDirectory = Readonly<{
	bySlug(slug: string): Promise<McpServerRecord | undefined>;
	/** The record, if it need not be asked for: undefined says nothing. */
	known(slug: string): McpServerRecord | undefined;
}>;

type Needs = Pick<Ports, 'mcpServers' | 'signals' | 'clock'>;

type Known = Readonly<{server: McpServerRecord; read_at: number}>;
type Read = Promise<McpServerRecord | undefined>;

/** Milliseconds that a record may be used for without being read again. */
const freshFor = 1000;
/** Servers that are called at the same time are few; a record is seldom larger than a few KiB. */
const mostServers = 1000;

export const createServerDirectory = (needs: Needs): ServerDirectory => {
	const known = createKnownServers();
	let running = new Map<string, Read>();
	needs.signals.subscribe((event) => {
		const isChanged = changedBy(event);
		if (isChanged === undefined) return;
		known.forget(isChanged);
		// What a read that began before the change answers is what was true before: nobody who asks from now on gets it.
		running = new Map();
	});

	const read = async (slug: string, read_at: number): Read => {
		const begunUnder = running;
		const server = await needs.mcpServers.bySlug(slug);
		return server !== undefined && begunUnder === running ? known.keep(slug, {server, read_at}) : server;
	};

	/** Slugs that nobody has are not remembered, or whoever tries many would push out those that are in use. */
	const shareRead = (slug: string, now: number): Read => {
		const shared = running;
		const reading = read(slug, now).finally(() => shared.delete(slug));
		shared.set(slug, reading);
		return reading;
	};

	return {
		bySlug: async (slug) => {
			const now = millisecondsOf(needs.clock.now());
			return known.get(slug, now) ?? running.get(slug) ?? shareRead(slug, now);
		},
		known: (slug) => known.get(slug, millisecondsOf(needs.clock.now())),
	};
};

/** Those that were read last. What is in use is read anew each second. */
const createKnownServers = () => {
	const known = new Map<string, Known>();
	return {
		get: (slug: string, now: number): McpServerRecord | undefined => {
			const entry = known.get(slug);
			if (entry === undefined) return undefined;
			const age = now - entry.read_at;
			// A clock that was set back says nothing about age.
			return age >= 0 && age < freshFor ? entry.server : undefined;
		},
		keep: (slug: string, {server, read_at}: Known): McpServerRecord => {
			const before = known.get(slug)?.server;
			const kept = before !== undefined && isSame(before, server) ? before : server;
			known.delete(slug);
			known.set(slug, {server: kept, read_at});
			const [oldest] = known.keys();
			if (known.size > mostServers && oldest !== undefined) known.delete(oldest);
			return kept;
		},
		forget: (isChanged: (server: McpServerRecord) => boolean): void => {
			for (const [slug, {server}] of known) if (isChanged(server)) known.delete(slug);
		},
	};
};

/** The version rises with each change but one: key rotation seals the same headers anew. */
const isSame = (before: McpServerRecord, after: McpServerRecord): boolean =>
	before.id === after.id &&
	before.version === after.version &&
	before.upstream_headers?.data === after.upstream_headers?.data;

const changedBy = (event: DomainEvent): ((server: McpServerRecord) => boolean) | undefined => {
	switch (event.type) {
		case 'mcp.server.changed':
			return ({id}) => id === event.mcp_server_id;
		case 'team.deleted':
			return ({team_id}) => team_id === event.team_id;
		default:
			return undefined;
	}
};
