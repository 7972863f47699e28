import {z} from 'zod';

/** Marks what the specification does not name. */
export const extension = <T extends z.ZodType>(schema: T): T => schema.meta({'x-extension': true}) as T;

/** The same object with some of its fields marked as extensions. */
export const withExtensions = <T extends z.ZodObject>(
	schema: T,
	...names: readonly (keyof T['shape'] & string)[]
): T => {
	const marked = names.map((name) => [name, extension(schema.shape[name] as z.ZodType)]);
	return schema.extend(Object.fromEntries(marked)) as unknown as T;
};

/** The path parameters of one record. */
export const idParams = z.strictObject({id: z.uuid()});

/** The id of another record: upper case is the same, as in a path. */
export const idField = z.string().min(1).max(64).toLowerCase();

/** A whole number in a query. */
const queryInteger = (least: number, most: number) =>
	z
		.string()
		.regex(/^-?[0-9]{1,10}$/, 'must be a whole number')
		.transform(Number)
		.pipe(z.int().min(least).max(most));

export const integerField = (range: Readonly<{min: number; max: number; default: number}>) =>
	queryInteger(range.min, range.max).default(range.default);

export const optionalIntegerField = (range: Readonly<{min: number; max: number}>) =>
	queryInteger(range.min, range.max).optional();

/** `true` or `false` in a query. */
export const booleanField = z
	.enum(['true', 'false'])
	.transform((text) => text === 'true')
	.pipe(z.boolean());

/** `limit` and `offset` of a list that pages. */
export const pageFields = {
	limit: integerField({min: 1, max: 100, default: 50}),
	offset: integerField({min: 0, max: 1_000_000_000, default: 0}),
};

const withZone = (text: string): string =>
	/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`;

/** An ISO 8601 date or date-time; without an offset it is UTC. Read as an instant with milliseconds. */
export const instantField = z
	.union([z.iso.datetime({offset: true, local: true}), z.iso.date()], {error: 'must be an ISO 8601 date or date-time'})
	.transform((text) => new Date(withZone(text)).toISOString())
	.pipe(z.iso.datetime());

/** An address as people type it; what exactly is an address is the domain's to say. */
export const emailField = z
	.string()
	.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
	.min(3)
	.max(254)
	.meta({format: 'email', examples: ['ada@example.com']});

export const passwordField = z
	.string()
	.min(8)
	.max(256)
	.meta({format: 'password', examples: ['correct horse battery staple']});

/** A list that does not page. */
export const listOf = <T extends z.ZodType>(id: string, item: T) => z.object({data: z.array(item)}).meta({id});

/** A list that pages: `total` counts every record that matches. */
export const pageOf = <T extends z.ZodType>(id: string, item: T) =>
	z.object({data: z.array(item), total: z.int().min(0), limit: z.int().min(1), offset: z.int().min(0)}).meta({id});
