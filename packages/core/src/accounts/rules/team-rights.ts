import type {Team, TeamRole} from '../model/team.ts';

type TeamOfCaller = Pick<Team, 'is_personal'> & Readonly<{role: TeamRole}>;

export type TeamVerdict = 'allowed' | 'owners_only' | 'personal_team';

/** Owners edit a team; a personal team stays, and stays its owner's alone: its variables and servers are theirs. */
export const judgeTeamChange = (
	{role, is_personal}: TeamOfCaller,
	change: 'rename' | 'delete' | 'add_people',
): TeamVerdict => {
	if (role !== 'owner') return 'owners_only';
	return is_personal && change !== 'rename' ? 'personal_team' : 'allowed';
};

/** Owners remove anyone, members themselves. */
export const mayRemoveMember = (
	{role}: Pick<TeamOfCaller, 'role'>,
	people: Readonly<{caller_id: string; member_id: string}>,
): boolean => role === 'owner' || people.caller_id === people.member_id;
