import {z} from 'zod';
import {headerNameText, headerValueText} from '../../values/header-text.ts';

export const sampleSchema = z.strictObject({
	/** Default: POST. */
	method: z
		.string()
		.regex(/^[A-Za-z]{1,32}$/, 'must be the name of a method')
		.optional(),
	headers: z.record(headerNameText, headerValueText).optional(),
	/** As it stands in a URL, or each parameter with its value. */
	query: z.union([z.string().max(8192), z.record(z.string(), z.string())]).optional(),
	/** A text is the body as it is; anything else is sent as JSON. */
	body: z.unknown().optional(),
});
/** A webhook that nobody sent, to try an endpoint with. */
export type Sample = z.infer<typeof sampleSchema>;
