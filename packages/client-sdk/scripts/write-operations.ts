/**
 * What the API description says of each operation, as TypeScript: the types of the client's methods with their doc comments,
 * and the table that they are made of at run time.
 */

type Schema = Readonly<{
	$ref?: string;
	properties?: Readonly<Record<string, Schema>>;
	enum?: readonly string[];
	maximum?: number;
}>;
type Answer = Readonly<{$ref?: string; content?: Readonly<Record<string, Readonly<{schema: Schema}>>>}>;
type Parameter = Readonly<{$ref?: string; name: string; in: string; required?: boolean; schema: Schema}>;
type Operation = Readonly<{
	operationId: string;
	summary: string;
	description?: string;
	'x-extension'?: boolean;
	security?: readonly unknown[];
	parameters?: readonly Parameter[];
	requestBody?: Readonly<{required?: boolean}>;
	responses: Readonly<Record<string, Answer>>;
}>;

/** As much of an OpenAPI document as is read here. */
export type Document = Readonly<{paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>}>;

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)] as const));

type Described = Readonly<{
	id: string;
	method: string;
	path: string;
	operation: Operation;
	/** Items of the largest page; 0 where the list does not page. */
	pageSize: number;
}>;

type Resolve = <T extends Readonly<{$ref?: string}>>(node: T) => T;

const resolverOf =
	(document: Document): Resolve =>
	(node) => {
		if (node.$ref === undefined) return node;
		const names = node.$ref.slice(2).split('/');
		return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as typeof node;
	};

const bodyOf = (answer: Answer): Schema | undefined => answer.content?.['application/json']?.schema;

const pageSizeOf = ({parameters = [], responses}: Operation, resolve: Resolve): number => {
	const body = bodyOf(responses[200] ?? {});
	const names = ['data', 'total', 'limit', 'offset'];
	const isPage = body !== undefined && names.every((name) => name in (resolve(body).properties ?? {}));
	const limit = parameters.map(resolve).find(({name}) => name === 'limit');
	return isPage ? (limit?.schema.maximum ?? 0) : 0;
};

/** What answers no body but a stream of events is no call like the others: its method is written by hand. */
const isStream = ({responses}: Operation): boolean => responses[200]?.content?.['text/event-stream'] !== undefined;

const operationsOf = (document: Document): readonly Described[] => {
	const resolve = resolverOf(document);
	return Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item)
			.filter(([, operation]) => !isStream(operation))
			.map(([method, operation]) => ({
				...{id: operation.operationId, method: method.toUpperCase(), path, operation},
				pageSize: pageSizeOf(operation, resolve),
			})),
	);
};

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** How the types of an operation begin: `mcp.calls.list` has `McpCallsListData`. */
const typePrefix = (id: string): string => id.split('.').map(capitalized).join('');

const codesOf = (answer: Answer): readonly string[] => bodyOf(answer)?.properties?.error?.properties?.code?.enum ?? [];

/** The statuses that an operation answers besides its success, with their codes. */
const refusalsOf = ({responses}: Operation, resolve: Resolve): readonly (readonly [string, readonly string[]])[] =>
	Object.entries(responses)
		.filter(([status]) => Number(status) >= 400)
		.map(([status, answer]) => [status, codesOf(resolve(answer))] as const);

const refusalText = ([status, codes]: readonly [string, readonly string[]]): string =>
	`${status} ${codes.map((code) => `\`${code}\``).join(', ')}`;

const comment = (lines: readonly string[]): readonly string[] => [
	'/**',
	...lines.map((line) => ` * ${line}`.trimEnd().replaceAll('*/', '*\\/')),
	' */',
];

const takesNothingRequired = ({parameters = [], requestBody}: Operation, resolve: Resolve): boolean =>
	requestBody?.required !== true && parameters.map(resolve).every(({required}) => required !== true);

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const docOf = ({method, path, operation}: Described, resolve: Resolve): readonly string[] => [
	sentence(operation.summary),
	...(operation.description === undefined ? [] : ['', ...operation.description.split('\n')]),
	'',
	`\`${method} ${path}\`${operation['x-extension'] === true ? ', an extension of the specification' : ''}`,
	`@throws {ApiError} ${refusalsOf(operation, resolve).map(refusalText).join('; ')}`,
];

