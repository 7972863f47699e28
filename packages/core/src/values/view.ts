import type {z} from 'zod';

/** The fields of a record that a schema names, and no other: a new field stays inside until the schema names it. */
export const createView = <View extends object>(schema: z.ZodType<View> & Readonly<{shape: object}>) => {
	const fields = Object.keys(schema.shape) as (keyof View)[];
	return (record: View): View =>
		Object.fromEntries(
			fields.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]),
		) as View;
};
