import type {MemoryDatabase} from './database.ts';
import {deleteWhere, rowsWhere, updateWhere} from './rows.ts';
import {deleteEndpoint} from './webhook/cascades.ts';

/** The user's active team becomes the personal one if it was this one. */
export const leaveActiveTeam = (db: MemoryDatabase, team_id: string, user_id: string): void => {
	const user = db.users.get(user_id);
	if (user?.active_team_id !== team_id) return;
	const personal = rowsWhere(db.memberships, (row) => row.user_id === user_id && row.role === 'owner').find(
		(row) => db.teams.get(row.team_id)?.is_personal,
	);
	if (personal !== undefined) db.users.set(user_id, {...user, active_team_id: personal.team_id});
};

export const deleteServer = (db: MemoryDatabase, mcp_server_id: string): boolean => {
	const belongs = (row: Readonly<{mcp_server_id: string}>) => row.mcp_server_id === mcp_server_id;
	deleteWhere(db.calls, belongs);
	deleteWhere(db.forgottenCalls, belongs);
	deleteWhere(db.approvals, belongs);
	deleteWhere(db.spend, belongs);
	return db.mcpServers.delete(mcp_server_id);
};

export const deleteTeam = (db: MemoryDatabase, team_id: string): boolean => {
	const belongs = (row: Readonly<{team_id?: string | undefined}>) => row.team_id === team_id;
	for (const server of rowsWhere(db.mcpServers, belongs)) deleteServer(db, server.id);
	for (const endpoint of rowsWhere(db.endpoints, belongs)) deleteEndpoint(db, endpoint.id);
	deleteWhere(db.variables, belongs);
	deleteWhere(db.invites, belongs);
	for (const member of rowsWhere(db.memberships, belongs)) leaveActiveTeam(db, team_id, member.user_id);
	deleteWhere(db.memberships, belongs);
	return db.teams.delete(team_id);
};

export const revokeTokens = (
	db: MemoryDatabase,
	which: Readonly<{user_id: string}> | Readonly<{family_id: string}>,
): void => {
	updateWhere(
		db.refreshTokens,
		(row) => ('user_id' in which ? row.user_id === which.user_id : row.family_id === which.family_id),
		(row) => ({...row, revoked: true}),
	);
};
