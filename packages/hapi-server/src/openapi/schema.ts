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

/** Every schema that has an id, by id. */
export const namedSchemas = (): readonly (readonly [string, oas31.SchemaObject])[] => {
	const {schemas} = z.toJSONSchema(z.globalRegistry, {...options, io: 'input'});
	return Object.entries(schemas)
		.map(([id, schema]) => [id, bare(schema as Record<string, unknown>)] as const)
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
