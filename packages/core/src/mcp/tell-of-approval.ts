import type {Ports} from '../ports/index.ts';
import {firstCharacters} from '../values/first-characters.ts';
import type {ApprovalRecord} from './model/approval.ts';
import type {McpServerRecord} from './model/server.ts';

type Needs = Pick<Ports, 'teams' | 'notifications' | 'clock' | 'ids'>;

/** A client may call a tool whatever it likes. */
const shownOfName = 200;

/** Tells whoever may decide it. The call waits all the same where nobody can be told: this never rejects. */
export const tellOfApproval = async (
	needs: Needs,
	{name: server_name}: McpServerRecord,
	{id: approval_id, team_id, mcp_server_id, tool_name: called, expires_at}: ApprovalRecord,
): Promise<void> => {
	const tool_name = firstCharacters(called, shownOfName);
	const news = {
		...{type: 'approval_pending' as const, title: `${tool_name} waits for approval`},
		message: `A call of ${tool_name} on ${server_name} waits for a decision until ${expires_at}.`,
		...{data: {approval_id, mcp_server_id, tool_name, expires_at}, is_read: false, created_at: needs.clock.now()},
	};
	const members = await needs.teams.members(team_id).catch(() => []);
	const notifications = members.map(({user_id}) => ({...news, id: needs.ids.next(), user_id}));
	await needs.notifications.append(...notifications).catch(() => undefined);
};
