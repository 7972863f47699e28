import {z} from 'zod';
import {nameText} from '../../values/text.ts';
import {middlewareTypeSchema} from './middleware.ts';

export const middlewareSettingsSchema = z.strictObject({
	type: middlewareTypeSchema,
	name: nameText,
	/** What it holds depends on the type (specification, "Middleware"). */
	config: z.record(z.string(), z.unknown()),
	is_active: z.boolean().default(true),
});

/** What a step is to be. */
export type NewMiddleware = z.input<typeof middlewareSettingsSchema>;

/** What a request may change of a step; what is left out keeps its value. Another type needs a config that fits it. */
export type MiddlewareSettings = Partial<NewMiddleware>;
