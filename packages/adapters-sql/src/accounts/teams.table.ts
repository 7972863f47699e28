import type {Membership, Team, TeamMember, TeamRole} from '@signalbox/core';
import {defineTable, flag, instant, nullable, text} from '../table.ts';

const team = {id: text(), name: text(), is_personal: flag, created_at: instant, updated_at: instant};

export const teams = defineTable<Team>('teams', team);

export const memberships = defineTable<Membership>('memberships', {
	team_id: text(),
	user_id: text(),
	role: text<TeamRole>(),
	created_at: instant,
});

/** A team joined with the membership of one user. */
export const teamOfMember = defineTable<Team & Readonly<{role: TeamRole}>>('teams', {...team, role: text<TeamRole>()});

/** A membership joined with its user. */
export const teamMember = defineTable<TeamMember>('memberships', {
	user_id: text(),
	email: text(),
	name: nullable(text()),
	role: text<TeamRole>(),
	created_at: instant,
});
