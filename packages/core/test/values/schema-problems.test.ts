import test from 'ava';
import {z} from 'zod';
import {schemaProblem, schemaProblems} from '../../src/values/schema-problems.ts';
import {nameText} from '../../src/values/text.ts';

const cases: readonly (readonly [schema: z.ZodType, value: unknown, words: string])[] = [
	[z.string().min(1), '', 'must not be empty'],
	[z.string().min(8), 'short', 'must have at least 8 characters'],
	[z.string().max(1), 'ab', 'must have at most 1 character'],
	[z.string().length(2), 'abc', 'must have exactly 2 characters'],
	[z.array(z.string()).min(1), [], 'must not be empty'],
	[z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
	[z.int().min(1), 0, 'must be at least 1'],
	[z.number().max(10), 11, 'must be at most 10'],
	[z.number().positive(), 0, 'must be more than 0'],
	[z.number().multipleOf(5), 7, 'must be a multiple of 5'],
	[z.string(), undefined, 'is required'],
	[z.string(), 1, 'must be text'],
	[z.int(), 1.5, 'must be a whole number'],
	[z.boolean(), 'yes', 'must be true or false'],
	[z.array(z.string()), {}, 'must be a list'],
	[z.strictObject({}), null, 'must be an object'],
	[z.record(z.string(), z.string()), [], 'must be an object'],
	[z.uuid(), 'x', 'must be an id (a UUID)'],
	[z.iso.datetime(), 'soon', 'must be a time in UTC, like 2026-01-31T08:00:00Z'],
	[z.string().regex(/^[a-z]+$/), 'A', 'must match the pattern /^[a-z]+$/'],
	[z.base64(), '?', 'must be a valid base64'],
	[z.enum(['all', 'mcp']), 'none', 'must be one of all, mcp'],
	[z.literal('cookie'), 'cake', 'must be cookie'],
	[z.union([z.string(), z.boolean()]), 1, 'has none of the forms that it may have'],
	[z.record(z.string().max(2), z.string()), {abc: ''}, 'must have at most 2 characters'],
	[z.string().regex(/x/, 'must hold an x'), 'y', 'must hold an x'],
	[z.enum(['a', 'b'], {error: 'Choose one'}), 'c', 'Choose one'],
];

test('what is wrong with a value is said in words that tell what to send, unless its schema has some of its own', (t) => {
	for (const [schema, value, words] of cases) t.is(schemaProblem(schema, value), words);
	t.is(schemaProblem(z.string(), 'fine'), undefined);
});

test('a field is named once, by the first thing that is wrong with it', (t) => {
	const schema = z.object({name: nameText, list: z.array(z.string())});
	t.deepEqual(schemaProblems(schema.safeParse({name: '', list: [1, 2]}).error as z.ZodError), [
		{path: 'name', message: 'must not be empty'},
		{path: 'list.0', message: 'must be text'},
		{path: 'list.1', message: 'must be text'},
	]);
});

test('every field at fault is named by its path, an unknown one and the kind of a union, too', (t) => {
	const kindOf = (type: string) => z.strictObject({type: z.literal(type)});
	const schema = z.strictObject({
		...{list: z.array(z.strictObject({name: z.string()})), name: z.string()},
		kind: z.discriminatedUnion('type', [kindOf('a'), kindOf('b')]),
	});
	const read = schema.safeParse({list: [{name: 1, more: 2}], other: 3, kind: {type: 'c'}});
	const problems = schemaProblems(read.error as z.ZodError).map(({path, message}) => `${path} ${message}`);
	t.deepEqual(problems.sort(), [
		'kind.type must be one of a, b',
		'list.0.more is not a known field',
		'list.0.name must be text',
		'name is required',
		'other is not a known field',
	]);
});
