import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';

export const userSchema = z.object({
	id: recordId,
	email: z.string(),
	name: z.string().nullable(),
	plan: z.string(),
	active_team_id: recordId,
	created_at: instantText,
	updated_at: instantText,
});

/** An account, as its owner sees it. */
export type User = z.infer<typeof userSchema>;

/** An account with what signing in needs. Never leaves the accounts services. */
export type UserRecord = User &
	Readonly<{
		/** The address in the form that is compared: lower case, NFC. */
		email_key: string;
		password_hash: string;
		disabled: boolean;
	}>;
