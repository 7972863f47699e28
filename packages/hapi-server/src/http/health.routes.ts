import type {IncomingMessage} from 'node:http';
import type {Server} from '@hapi/hapi';
import {DomainError, type Secrets} from '@signalbox/core';
import type {Metrics} from '../metrics.ts';
import {isLoopback} from './client-address.ts';

/** What the server's readiness hangs on. */
export type Health = Readonly<{
	/** Rejects while the store cannot be reached. */
	ping(): Promise<void>;
	/** Names of migrations that are not applied. */
	pending(): Promise<readonly string[]>;
}>;

export type HealthNeeds = Readonly<{
	health: Health;
	metrics: Metrics;
	secrets: Pick<Secrets, 'equal'>;
	/** Opens /metrics to whoever sends it as a bearer. */
	metricsToken: string | undefined;
}>;

/** A look takes no longer than this, whatever the store does. */
const patience_ms = 10_000;

const inTime = async <T>(work: Promise<T>): Promise<T> => {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(reject, patience_ms, new Error('late'));
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
};

const checkReady = async (health: Health): Promise<void> => {
	let pending: readonly string[];
	try {
		pending = await inTime(health.ping().then(health.pending));
	} catch (cause) {
		throw new DomainError('service_unavailable', {message: 'The store cannot be reached.', cause});
	}
	if (pending.length > 0)
		throw new DomainError('service_unavailable', {message: `${pending.length} migrations are not applied.`});
};

/** A page whose name was made to lead here (DNS rebinding) still sends that name. */
const isAskedLocally = (req: IncomingMessage): boolean =>
	isLoopback(URL.parse(`http://${req.headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '');

/** From this very machine, and not on behalf of somebody else. */
const isDirectlyLocal = (req: IncomingMessage): boolean =>
	isLoopback(req.socket.remoteAddress ?? '') &&
	isAskedLocally(req) &&
	req.headers['x-forwarded-for'] === undefined &&
	req.headers.forwarded === undefined;

const forWhom = 'Metrics are for this machine, and for whoever sends SIGNALBOX_METRICS_TOKEN as a bearer token.';

const checkMayReadMetrics = (needs: HealthNeeds, req: IncomingMessage): void => {
	const [, token] = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '') ?? [];
	const opened =
		needs.metricsToken !== undefined && token !== undefined && needs.secrets.equal(token, needs.metricsToken);
	if (!opened && !isDirectlyLocal(req)) throw new DomainError('forbidden', {message: forWhom});
};

/** Is it up, is it ready, and how is it doing. */
export const addHealth = (server: Server, needs: HealthNeeds): void => {
	server.route({method: 'GET', path: '/healthz', handler: () => ({status: 'ok'})});
	server.route({
		method: 'GET',
		path: '/readyz',
		handler: async () => {
			await checkReady(needs.health);
			return {status: 'ready'};
		},
	});
	server.route({
		method: 'GET',
		path: '/metrics',
		handler: async (request, h) => {
			checkMayReadMetrics(needs, request.raw.req);
			return h.response(await needs.metrics.text()).type(needs.metrics.contentType);
		},
	});
};
