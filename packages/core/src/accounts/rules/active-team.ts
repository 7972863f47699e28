import type {Team} from '../model/team.ts';

export type ActiveTeam = Readonly<{ok: true; team_id: string}> | Readonly<{ok: false; because: 'not_a_member'}>;

type Wish = Readonly<{requested: string | undefined; preferred: string}>;

/** The team a call works in: the requested one if the caller belongs to it, else the preferred one, else the personal one. */
export const chooseActiveTeam = (
	teams: readonly Pick<Team, 'id' | 'is_personal'>[],
	{requested, preferred}: Wish,
): ActiveTeam => {
	const has = (id: string) => teams.some((team) => team.id === id);
	if (requested !== undefined && !has(requested)) return {ok: false, because: 'not_a_member'};
	const wanted = requested ?? preferred;
	const personal = teams.find((team) => team.is_personal);
	return {ok: true, team_id: has(wanted) ? wanted : (personal?.id ?? preferred)};
};
