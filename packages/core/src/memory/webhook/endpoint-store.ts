import {DomainError} from '../../errors.ts';
import type {EndpointPipeline, EndpointStore} from '../../ports/index.ts';
import type {Sealed} from '../../values/sealed.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {bySortOrder} from '../../webhook/rules/by-sort-order.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, firstWhere, oldestFirst, rowsWhere, taken} from '../rows.ts';
import {deleteEndpoint} from './cascades.ts';

const requireFreeSlug = (db: MemoryDatabase, {id, slug}: EndpointRecord): void => {
	if (firstWhere(db.endpoints, (other) => other.slug === slug && other.id !== id) !== undefined) throw taken('slug');
};

const noticesOf = (db: MemoryDatabase, team_id: string): readonly EndpointRecord[] =>
	rowsWhere(db.endpoints, (row) => row.team_id === team_id && row.is_for_notices);

const createEndpoint = (db: MemoryDatabase, endpoint: EndpointRecord, limit: number | null): void => {
	if (!db.teams.has(endpoint.team_id)) throw new DomainError('resource_not_found');
	const isLike = (other: EndpointRecord) => other.is_for_notices === endpoint.is_for_notices;
	const created = rowsWhere(db.endpoints, (other) => isLike(other) && other.user_id === endpoint.user_id).length;
	if (endpoint.is_for_notices && noticesOf(db, endpoint.team_id).length > 0) throw taken('is_for_notices');
	if (limit !== null && created >= limit) throw new DomainError('plan_limit_reached');
	requireFreeSlug(db, endpoint);
	db.endpoints.set(endpoint.id, copyOf(endpoint));
};

const pipelineOf = (db: MemoryDatabase, endpoint: EndpointRecord): EndpointPipeline => {
	const isActive = (row: Readonly<{endpoint_id: string; is_active: boolean}>) =>
		row.endpoint_id === endpoint.id && row.is_active;
	return copyOf({
		endpoint,
		middlewares: rowsWhere(db.middlewares, isActive).sort(bySortOrder),
		rules: rowsWhere(db.routingRules, isActive).sort(bySortOrder),
	});
};

const sealedFields = (endpoint: EndpointRecord): readonly Sealed[] =>
	[endpoint.verification_secrets, endpoint.signing_secret, endpoint.previous_signing_secret?.secret].filter(
		(sealed) => sealed !== null && sealed !== undefined,
	);

/** The record with `to` in the place of `from`, or undefined when it has no such field. */
const resealed = (endpoint: EndpointRecord, from: Sealed, to: Sealed): EndpointRecord | undefined => {
	const isFrom = ({kid, data}: Sealed) => kid === from.kid && data === from.data;
	if (!sealedFields(endpoint).some(isFrom)) return undefined;
	const replace = (sealed: Sealed): Sealed => (isFrom(sealed) ? copyOf(to) : sealed);
	const {verification_secrets, signing_secret, previous_signing_secret: previous} = endpoint;
	return {
		...endpoint,
		verification_secrets: verification_secrets && replace(verification_secrets),
		signing_secret: replace(signing_secret),
		previous_signing_secret: previous && {...previous, secret: replace(previous.secret)},
		version: endpoint.version + 1,
	};
};

export const createEndpointStore = (db: MemoryDatabase): EndpointStore => {
	const find = (team_ids: readonly string[], id: string) => {
		const endpoint = db.endpoints.get(id);
		return endpoint !== undefined && team_ids.includes(endpoint.team_id) ? endpoint : undefined;
	};
	const select = (holds: (endpoint: EndpointRecord) => boolean) =>
		rowsWhere(db.endpoints, holds).sort(oldestFirst).map(copyOf);
	return {
		create: async (endpoint, limit) => createEndpoint(db, endpoint, limit),
		get: async (team_ids, id) => copyOf(find(team_ids, id)),
		list: async (team_id, purpose = 'intake') =>
			select((endpoint) => endpoint.team_id === team_id && endpoint.is_for_notices === (purpose === 'notices')),
		update: async (team_ids, endpoint, version) => {
			if (find(team_ids, endpoint.id)?.version !== version) return undefined;
			requireFreeSlug(db, endpoint);
			const changed = copyOf({...endpoint, version: version + 1});
			db.endpoints.set(endpoint.id, changed);
			return copyOf(changed);
		},
		delete: async (team_ids, id) => find(team_ids, id) !== undefined && deleteEndpoint(db, id),
		pipelineBySlug: async (slug, known) => {
			const endpoint = firstWhere(db.endpoints, (row) => row.slug === slug);
			if (endpoint === undefined) return undefined;
			const isKnown = known?.endpoint.id === endpoint.id && known.endpoint.version === endpoint.version;
			return isKnown ? known : pipelineOf(db, endpoint);
		},
		sealedOtherwise: async (kid, limit) =>
			select((endpoint) => sealedFields(endpoint).some((sealed) => sealed.kid !== kid)).slice(0, limit),
		reseal: async (id, from, to) => {
			const endpoint = db.endpoints.get(id);
			const next = endpoint && resealed(endpoint, from, to);
			if (next !== undefined) db.endpoints.set(id, next);
			return next !== undefined;
		},
	};
};
