import type {Ports} from './ports/index.ts';

type Owned = Readonly<{user_id: string; team_id: string}>;

/** Who is told what happens to something of a team: whoever made it, or the team's owners once they have left. */
export const keepersOf = async (
	{teams}: Pick<Ports, 'teams'>,
	{user_id, team_id}: Owned,
): Promise<readonly string[]> => {
	const members = await teams.members(team_id);
	if (members.some((member) => member.user_id === user_id)) return [user_id];
	return members.filter(({role}) => role === 'owner').map((owner) => owner.user_id);
};