const methodOf = (described: Described, resolve: Resolve): readonly string[] => {
	const {id, operation, pageSize} = described;
	const [name, prefix] = [id.split('.').at(-1) ?? id, typePrefix(id)];
	const optional = takesNothingRequired(operation, resolve) ? '?' : '';
	const call = `${name}(options${optional}: CallOptions<${prefix}Data>): Promise<${prefix}Response>;`;
	if (pageSize === 0) return [...comment(docOf(described, resolve)), call];
	return [
		...comment(docOf(described, resolve)),
		call,
		...comment([`Every item of \`${name}\`, page by page as they are taken.`, '', ...docOf(described, resolve)]),
		`${iteratorName(name)}(options${optional}: IterateOptions<${prefix}Data>): Items<${prefix}Response>;`,
	];
};

const iteratorName = (name: string): string => (name === 'list' ? 'iterate' : `iterate${capitalized(name)}`);

interface Group {
	readonly groups: Map<string, Group>;
	readonly methods: Described[];
}

const emptyGroup = (): Group => ({groups: new Map(), methods: []});

const groupUnder = (group: Group, name: string): Group => {
	const found = group.groups.get(name) ?? emptyGroup();
	group.groups.set(name, found);
	return found;
};

const groupsOf = (operations: readonly Described[]): Group => {
	const root = emptyGroup();
	for (const described of operations)
		described.id.split('.').slice(0, -1).reduce(groupUnder, root).methods.push(described);
	return root;
};

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `\t${line}`);

const membersOf = ({groups, methods}: Group, resolve: Resolve): readonly string[] => [
	...methods.flatMap((described) => methodOf(described, resolve)),
	...[...groups].flatMap(([name, group]) => [`readonly ${name}: {`, ...indented(membersOf(group, resolve)), '};']),
];

const rowOf = ({id, method, path, operation, pageSize}: Described): string => {
	const isOpen = (operation.security ?? []).length === 0;
	return `['${id}', '${method}', '${path}'${isOpen || pageSize > 0 ? `, ${pageSize}` : ''}${isOpen ? ', true' : ''}],`;
};

const importsOf = (operations: readonly Described[]): readonly string[] =>
	operations
		.flatMap(({id}) => ['Data', 'Response'].map((kind) => `${typePrefix(id)}${kind}`))
		.sort()
		.map((name) => `${name},`);

const successesOf = (operation: Operation): Operation => ({
	...operation,
	responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => Number(status) < 400)),
});

/** The same without what operations answer besides their success: all of those have one shape, and differ in their codes. */
export const withoutErrors = (document: Document): Document => ({
	...document,
	paths: mapValues(document.paths, (item) => mapValues(item, successesOf)),
});

const errorTypeOf = ({id, operation}: Described, resolve: Resolve): string => {
	const refusals = refusalsOf(operation, resolve).map(
		([status, codes]) => `Refusal<${status}, ${codes.map((code) => `'${code}'`).join(' | ')}>`,
	);
	return `\t'${id}': ${refusals.join(' | ')};`;
};

/** The text of a module. */
export const writeOperations = (document: Document): string => {
	const operations = operationsOf(document);
	const resolve = resolverOf(document);
	return [
		'// Written by scripts/generate.ts from openapi.yaml.',
		'',
		"import type {CallOptions, Items, IterateOptions, OperationRow, Refusal} from '../operation.ts';",
		'import type {',
		...indented(importsOf(operations)),
		"} from './types.gen.ts';",
		'',
		...comment(['The operations of the API, grouped as in its description.']),
		'export abstract class Api {',
		...indented(
			membersOf(groupsOf(operations), resolve).map((line) => line.replace(/^readonly /, 'declare readonly ')),
		),
		'}',
		'',
		...comment(['What each operation answers besides its success, by status.']),
		'export interface OperationErrors {',
		...operations.map((described) => errorTypeOf(described, resolve)),
		'}',
		'',
		...comment(['What a request of each operation is made of.']),
		'export const operations: readonly OperationRow[] = [',
		...indented(operations.map(rowOf)),
		'];',
		'',
	].join('\n');
};
