import type {z} from 'zod';

const mostFields = 100;
const longestFields = 64 * 1024;

/** Each webhook carries them, and each step writes them down anew: some hundred that are long would take all memory. */
export const boundedFields = <S extends z.ZodType<Readonly<Record<string, unknown>>>>(fields: S) =>
	fields
		.refine((record) => Object.keys(record).length <= mostFields, `must have at most ${mostFields} fields`)
		.refine(
			(record) => JSON.stringify(record).length <= longestFields,
			`must have at most ${longestFields} characters, as JSON`,
		);
