import type {IncomingHttpHeaders} from 'node:http';
import {type Authentication, type Caller, DomainError, type McpServerRecord, mayUse} from '@signalbox/core';

export type ProxyCaller = Readonly<{
	/** Undefined for an anonymous caller of the slug. */
	caller: Caller | undefined;
	/** True when `Authorization` is none of ours: then it is meant for the upstream. */
	forward_authorization: boolean;
}>;

/** A key that is sent twice, or blank, is still a credential: it does not hold, so it must not make the caller anonymous. */
const apiKeyOf = (headers: IncomingHttpHeaders): string | undefined => {
	const value = headers['x-api-key'];
	return Array.isArray(value) ? value.join(', ') : value;
};

/** Clients of MCP that can only set a bearer send their API key as one. */
const presentedBy = (authorization: string): Parameters<Authentication['authenticate']>[0] => {
	const [, api_key] = /^bearer +(sbx_\S*)$/i.exec(authorization) ?? [];
	return api_key === undefined ? {authorization} : {api_key};
};

const refuseStrangers = (caller: Caller | undefined, server: McpServerRecord): void => {
	if (caller !== undefined && !mayUse(caller, 'proxy'))
		throw new DomainError('forbidden', {message: 'This API key lacks the scope proxy.'});
	if (!server.require_auth) return;
	if (caller === undefined)
		throw new DomainError('authentication_required', {
			message: 'This server asks for an API key in X-API-Key, or an access token in Authorization.',
		});
	if (!caller.team_ids.includes(server.team_id))
		throw new DomainError('forbidden', {message: 'This server is for members of its team.'});
};

/** True while whoever made a call would still be let in. An access token may expire while its call waits. */
export const isStillWelcome = async (
	authentication: Authentication,
	caller: Caller | undefined,
	server: McpServerRecord,
): Promise<boolean> => {
	try {
		refuseStrangers(caller && (await authentication.renew(caller)), server);
		return true;
	} catch (error) {
		if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
		return false;
	}
};

const anonymous: ProxyCaller = {caller: undefined, forward_authorization: false};

/** The caller of a request that brings no credential, where none is asked for; undefined: `identifyCaller` must look. */
export const anonymousCaller = (headers: IncomingHttpHeaders, server: McpServerRecord): ProxyCaller | undefined =>
	headers.authorization === undefined && headers['x-api-key'] === undefined && !server.require_auth
		? anonymous
		: undefined;

/**
 * Who calls a server through the proxy. Here `X-API-Key` decides, then an `Authorization` of ours; any other one is the
 * upstream's business. A credential of ours that does not hold is refused, never taken for an anonymous call.
 * @throws DomainError unauthenticated or forbidden.
 */
export const identifyCaller = async (
	authentication: Authentication,
	headers: IncomingHttpHeaders,
	server: McpServerRecord,
): Promise<ProxyCaller> => {
	const {authorization} = headers;
	const api_key = apiKeyOf(headers);
	const ours = authorization !== undefined && authentication.isOurs(authorization);
	const caller =
		api_key !== undefined
			? await authentication.authenticate({api_key})
			: ours
				? await authentication.authenticate(presentedBy(authorization))
				: undefined;
	refuseStrangers(caller, server);
	return {caller, forward_authorization: authorization !== undefined && !ours};
};
