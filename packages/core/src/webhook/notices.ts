import {createAuditTrail} from '../audit-trail.ts';
import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {EndpointRecord} from './model/endpoint.ts';
import type {Notice} from './model/notice.ts';
import {plannedNotice} from './rules/planned-notice.ts';
import {newSigningSecret, noVerification, sealSigningSecret, withSigningSecret} from './sealed-secrets.ts';

/**
 * What people are told at addresses of their choice: delivered as webhooks are, so signed, retried and on record, with a
 * secret that is the user's. It leaves from an endpoint of the personal team that takes nothing in.
 */
export type Notices = Readonly<{
	/** Resolves once it cannot be lost any more. Sent again under its id, it is the same. */
	send(notice: Notice): Promise<void>;
	/** Answers the new secret whole, this once. The one before signs beside it for 24 hours. */
	rotateSecret(caller: Caller): Promise<Readonly<{signing_secret: string}>>;
}>;

type Needs = Pick<
	Ports,
	'audit' | 'cipher' | 'clock' | 'ids' | 'secrets' | 'signals' | 'teams' | 'endpoints' | 'intake'
>;

const slugBytes = 16;
const mostTries = 5;

const isExisting = (error: unknown): boolean => error instanceof DomainError && error.reason === 'resource_exists';

export const createNotices = (needs: Needs): Notices => {
	const record = createAuditTrail(needs);
	const endpointOf = createEndpointOf(needs);
	const rotate = createRotate(needs, endpointOf);
	return {
		send: async (notice) => {
			const {id: event_id, user_id} = notice;
			const endpoint = await endpointOf(user_id);
			const acceptable = plannedNotice(notice, endpoint, needs.ids.next);
			await needs.intake.accept(acceptable).catch((error: unknown) => {
				if (!isExisting(error)) throw error;
			});
			needs.signals.publish({type: 'webhook.delivery.due', event_id, team_id: endpoint.team_id});
		},
		rotateSecret: async (caller) => {
			const signing_secret = newSigningSecret(needs.secrets);
			const {id: target_id, team_id} = await rotate(caller.user_id, signing_secret);
			await record(caller, {action: 'notices.secret_rotated', team_id, target_id});
			return {signing_secret};
		},
	};
};

/** The user's own; made when it is needed for the first time. */
const createEndpointOf =
	(needs: Needs) =>
	async (user_id: string): Promise<EndpointRecord> => {
		const team = (await needs.teams.forUser(user_id)).find(({is_personal}) => is_personal);
		if (team === undefined) throw new DomainError('resource_not_found');
		const find = async () => (await needs.endpoints.list(team.id, 'notices')).at(0);
		const found = await find();
		if (found !== undefined) return found;
		const made = newEndpoint(needs, {user_id, team_id: team.id});
		await needs.endpoints.create(made, null).catch((error: unknown) => {
			if (!isExisting(error)) throw error;
		});
		return (await find()) ?? made;
	};

const newEndpoint = (
	needs: Needs,
	{user_id, team_id}: Readonly<{user_id: string; team_id: string}>,
): EndpointRecord => {
	const owner = {id: needs.ids.next(), user_id, team_id};
	const now = needs.clock.now();
	return {
		...{...owner, ...noVerification, slug: needs.secrets.random(slugBytes), name: 'Notices'},
		...{destination_url: '', routing_mode: 'single' as const, retry_config: null, response: null},
		...{is_active: false, is_for_notices: true, version: 1, created_at: now, updated_at: now},
		signing_secret: sealSigningSecret(needs.cipher, owner, newSigningSecret(needs.secrets)),
		previous_signing_secret: null,
	};
};

const createRotate =
	(needs: Needs, endpointOf: (user_id: string) => Promise<EndpointRecord>) =>
	async (user_id: string, secret: string): Promise<EndpointRecord> => {
		for (let tries = 0; tries < mostTries; tries += 1) {
			const before = await endpointOf(user_id);
			const wanted = {...withSigningSecret(needs, before, secret), updated_at: needs.clock.now()};
			const after = await needs.endpoints.update([before.team_id], wanted, before.version);
			if (after === undefined) continue;
			needs.signals.publish({type: 'webhook.endpoint.changed', endpoint_id: after.id, team_id: after.team_id});
			return after;
		}
		throw new DomainError('conflict', {message: 'The secret is being changed by others: try again.'});
	};
