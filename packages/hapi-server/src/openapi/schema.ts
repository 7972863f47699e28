import type {oas31} from 'openapi3-ts';
import {z} from 'zod';

export type Schema = oas31.SchemaObject | oas31.ReferenceObject;

const base = '#/components/schemas/';
const spelledOutFormats: readonly (string | undefined)[] = ['date-time', 'date', 'uuid', 'email'];

type Overridden = Readonly<{jsonSchema: z.core.JSONSchema.BaseSchema}>;

/** Drops what only says in other words what the format, or the type, says already. */
const override = ({jsonSchema}: Overridden): void => {
	if (spelledOutFormats.includes(jsonSchema.format)) delete jsonSchema.pattern;
	if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
	if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
	if (jsonSchema.propertyNames && Object.keys(jsonSchema.propertyNames).length <= 1) delete jsonSchema.propertyNames;
};

const options = {override, unrepresentable: 'any', uri: (id: string) => base + id} as const;

const bare = (schema: Record<string, unknown>): oas31.SchemaObject => {
	const {$schema, $id, id, $defs, ...rest} = schema;
	return rest as oas31.SchemaObject;
};

/** The examples of named schemas: zod leaves them out where a field is read into another form. */
const examplesById = (ids: readonly string[]): Examples => {
	const registered: ReadonlyMap<string, z.core.$ZodType> = z.globalRegistry._idmap;
	return new Map(
		ids.map((id) => [id, z.globalRegistry.get(registered.get(id) as z.ZodType)?.examples as unknown[] | undefined]),
	);
};

type Examples = ReadonlyMap<string, unknown[] | undefined>;

/** A list shows what one of its items shows. */
const listExamples = ({properties = {}}: oas31.SchemaObject, examples: Examples): unknown[] | undefined => {
	const {items = {}} = (properties.data ?? {}) as oas31.SchemaObject;
	const shown = '$ref' in items && examples.get((items as oas31.ReferenceObject).$ref.slice(base.length));
	const page = 'total' in properties ? {total: 1, limit: 50, offset: 0} : {};
	return shown ? [{data: shown.slice(0, 1), ...page}] : undefined;
};

/** Every schema that has an id, by id. */
export const namedSchemas = (): readonly (readonly [string, oas31.SchemaObject])[] => {
	const {schemas} = z.toJSONSchema(z.globalRegistry, {...options, io: 'input'});
	const examples = examplesById(Object.keys(schemas));
	return Object.entries(schemas)
		.map(([id, all]) => {
			const schema = bare(all as Record<string, unknown>);
			const shown = examples.get(id) ?? listExamples(schema, examples);
			return [id, {...schema, ...(shown && {examples: shown})}] as const;
		})
		.sort(([a], [b]) => (a < b ? -1 : 1));
};

/** A reference to a schema that has an id, otherwise the schema itself. */
export const bodySchema = (schema: z.ZodType): Schema => {
	const id = z.globalRegistry.get(schema)?.id;
	if (id !== undefined) return {$ref: base + id};
	return bare(z.toJSONSchema(schema, {...options, io: 'input'}) as Record<string, unknown>);
};

/** A parameter as it is meant, not as text: an integer is an integer. */
export const parameterSchema = (schema: z.ZodType): oas31.SchemaObject =>
	bare(z.toJSONSchema(schema, {...options, io: 'output'}) as Record<string, unknown>);
