import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import {mask} from '../values/mask.ts';
import {createView} from '../values/view.ts';
import {createEndpointAccess} from './endpoint-access.ts';
import {type Endpoint, type EndpointRecord, endpointSchema} from './model/endpoint.ts';
import type {EndpointSettings, ParsedEndpointSettings} from './model/endpoint-settings.ts';
import {
	auditedEndpointChange,
	defaultEndpointSettings,
	mergeEndpointSettings,
	readEndpointSettings,
} from './rules/endpoint-settings.ts';
import {
	newSigningSecret,
	noVerification,
	sealSigningSecret,
	verificationAfter,
	withSigningSecret,
} from './sealed-secrets.ts';

/**
 * Webhook endpoints of the caller's teams. Where an endpoint sends what it gets, and whom it believes, is the everyday work
 * of an API key: no setting needs another scope, and each change is on record.
 */
export type Endpoints = Readonly<{
	/** Answers the signing secret whole, this once. @throws plan_limit_reached, validation_error. */
	create(
		caller: Caller,
		request: EndpointSettings & Readonly<{name: string; destination_url: string}>,
	): Promise<Endpoint>;
	/** Of the active team. */
	list(caller: Caller): Promise<readonly Endpoint[]>;
	get(caller: Caller, id: string): Promise<Endpoint>;
	update(caller: Caller, id: string, request: EndpointSettings): Promise<Endpoint>;
	/** With its events, middleware and rules. */
	delete(caller: Caller, id: string): Promise<void>;
	/** Answers the new signing secret whole, this once. The old one signs beside it for 24 hours. */
	rotateSecret(caller: Caller, id: string): Promise<Endpoint>;
}>;

type Needs = Pick<Ports, 'cipher' | 'audit' | 'signals' | 'clock' | 'ids' | 'secrets' | 'endpoints'>;

/** 128 random bits: the slug alone lets webhooks in, so nobody may guess it. */
const slugBytes = 16;

export const createEndpoints = (needs: Needs, settings: CoreSettings): Endpoints => {
	const record = createAuditTrail(needs);
	const {find, announce} = createEndpointAccess(needs);
	const change = createChange(needs, find);
	return {
		create: async (caller, request) => {
			const {endpoint, secret} = newEndpoint(needs, caller, readOrRefuse(request, ['name', 'destination_url']));
			await needs.endpoints.create(endpoint, planOf(settings, caller.plan).endpoints);
			const {id: target_id, team_id, name, destination_url} = endpoint;
			await record(caller, {action: 'webhook_endpoint.created', team_id, target_id, data: {name, destination_url}});
			return viewOf(endpoint, secret);
		},
		list: async (caller) => (await needs.endpoints.list(caller.team_id)).map((endpoint) => viewOf(endpoint)),
		get: async (caller, id) => viewOf(await find(caller, id)),
		update: async (caller, id, request) => {
			const {before, after} = await change(caller, id, applying(needs, readOrRefuse(request)));
			const data = auditedEndpointChange(before, after);
			await record(caller, {action: 'webhook_endpoint.updated', team_id: after.team_id, target_id: id, data});
			announce(after);
			return viewOf(after);
		},
		delete: async (caller, id) => {
			const endpoint = await find(caller, id);
			if (!(await needs.endpoints.delete(caller.team_ids, id))) throw new DomainError('resource_not_found');
			const {team_id, name} = endpoint;
			await record(caller, {action: 'webhook_endpoint.deleted', team_id, target_id: id, data: {name}});
			announce(endpoint);
		},
		rotateSecret: async (caller, id) => {
			const secret = newSigningSecret(needs.secrets);
			const {after} = await change(caller, id, (current) => withSigningSecret(needs, current, secret));
			await record(caller, {action: 'webhook_endpoint.secret_rotated', team_id: after.team_id, target_id: id});
			announce(after);
			return viewOf(after, secret);
		},
	};
};

/** Writes what `next` makes of the record; when somebody else was faster, once more from what they left. */
const createChange =
	(needs: Needs, find: (caller: Caller, id: string) => Promise<EndpointRecord>) =>
	async (caller: Caller, id: string, next: (current: EndpointRecord) => EndpointRecord) => {
		for (let attempt = 0; attempt < 5; attempt += 1) {
			const before = await find(caller, id);
			const wanted = {...next(before), updated_at: needs.clock.now()};
			const after = await needs.endpoints.update(caller.team_ids, wanted, before.version);
			if (after) return {before, after};
		}
		throw new DomainError('conflict', {message: 'The endpoint is being changed by others: try again.'});
	};

const readOrRefuse = (
	request: EndpointSettings,
	required: readonly (keyof EndpointSettings)[] = [],
): ParsedEndpointSettings => {
	const read = readEndpointSettings(request, required);
	if (read.ok) return read.value;
	throw invalidFields(read.details);
};

const newEndpoint = (needs: Needs, caller: Caller, request: ParsedEndpointSettings) => {
	const now = needs.clock.now();
	const owner = {id: needs.ids.next(), user_id: caller.user_id, team_id: caller.team_id};
	const secret = newSigningSecret(needs.secrets);
	const endpoint: EndpointRecord = {
		...mergeEndpointSettings({...defaultEndpointSettings, name: '', destination_url: ''}, request),
		...owner,
		...verificationAfter(needs.cipher, {...owner, ...noVerification}, request.verification),
		slug: needs.secrets.random(slugBytes),
		signing_secret: sealSigningSecret(needs.cipher, owner, secret),
		previous_signing_secret: null,
		is_for_notices: false,
		created_at: now,
		updated_at: now,
		version: 1,
	};
	return {endpoint, secret};
};

const applying =
	({cipher}: Needs, request: ParsedEndpointSettings) =>
	(current: EndpointRecord): EndpointRecord => ({
		...mergeEndpointSettings(current, request),
		...verificationAfter(cipher, current, request.verification),
	});

const fieldsOf = createView(endpointSchema);

const viewOf = (endpoint: EndpointRecord, signing_secret = mask): Endpoint => fieldsOf({...endpoint, signing_secret});
