import {createDirectory, type Directory} from '../directory.ts';
import type {DomainEvent, Ports} from '../ports/index.ts';
import type {McpServerRecord} from './model/server.ts';

export type ServerDirectory = Readonly<{
	bySlug: Directory<McpServerRecord>['find'];
	known: Directory<McpServerRecord>['known'];
}>;

type Needs = Pick<Ports, 'mcpServers' | 'signals' | 'clock'>;

export const createServerDirectory = (needs: Needs): ServerDirectory => {
	const {find, known} = createDirectory<McpServerRecord>(needs, {
		read: async (slug, before) => {
			const server = await needs.mcpServers.bySlug(slug);
			return before !== undefined && server !== undefined && isSame(before, server) ? before : server;
		},
		changedBy,
	});
	return {bySlug: find, known};
};

const isSame = (before: McpServerRecord, after: McpServerRecord): boolean =>
	before.id === after.id && before.version === after.version;

const changedBy = (event: DomainEvent): ((server: McpServerRecord) => boolean) | undefined => {
	switch (event.type) {
		case 'mcp.server.changed':
			return ({id}) => id === event.mcp_server_id;
		case 'team.deleted':
			return ({team_id}) => team_id === event.team_id;
		default:
			return undefined;
	}
};
