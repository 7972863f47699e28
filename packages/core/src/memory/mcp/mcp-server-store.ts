import {DomainError} from '../../errors.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import type {McpServerStore} from '../../ports/index.ts';
import {deleteServer} from '../cascades.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, firstWhere, oldestFirst, rowsWhere, taken} from '../rows.ts';

const requireFreeSlug = (db: MemoryDatabase, {id, slug}: McpServerRecord): void => {
	if (firstWhere(db.mcpServers, (other) => other.slug === slug && other.id !== id) !== undefined) throw taken('slug');
};

const createServer = (db: MemoryDatabase, server: McpServerRecord, limit: number | null): void => {
	if (!db.teams.has(server.team_id)) throw new DomainError('resource_not_found');
	const created = rowsWhere(db.mcpServers, (other) => other.user_id === server.user_id).length;
	if (limit !== null && created >= limit) throw new DomainError('plan_limit_reached');
	requireFreeSlug(db, server);
	db.mcpServers.set(server.id, copyOf(server));
};

export const createMcpServerStore = (db: MemoryDatabase): McpServerStore => {
	const find = (team_ids: readonly string[], id: string) => {
		const server = db.mcpServers.get(id);
		return server !== undefined && team_ids.includes(server.team_id) ? server : undefined;
	};
	return {
		create: async (server, limit) => createServer(db, server, limit),
		get: async (team_ids, id) => copyOf(find(team_ids, id)),
		list: async (team_id) =>
			rowsWhere(db.mcpServers, (server) => server.team_id === team_id)
				.sort(oldestFirst)
				.map(copyOf),
		update: async (team_ids, server, version) => {
			if (find(team_ids, server.id)?.version !== version) return undefined;
			requireFreeSlug(db, server);
			const changed = copyOf({...server, version: version + 1});
			db.mcpServers.set(server.id, changed);
			return copyOf(changed);
		},
		delete: async (team_ids, id) => find(team_ids, id) !== undefined && deleteServer(db, id),
		bySlug: async (slug) => copyOf(firstWhere(db.mcpServers, (server) => server.slug === slug)),
		sealedOtherwise: async (kid, limit) =>
			rowsWhere(db.mcpServers, ({upstream_headers}) => upstream_headers !== null && upstream_headers.kid !== kid)
				.sort(oldestFirst)
				.slice(0, limit)
				.map(copyOf),
		reseal: async (id, from, to) => {
			const server = db.mcpServers.get(id);
			const sealed = server?.upstream_headers;
			if (server === undefined || sealed?.kid !== from.kid || sealed.data !== from.data) return false;
			db.mcpServers.set(id, {...server, upstream_headers: copyOf(to), version: server.version + 1});
			return true;
		},
	};
};
