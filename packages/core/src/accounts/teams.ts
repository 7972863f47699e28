import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Team, TeamMember, TeamRole} from './model/team.ts';
import type {User} from './model/user.ts';

export type TeamWithMembers = Team & Readonly<{role: TeamRole; members: readonly TeamMember[]}>;

/** Teams of the caller. Teams of others are resource_not_found; owner actions by members are forbidden. */
export type Teams = Readonly<{
	list(caller: Caller): Promise<readonly (Team & Readonly<{role: TeamRole}>)[]>;
	create(caller: Caller, request: Readonly<{name: string}>): Promise<TeamWithMembers>;
	get(caller: Caller, id: string): Promise<TeamWithMembers>;
	update(caller: Caller, id: string, request: Readonly<{name?: string | undefined}>): Promise<TeamWithMembers>;
	/** @throws conflict for a personal team. */
	delete(caller: Caller, id: string): Promise<void>;
	/** @throws resource_not_found when no account has the address (field email); resource_exists for a member; conflict for a personal team. */
	addMember(caller: Caller, id: string, request: Readonly<{email: string; role: TeamRole}>): Promise<TeamMember>;
	/** Owners remove anyone, members themselves. @throws conflict for the last owner. */
	removeMember(caller: Caller, id: string, user_id: string): Promise<void>;
	/** Makes it the caller's active team. */
	activate(caller: Caller, id: string): Promise<User>;
	/** A single-use token for one registration, valid 7 days; answered here and never again. */
	invite(caller: Caller, id: string): Promise<Readonly<{id: string; token: string; expires_at: string}>>;
}>;

export const createTeams = (
	_needs: Pick<Ports, 'teams' | 'users' | 'invites' | 'audit' | 'clock' | 'ids' | 'secrets'>,
): Teams => {
	throw new Error('not built');
};
