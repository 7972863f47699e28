import type {Caller} from '@signalbox/core';
import {addCaller, buildId, createTestCore, type TestCore} from '@signalbox/core/testing';
import {utf8} from '../../src/values/bytes-text.ts';
import type {Webhooks} from '../../src/webhook/create-webhooks.ts';
import type {IncomingWebhook} from '../../src/webhook/intake.ts';
import type {Endpoint} from '../../src/webhook/model/endpoint.ts';
import type {EndpointSettings} from '../../src/webhook/model/endpoint-settings.ts';

export type World = TestCore & Readonly<{caller: Caller; webhooks: Webhooks; endpoint: Endpoint}>;

export const wanted = {name: 'Orders', destination_url: 'https://orders.example.com/hook'};

/** A core, a signed-in caller, and an endpoint of theirs. */
export const startWorld = async (
	settings: EndpointSettings = {},
	overrides: Parameters<typeof createTestCore>[0] = {},
): Promise<World> => {
	const testCore = createTestCore(overrides);
	const {core, ports} = testCore;
	const caller = await addCaller(ports);
	const webhooks = core.webhook;
	const endpoint = await webhooks.endpoints.create(caller, {...wanted, ...settings});
	return {...testCore, caller, webhooks, endpoint};
};

/** The caller with an API key that has the default scope. */
export const withKey = (caller: Caller): Caller => ({
	...caller,
	credential: {kind: 'api_key', id: buildId(), scopes: ['api']},
});

export const incoming = (fields: Partial<Omit<IncomingWebhook, 'body'>> & {body?: string} = {}): IncomingWebhook => ({
	method: 'POST',
	path: '',
	query: '',
	headers: [],
	source_ip: '192.0.2.1',
	...fields,
	body: utf8(fields.body ?? '{"order":7}'),
});

/** Sends a webhook that must be accepted, and answers its event. */
export const send = async ({webhooks, endpoint, caller}: World, request: Parameters<typeof incoming>[0] = {}) => {
	const reception = await webhooks.intake.accept(endpoint.slug, incoming(request));
	if (reception.outcome !== 'accepted') throw new Error(`the webhook was ${JSON.stringify(reception)}`);
	return webhooks.events.get(caller, reception.event_id);
};
