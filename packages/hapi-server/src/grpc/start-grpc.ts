import {readFile} from 'node:fs/promises';
import {findPackageJSON} from 'node:module';
import {type Core, DomainError, type Ports} from '@signalbox/core';
import {type GrpcServer, type GrpcServerSettings, serveGrpc} from '@signalbox/rpc';
import type {Logger} from 'pino';
import {ConfigError, type GrpcConfig} from '../config.ts';
import {plainAddress} from '../http/client-address.ts';
import {createRateLimits, type EdgeLimits, type RateLimits} from '../http/rate-limit.ts';
import {createAgentPeer} from './agent-peer.ts';
import {createKeyPeer, createLoginPeer} from './auth-peer.ts';
import {countedAgentPeer, countedKeyPeer, orRefuse} from './counted-peer.ts';

export type GrpcNeeds = Readonly<{
	core: Core;
	ports: Ports;
	log: Logger;
	limits: EdgeLimits;
	/** Where people reach the server with a browser. */
	base_url: string;
}>;

/** A gRPC server that listens, and where agents reach it. */
export type RunningGrpc = Readonly<{url: string; stop: GrpcServer['stop']}>;

const readVersion = async (): Promise<string> => {
	const manifest = await readFile(findPackageJSON(import.meta.url) ?? '', 'utf8');
	return (JSON.parse(manifest) as {version: string}).version;
};

const readPem = async (name: string, path: string): Promise<string> => {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		throw new ConfigError(`${name}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
	}
};

const readTls = async ({tls}: GrpcConfig): Promise<Pick<GrpcServerSettings, 'tls'>> => {
	if (tls === undefined) return {};
	const [certificate, key] = [
		await readPem('GRPC_TLS_CERT', tls.cert_file),
		await readPem('GRPC_TLS_KEY', tls.key_file),
	];
	return {tls: {certificate, key}};
};

const urlOf = ({host, url, tls}: GrpcConfig, port: number): string =>
	url ?? `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** @throws ConfigError when the port is taken; gRPC says so in words of its own. */
const listen = async (settings: GrpcServerSettings): Promise<GrpcServer> => {
	try {
		return await serveGrpc(settings);
	} catch (cause) {
		const place = `${settings.host}:${settings.port}`;
		throw new ConfigError(`GRPC_PORT: cannot listen on ${place} (${(cause as Error).message})`, {cause});
	}
};

/**
 * Undefined for a key that does not hold, which is counted for its address as over HTTP, so that guessing is bounded; what else
 * goes wrong is no answer about the key.
 */
const authenticateWith =
	({accounts}: Core, limits: Pick<RateLimits, 'anonymous'>): GrpcServerSettings['authenticate'] =>
	async ({apiKey: api_key, address}) => {
		try {
			return await accounts.authentication.authenticate({api_key});
		} catch (error) {
			if (!(error instanceof DomainError && error.kind === 'unauthenticated')) throw error;
			const {refusal} = await limits.anonymous(plainAddress(address));
			if (refusal) throw refusal;
			return undefined;
		}
	};

/** Serves agents and the command line over gRPC. @throws ConfigError for a certificate that cannot be read. */
export const startGrpc = async (config: GrpcConfig, needs: GrpcNeeds): Promise<RunningGrpc> => {
	const {core, ports, log, base_url} = needs;
	const {clock, signals, rateLimiter} = ports;
	const version = await readVersion();
	const limits = createRateLimits({rateLimiter, clock, settings: core.settings, limits: needs.limits});
	const server = await listen({
		...(await readTls(config)),
		host: config.host,
		port: config.port,
		login: (address) => createLoginPeer({core, limits, base_url}, address),
		authenticated: (caller) => ({
			...countedKeyPeer(createKeyPeer({core, version}, caller), async () => orRefuse(await limits.caller(caller))),
			...countedAgentPeer(createAgentPeer({core, clock, signals}, caller), async () =>
				orRefuse(await limits.agent(caller)),
			),
		}),
		authenticate: authenticateWith(core, limits),
		report: (thrown) => log.error({err: thrown}, 'call failed'),
	});
	return {url: urlOf(config, server.port), stop: server.stop};
};
