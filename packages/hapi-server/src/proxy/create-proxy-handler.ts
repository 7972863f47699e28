import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {DomainError, hops, type McpServerRecord} from '@signalbox/core';
import {createBodyBudget, shareOf} from '../bodies/body-budget.ts';
import {discard} from '../bodies/create-body-reader.ts';
import {toOriginForm} from '../http/origin-form.ts';
import {createOwnAddress} from '../http/own-host.ts';
import {chooseRequestId} from '../http/request-id.ts';
import {createAddressGuard} from '../outbound/address-guard.ts';
import {type Exchange, openExchange} from './exchange.ts';
import {forward} from './forward.ts';
import {bringsBody} from './gate/body-refusals.ts';
import {anonymousCaller, identifyCaller} from './gate/caller.ts';
import {corsHeaders} from './gate/cors.ts';
import {headerMismatch, namesCall} from './gate/header-mismatch.ts';
import {createOriginCheck} from './gate/origin-check.ts';
import {createHeldCalls} from './hold/held-calls.ts';
import {type Refusal, refusal} from './json-rpc-error.ts';
import {createResourceMetadata} from './metadata/resource-metadata.ts';
import type {ProxyContext, ProxyNeeds, Visit} from './proxy-context.ts';
import {createLogOutage} from './relay/log-outage.ts';
import {createCallRecorder} from './relay/record-call.ts';
import {refusalOf} from './relay/refuse-calls.ts';
import {createPlainReply} from './relay/reply.ts';
import {ownHeaders} from './relay/response-headers.ts';
import {createRunningExchanges} from './running-exchanges.ts';
import {servePost} from './serve-post.ts';
import {createOpenStreams} from './upstream/open-streams.ts';
import {createUpstream} from './upstream/upstream.ts';

/**
 * The MCP data plane: mount `handle` on any Node server for every path under `/p/` and
 * `/.well-known/oauth-protected-resource/`.
 */
export type ProxyHandler = Readonly<{
	/** Answers every request it is given; never throws. */
	handle(request: IncomingMessage, response: ServerResponse): void;
	/**
	 * Ends: held calls and streams at once (their approvals stay pending), other calls when they are answered, or after
	 * the grace. Stop accepting connections first.
	 * @param drained resolves once no request can come any more, on the connections that there are. Default: now.
	 */
	close(drained?: Promise<void>): Promise<void>;
}>;

const allowed = 'GET, POST, DELETE, OPTIONS';
const foreign = refusal(403, 'This Origin or Host is not one that may call here.');
const goesRound = refusal(
	403,
	`This request came through here ${hops.most} times: the target of a server leads back here.`,
);
/** How much of a body that nobody reads a client may still send before it is cut off. */
const unreadBytes = 1024 * 1024;

/** `/p/:slug`, `/p/:slug/` and `/p/:slug/mcp` are one address, with one address for its metadata; a query says nothing. */
const path = /^(?:\/\.well-known\/oauth-protected-resource)?\/p\/([A-Za-z0-9_-]{1,128})(?:\/|\/mcp)?(?:\?.*)?$/;

const slugOf = (url = ''): string | undefined => path.exec(url)?.[1];

const asksForMetadata = ({url = ''}: IncomingMessage): boolean => url.startsWith('/.well-known/');

/** @throws resource_not_found */
const active = (server: McpServerRecord | undefined): McpServerRecord => {
	if (server?.is_active) return server;
	throw new DomainError('resource_not_found', {message: 'There is no MCP server at this address.'});
};

/** At once, mostly: a promise for what is known already would cost each call more than looking it up. */
const activeServer = ({core}: ProxyContext, {url}: IncomingMessage): McpServerRecord | Promise<McpServerRecord> => {
	const {servers} = core.mcp;
	const slug = slugOf(url);
	if (slug === undefined) return active(undefined);
	const known = servers.known(slug);
	return known === undefined ? servers.bySlug(slug).then(active) : active(known);
};

/** At once for an anonymous caller. */
const identify = ({core}: ProxyContext, exchange: Exchange, server: McpServerRecord): Visit | Promise<Visit> => {
	const {headers} = exchange.request;
	const anonymous = anonymousCaller(headers, server);
	if (anonymous !== undefined) return {...anonymous, exchange, server};
	return identifyCaller(core.accounts.authentication, headers, server).then((caller) => ({
		...caller,
		exchange,
		server,
	}));
};

const serveStream = async (context: ProxyContext, visit: Visit, method: 'GET' | 'DELETE'): Promise<void> => {
	const reply = createPlainReply(visit.exchange.client, context.settings.max_body_bytes);
	const {request} = visit.exchange;
	if (bringsBody(request)) return reply.refuse(refusal(400, `A ${method} brings no body.`), null);
	// An upstream that goes by these headers would take it for a call that nobody judged.
	if (namesCall(request.headers)) return reply.refuse(headerMismatch, null);
	const shipment = {method, body: null, calls: [], reply, is_open_ended: method === 'GET', release: async () => {}};
	visit.exchange.setPatient(method === 'GET');
	await forward(context, visit, shipment);
};

/** Refuses a request whose body was not read. */
const turnAway = ({request, client}: Exchange, refused: Refusal): void => {
	createPlainReply(client, 0).refuse(refused, null);
	discard(request, unreadBytes);
};

const answerOptions = ({client}: Exchange, allow: string): void => {
	client.open(204, {allow});
	client.end();
};

