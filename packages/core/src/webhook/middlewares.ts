import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidField, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {createEndpointAccess} from './endpoint-access.ts';
import {type Middleware, mostMiddlewares} from './model/middleware.ts';
import type {MiddlewareSettings, NewMiddleware} from './model/middleware-settings.ts';
import {type ReadMiddleware, readMiddleware} from './rules/read-middleware.ts';

/** The steps that webhooks of an endpoint pass (specification, "Webhook endpoint middleware"). */
export type Middlewares = Readonly<{
	/**
	 * Runs last. @throws validation_error that names the field of the config at fault; conflict when the endpoint has
	 * `mostMiddlewares`.
	 */
	create(caller: Caller, endpoint_id: string, request: NewMiddleware): Promise<Middleware>;
	/** All of them, inactive ones too, in the order in which they run. */
	list(caller: Caller, endpoint_id: string): Promise<readonly Middleware[]>;
	update(caller: Caller, place: MiddlewarePlace, request: MiddlewareSettings): Promise<Middleware>;
	delete(caller: Caller, place: MiddlewarePlace): Promise<void>;
	/** @throws validation_error unless these are exactly the endpoint's ids, each once. */
	reorder(caller: Caller, endpoint_id: string, middleware_ids: readonly string[]): Promise<readonly Middleware[]>;
}>;

/** Which step of which endpoint. */
type MiddlewarePlace = Readonly<{endpoint_id: string; middleware_id: string}>;

type Needs = Pick<Ports, 'audit' | 'signals' | 'clock' | 'ids' | 'endpoints' | 'middlewares'>;

// The record of changes names fields of a config and never holds them: some are secrets that nobody made a variable.
export const createMiddlewares = (needs: Needs): Middlewares => {
	const record = createAuditTrail(needs);
	const {find, announce} = createEndpointAccess(needs);
	return {
		create: async (caller, endpoint_id, request) => {
			const read = readOrRefuse(request);
			const {team_id} = await find(caller, endpoint_id);
			const made = await needs.middlewares.create({...read, id: needs.ids.next(), endpoint_id}, mostMiddlewares);
			const {name, type} = made;
			const data = {endpoint_id, name, type};
			await record(caller, {action: 'webhook_middleware.created', team_id, target_id: made.id, data});
			announce({id: endpoint_id, team_id});
			return made;
		},
		list: async (caller, endpoint_id) => {
			await find(caller, endpoint_id);
			return needs.middlewares.list(endpoint_id);
		},
		update: async (caller, {endpoint_id, middleware_id}, request) => {
			const {team_id} = await find(caller, endpoint_id);
			const after = await needs.middlewares.update(endpoint_id, middleware_id, applying(request));
			if (after === undefined) throw new DomainError('resource_not_found');
			const data = {endpoint_id, name: after.name, fields: Object.keys(request)};
			await record(caller, {action: 'webhook_middleware.updated', team_id, target_id: middleware_id, data});
			announce({id: endpoint_id, team_id});
			return after;
		},
		delete: async (caller, {endpoint_id, middleware_id}) => {
			const {team_id} = await find(caller, endpoint_id);
			const isDeleted = await needs.middlewares.delete(endpoint_id, middleware_id);
			if (!isDeleted) throw new DomainError('resource_not_found');
			const data = {endpoint_id};
			await record(caller, {action: 'webhook_middleware.deleted', team_id, target_id: middleware_id, data});
			announce({id: endpoint_id, team_id});
		},
		reorder: async (caller, endpoint_id, middleware_ids) => {
			const {team_id} = await find(caller, endpoint_id);
			const ordered = await needs.middlewares.reorder(endpoint_id, middleware_ids);
			if (ordered === undefined) throw invalidField('middleware_ids', "must be exactly the endpoint's ids, each once");
			const data = {middleware_ids};
			await record(caller, {action: 'webhook_middleware.reordered', team_id, target_id: endpoint_id, data});
			announce({id: endpoint_id, team_id});
			return ordered;
		},
	};
};

const readOrRefuse = (request: MiddlewareSettings): ReadMiddleware => {
	const read = readMiddleware(request);
	if (read.ok) return read.value;
	throw invalidFields(read.details);
};

const applying =
	(request: MiddlewareSettings) =>
	(current: Middleware): Middleware => {
		const {type, name, config, is_active, ...place} = current;
		const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
		return {...place, ...readOrRefuse({type, name, config, is_active, ...given})};
	};
