import {DomainError, type EndpointPipeline, type EndpointRecord, type EndpointStore} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {unlinkChains} from '../cron/linked-chains.ts';
import {createGroupQueue} from '../group-queue.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {integer, join, list, paddedList, raw, type Sql, sql} from '../sql.ts';
import {endpoints} from './endpoints.table.ts';
import {activeItems} from './ordered.store.ts';
import {middlewares, routingRules} from './ordered.table.ts';

const selectEndpoints = (condition: Sql): Sql =>
	sql`SELECT ${endpoints.columns} FROM webhook_endpoints WHERE ${condition}`;

const reachable = (team_ids: readonly string[], id: string): Sql => sql`id = ${id} AND team_id IN ${list(team_ids)}`;

const ofTeam = (team_id: string, purpose: 'intake' | 'notices'): Sql =>
	sql`team_id = ${team_id} AND is_for_notices = ${integer(purpose === 'notices' ? 1 : 0)}`;

const createEndpoint = async (transaction: Transaction, endpoint: EndpointRecord, limit: number | null) => {
	await lockRow(transaction, 'users', endpoint.user_id);
	const {user_id, team_id, is_for_notices} = endpoint;
	// Of those for notices the team has one, whoever makes it.
	if (is_for_notices) await lockRow(transaction, 'teams', team_id);
	if (is_for_notices && (await first(transaction, selectEndpoints(ofTeam(team_id, 'notices')))))
		throw new DomainError('resource_exists');
	const existing = sql`SELECT COUNT(*) AS count FROM webhook_endpoints WHERE user_id = ${user_id} AND is_for_notices = 0`;
	if (limit !== null && (await count(transaction, existing)) >= limit) throw new DomainError('plan_limit_reached');
	await transaction.run(endpoints.insert([endpoint]));
};

/** What says who made it, when and for whom stays; the rest is written. */
const changesOf = (
	{id: _, user_id: __, team_id: ___, created_at: ____, ...changes}: EndpointRecord,
	version: number,
): Sql => endpoints.set({...changes, version: version + 1});

const updateEndpoint = async (transaction: Transaction, one: Sql, [endpoint, version]: [EndpointRecord, number]) => {
	const changes = changesOf(endpoint, version);
	const update = sql`UPDATE webhook_endpoints SET ${changes} WHERE ${one} AND version = ${version}`;
	const row = await guardedUpdate(transaction, update, selectEndpoints(one));
	return row && endpoints.read(row);
};

const sealedColumns = ['verification_secrets', 'signing_secret', 'previous_signing_secret'] as const;

/** The one that holds `from` gets `to`, whichever it is. */
const reseal = async (transaction: Transaction, ...[id, from, to]: Parameters<EndpointStore['reseal']>) => {
	for (const field of sealedColumns) {
		const [kid, data] = [raw(`${field}_kid`), raw(`${field}_data`)];
		const unchanged = sql`id = ${id} AND ${kid} = ${from.kid} AND ${data} = ${from.data}`;
		const changes = sql`${kid} = ${to.kid}, ${data} = ${to.data}, version = version + 1`;
		const resealed = await transaction.run(sql`UPDATE webhook_endpoints SET ${changes} WHERE ${unchanged}`);
		if (resealed > 0) return true;
	}
	return false;
};

type Version = Readonly<{id: string; version: number}>;

/** Lookups that come while one is under way go together: each webhook that comes in makes one. */
const createVersions = (connection: Connection) =>
	createGroupQueue<string, Version | undefined>(
		async (slugs) => {
			const rows = await connection.all(
				sql`SELECT slug, id, version FROM webhook_endpoints WHERE slug IN ${paddedList([...new Set(slugs)])}`,
			);
			const found = new Map(rows.map(({slug, id, version}) => [slug, {id: String(id), version: Number(version)}]));
			return slugs.map((slug) => ({status: 'fulfilled', value: found.get(slug)}));
		},
		{max_items: 64},
	);

const readPipeline = async (connection: Connection, {id}: Version): Promise<EndpointPipeline | undefined> => {
	const row = await first(connection, selectEndpoints(sql`id = ${id}`));
	if (row === undefined) return undefined;
	return {
		endpoint: endpoints.read(row),
		middlewares: await activeItems(connection, middlewares, id),
		rules: await activeItems(connection, routingRules, id),
	};
};

const isOf = (pipeline: EndpointPipeline | undefined, {id, version}: Version): boolean =>
	pipeline?.endpoint.id === id && pipeline.endpoint.version === version;

export const createEndpointStore = (connection: Connection): EndpointStore => {
	const select = async (condition: Sql) => (await connection.all(selectEndpoints(condition))).map(endpoints.read);
	const versions = createVersions(connection);
	/** What was read in several statements is of one moment if the version before and after them is the same. */
	const pipelineBySlug: EndpointStore['pipelineBySlug'] = async (slug, known) => {
		const version = await versions.push(slug);
		if (version === undefined) return undefined;
		return isOf(known, version) ? known : pipelineBySlug(slug, await readPipeline(connection, version));
	};
	return {
		create: async (endpoint, limit) =>
			connection.write(async (transaction) => createEndpoint(transaction, endpoint, limit)),
		get: async (team_ids, id) => (await select(reachable(team_ids, id))).at(0),
		list: async (team_id, purpose = 'intake') => select(sql`${ofTeam(team_id, purpose)} ORDER BY created_at, id`),
		update: async (team_ids, endpoint, version) =>
			connection.write(async (transaction) =>
				updateEndpoint(transaction, reachable(team_ids, endpoint.id), [endpoint, version]),
			),
		// Middleware, rules, claims and events with their deliveries and attempts go with it by their foreign keys.
		delete: async (team_ids, id) =>
			connection.write(async (transaction) => {
				// Before its chains, as who accepts webhooks does.
				await lockRow(transaction, 'webhook_endpoints', id);
				await unlinkChains(transaction, reachable(team_ids, id));
				return (await transaction.run(sql`DELETE FROM webhook_endpoints WHERE ${reachable(team_ids, id)}`)) > 0;
			}),
		pipelineBySlug,
		sealedOtherwise: async (kid, limit) => {
			const others = sealedColumns.map((field) => sql`${raw(`${field}_kid`)} <> ${kid}`);
			return select(sql`${join(others, ' OR ')} ORDER BY created_at, id LIMIT ${integer(limit)}`);
		},
		reseal: async (...fields) => connection.write(async (transaction) => reseal(transaction, ...fields)),
	};
};
