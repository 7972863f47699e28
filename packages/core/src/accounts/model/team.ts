import {z} from 'zod';
import {instantText, nameText, recordId} from '../../values/text.ts';

export const teamRoleSchema = z.enum(['owner', 'member']);
export type TeamRole = z.infer<typeof teamRoleSchema>;

export const teamSchema = z.object({
	id: recordId,
	name: nameText,
	is_personal: z.boolean(),
	created_at: instantText,
	updated_at: instantText,
});
export type Team = z.infer<typeof teamSchema>;

export const teamMemberSchema = z.object({
	user_id: recordId,
	email: z.string(),
	name: z.string().nullable(),
	role: teamRoleSchema,
	created_at: instantText,
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

export type Membership = Readonly<{team_id: string; user_id: string; role: TeamRole; created_at: string}>;

/** A single-use permission to register; only the digest of its token is stored. */
export type Invite = Readonly<{
	id: string;
	team_id: string;
	created_by: string;
	token_digest: string;
	created_at: string;
	expires_at: string;
}>;
