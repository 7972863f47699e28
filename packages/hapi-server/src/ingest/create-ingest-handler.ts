import type {IncomingMessage, ServerResponse} from 'node:http';
import {DomainError, type HeaderField, hops, type Ids, type Reception, type WebhookIntake} from '@signalbox/core';
import type {Logger} from 'pino';
import {createBodyBudget, shareOf} from '../bodies/body-budget.ts';
import {type BodyFault, createBodyReader, discard} from '../bodies/create-body-reader.ts';
import type {ClientAddress} from '../http/client-address.ts';
import {toOriginForm} from '../http/origin-form.ts';
import {requestIdOf} from '../http/request-id.ts';
import type {DeliverLoop} from '../work/deliver-loop.ts';
import {type IncomingPath, readIncomingPath} from './incoming-path.ts';
import {type IngestReply, receptionReply, refusalReply, sendReply} from './ingest-reply.ts';
import {createTurns} from './turns.ts';

export type IngestSettings = Readonly<{
	/** Largest body of a webhook. Bytes. */
	max_body_bytes: number;
	/** Most bytes of bodies that are held until they are accepted, a quarter for one user: what comes on top waits. */
	waiting_bytes: number;
	/** How long a body may wait for its place, and take to come while others wait; then its sender is told to come again. Milliseconds. */
	patience_ms: number;
}>;

const defaultIngestSettings: IngestSettings = {
	max_body_bytes: 1024 * 1024,
	waiting_bytes: 64 * 1024 * 1024,
	patience_ms: 10_000,
};

export type IngestMetrics = Readonly<{observeIngest(status: number, seconds: number): void}>;

export type IngestNeeds = Readonly<{
	intake: WebhookIntake;
	/** Delivers at once what is accepted here; undefined: another process does. */
	deliver: Pick<DeliverLoop, 'reserve' | 'expect'> | undefined;
	ids: Ids;
	client_address: ClientAddress;
	log: Pick<Logger, 'info' | 'error'>;
	metrics: IngestMetrics;
}>;

/** The webhook data plane: mount `handle` on any Node server for every path under `/wh/`. */
export type IngestHandler = Readonly<{
	/** Answers every request it is given; never throws. */
	handle(request: IncomingMessage, response: ServerResponse): void;
	/** Resolves when what was begun has been answered. Stop accepting connections first. */
	close(): Promise<void>;
}>;

/** Method and headers as they came: these in order, with their case, repeated ones apart. */
const sentIn = ({method = '', rawHeaders}: IncomingMessage) => {
	const headers: HeaderField[] = [];
	for (let at = 0; at < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
	return {method, headers};
};

const faults: Readonly<Record<BodyFault, (limit: number) => DomainError>> = {
	too_large: (limit) => new DomainError('payload_too_large', {message: `A webhook has at most ${limit} bytes here.`}),
	busy: () => new DomainError('service_unavailable', {message: 'Too many webhooks come in at once: try again soon.'}),
	gone: () => new DomainError('validation_error', {message: 'The body ended before it was complete.'}),
};

const goesRound = () =>
	new DomainError('forbidden', {
		message: `This webhook went through ${hops.most} endpoints: a destination leads back here.`,
	});

/** Accepts, with a place for its first attempts where there is one. */
const accept = async (
	{intake, deliver}: IngestNeeds,
	slug: string,
	webhook: Parameters<WebhookIntake['accept']>[1],
): Promise<Reception> => {
	const place = deliver?.reserve();
	let reception: Reception | undefined;
	try {
		reception = await intake.accept(slug, webhook, place?.leasesFor);
		return reception;
	} finally {
		const leased = reception?.outcome === 'accepted' ? reception.leased : [];
		place?.take(leased);
		if (reception?.outcome === 'accepted' && reception.status === 'pending' && leased.length === 0) deliver?.expect();
	}
};

/** Reads what comes to an endpoint, and accepts it. */
const createReceiver = (needs: IngestNeeds, settings: IngestSettings) => {
	const {max_body_bytes: limit, waiting_bytes: capacity, patience_ms} = settings;
	const budget = createBodyBudget({capacity, share: shareOf(capacity, limit), patience_ms});
	return async (request: IncomingMessage, {slug, path, query}: IncomingPath): Promise<Reception> => {
		if (hops.of(request.headers[hops.header]) >= hops.most) throw goesRound();
		const owner = await needs.intake.ownerOf(slug);
		if (owner === undefined) return {outcome: 'unknown'};
		const body = createBodyReader(request, {budget, owner, limit});
		try {
			const reading = await body.read();
			if (!reading.ok) throw faults[reading.because](limit);
			const webhook = {...sentIn(request), path, query, body: reading.bytes, source_ip: needs.client_address(request)};
			return await accept(needs, slug, webhook);
		} finally {
			body.release();
		}
	};
};

export const createIngestHandler = (needs: IngestNeeds, overrides: Partial<IngestSettings> = {}): IngestHandler => {
	const settings = {...defaultIngestSettings, ...overrides};
	const running = new Set<Promise<void>>();
	const inTurn = createTurns();

	const receive = createReceiver(needs, settings);
	const replyTo = async (request: IncomingMessage, request_id: string): Promise<IngestReply> => {
		try {
			const place = readIncomingPath(request.url ?? '');
			const reception: Reception = place === undefined ? {outcome: 'unknown'} : await receive(request, place);
			if (reception.outcome === 'unauthorized')
				needs.log.info({request_id, because: reception.because}, 'a webhook was not verified');
			return receptionReply(reception, request_id);
		} catch (err) {
			const reply = refusalReply(err, request_id);
			if (reply.status >= 500) needs.log.error({err, request_id}, 'a webhook was not accepted');
			return reply;
		}
	};
	const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const began = performance.now();
		const reply = await replyTo(request, requestIdOf(request, response, needs.ids));
		sendReply(request, response, reply);
		if (!request.complete) discard(request, settings.max_body_bytes);
		needs.metrics.observeIngest(reply.status, (performance.now() - began) / 1000);
	};
	return {
		handle: (request, response) => {
			request.on('error', () => {});
			toOriginForm(request);
			const served = inTurn(request.socket, () => serve(request, response)).finally(() => running.delete(served));
			running.add(served);
		},
		close: async () => {
			while (running.size > 0) await Promise.all(running);
		},
	};
};
