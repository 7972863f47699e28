import {openapiDocument} from '@signalbox/hapi-server';

// biome-ignore lint/suspicious/noExplicitAny: a document is walked here, not typed.
export type Node = any;

export type Parameter = Readonly<{name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Node}>;

/** An operation of the document, with what it refers to in place. */
export type Operation = Readonly<{
	/** Like `cron.jobs.update`. */
	id: string;
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** With its parameters in braces. */
	path: string;
	parameters: readonly Parameter[];
	/** Of a JSON body, where it takes one. */
	body: Node | undefined;
	needsCredentials: boolean;
	/** The schema of each status' body, undefined where the body is empty. */
	answers: ReadonlyMap<number, Node | undefined>;
}>;

export const document: Node = JSON.parse(JSON.stringify(openapiDocument()));

const resolve = (node: Node): Node =>
	node?.$ref === undefined
		? node
		: resolve(
				node.$ref
					.slice(2)
					.split('/')
					.reduce((at: Node, name: string) => at[name], document),
			);

const schemaOf = (node: Node): Node | undefined => node?.content?.['application/json']?.schema;

const parametersOf = (nodes: readonly Node[] = []): readonly Parameter[] =>
	nodes.map(resolve).map(({name, in: place, required = false, schema}) => ({name, in: place, required, schema}));

const operationOf = (path: string, method: string, node: Node): Operation => ({
	id: node.operationId,
	method: method.toUpperCase() as Operation['method'],
	path,
	parameters: parametersOf(node.parameters),
	body: schemaOf(resolve(node.requestBody)),
	needsCredentials: (node.security ?? []).length > 0,
	answers: new Map(
		Object.entries(node.responses).map(([status, answer]) => [Number(status), schemaOf(resolve(answer))]),
	),
});

/** Its answer has no end. */
const isStream = (node: Node): boolean => node.responses[200]?.content?.['text/event-stream'] !== undefined;

const operationsThat = (are: (node: Node) => boolean): readonly Operation[] =>
	Object.entries(document.paths as Record<string, Node>).flatMap(([path, item]) =>
		Object.entries(item as Node)
			.filter(([, node]) => are(node))
			.map(([method, node]) => operationOf(path, method, node)),
	);

/** Every operation that ends, so that a test over all of them covers new ones by itself. */
export const operations = operationsThat((node) => !isStream(node));

/** Those whose success does not end. */
export const streams = operationsThat(isStream);

/** The schema that a reference names, or the schema itself. */
export const schemaAt = resolve;