/** Open to whoever knows the slug: it says how to get in. */
const serveMetadata = async (context: ProxyContext, exchange: Exchange, server: McpServerRecord): Promise<void> => {
	const {request, client} = exchange;
	const allow = 'GET, OPTIONS';
	if (request.method === 'OPTIONS') return answerOptions(exchange, allow);
	if (request.method !== 'GET') return turnAway(exchange, {...refusal(405, 'Metadata is read by GET.'), allow});
	const reading = await context.resourceMetadata.read(server);
	if (!reading.ok) return turnAway(exchange, reading.refusal);
	createPlainReply(client, 0).respond(reading.body);
	discard(request, unreadBytes);
};

const serveVisit = (context: ProxyContext, visit: Visit, method: 'POST' | 'GET' | 'DELETE'): Promise<void> => {
	const {exchange} = visit;
	if (method !== 'POST') return serveStream(context, visit, method);
	return servePost(context, visit, async () =>
		identify(context, exchange, await activeServer(context, exchange.request)),
	);
};

const serveAt = (context: ProxyContext, exchange: Exchange, server: McpServerRecord): void | Promise<void> => {
	const {request} = exchange;
	if (asksForMetadata(request)) return serveMetadata(context, exchange, server);
	const {method} = request;
	if (method === 'OPTIONS') return answerOptions(exchange, allowed);
	if (method !== 'POST' && method !== 'GET' && method !== 'DELETE')
		return turnAway(exchange, {...refusal(405, 'MCP knows POST, GET and DELETE.'), allow: allowed});
	const visit = identify(context, exchange, server);
	return visit instanceof Promise
		? visit.then((identified) => serveVisit(context, identified, method))
		: serveVisit(context, visit, method);
};

/** What is known already is gone through at once: each function that waits, without a need, costs a call 1 us. */
const serve = (context: ProxyContext, exchange: Exchange): void | Promise<void> => {
	const server = activeServer(context, exchange.request);
	return server instanceof Promise
		? server.then((found) => serveAt(context, exchange, found))
		: serveAt(context, exchange, server);
};

const createContext = (needs: ProxyNeeds): ProxyContext => {
	const {core, ports, metrics, settings, log} = needs;
	const upstream = createUpstream(createAddressGuard(settings.allowed_private_cidrs), settings.connect_timeout_ms);
	const {target} = core.mcp.servers;
	const {proxy_url, base_url, held_bytes, max_body_bytes, patience_ms} = settings;
	const capacity = Math.max(held_bytes, max_body_bytes);
	return {
		...needs,
		isOwnAddress: createOwnAddress([proxy_url, base_url]),
		bodies: createBodyBudget({capacity, share: shareOf(capacity, max_body_bytes), patience_ms}),
		upstream,
		resourceMetadata: createResourceMetadata({upstream, clock: ports.clock, target, log, proxy_url}),
		heldCalls: createHeldCalls(ports),
		openStreams: createOpenStreams(settings),
		logOutage: createLogOutage(),
		recorder: createCallRecorder({...ports, metrics}),
	};
};

/**
 * Requests that a client sends without awaiting answers are taken one by one (RFC 9112, 9.3.2): on connections of their
 * own to the upstream, the later might overtake the earlier.
 */
const inTurn = (response: ServerResponse, serveIt: () => void): void => {
	// Node gives an answer its socket when all that precede it on the connection are sent.
	if (response.socket === null) response.once('socket', () => queueMicrotask(serveIt));
	else serveIt();
};

export const createProxyHandler = (needs: ProxyNeeds): ProxyHandler => {
	const context = createContext(needs);
	const {ports, settings, log} = needs;
	const check = createOriginCheck(settings);
	const running = createRunningExchanges();
	let closing = false;

	const answerCrash = (exchange: Exchange, error: unknown) => {
		const refused = refusalOf(error);
		if (refused.status >= 500) log.error({err: error}, 'a request to the proxy failed');
		turnAway(exchange, refused);
	};
	const run = async (exchange: Exchange) => {
		const place = running.add(exchange);
		try {
			await serve(context, exchange);
		} catch (error) {
			answerCrash(exchange, error);
		} finally {
			running.remove(place);
		}
	};
	const begin: ProxyHandler['handle'] = (request, response) => {
		toOriginForm(request);
		const source_ip = settings.client_address(request);
		const isOurs = check.passes(request);
		const own = ownHeaders(chooseRequestId(request, ports.ids));
		const cors = isOurs ? corsHeaders(request) : undefined;
		const headers: OutgoingHttpHeaders = cors === undefined ? own : {...own, ...cors};
		const exchange = openExchange(request, response, {clock: ports.clock, source_ip, headers});
		if (closing) exchange.close();
		if (!isOurs) turnAway(exchange, foreign);
		else if (hops.of(request.headers[hops.header]) >= hops.most) turnAway(exchange, goesRound);
		else void run(exchange);
	};
	return {
		handle: (request, response) => inTurn(response, () => begin(request, response)),
		close: async (drained = Promise.resolve()) => {
			closing = true;
			context.heldCalls.close();
			for (const exchange of running.all()) exchange.close();
			const ended = drained.then(running.ended);
			await Promise.race([ended, wait(settings.close_grace_ms, undefined, {ref: false})]);
			for (const exchange of running.all()) exchange.leave('closing');
			await ended;
			await context.upstream.close();
		},
	};
};
