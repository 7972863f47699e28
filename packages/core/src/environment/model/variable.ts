import {z} from 'zod';
import type {Sealed} from '../../values/sealed.ts';
import {instantText, recordId} from '../../values/text.ts';

export const variableScopeSchema = z.enum(['all', 'webhook', 'cron', 'mcp']);
export type VariableScope = z.infer<typeof variableScopeSchema>;

/** The kind of service that uses a variable. */
export type VariableUse = Exclude<VariableScope, 'all'>;

export const variableKeySchema = z
	.string()
	.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be letters, digits and _, not beginning with a digit, at most 128');

export const variableSchema = z.object({
	id: recordId,
	user_id: recordId,
	team_id: recordId.optional(),
	key: z.string(),
	is_secret: z.boolean(),
	scope: variableScopeSchema,
	description: z.string().nullable(),
	created_at: instantText,
	updated_at: instantText,
});
/** A variable without its value, which no answer ever holds. */
export type Variable = z.infer<typeof variableSchema>;

export type VariableRecord = Variable & Readonly<{value: Sealed}>;

export const maxVariableBytes = 64 * 1024;
