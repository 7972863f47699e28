import {type Node, type Operation, schemaAt} from './document.ts';
import {pathTo, type Resources, resourceFor} from './resources.ts';

/** Where a request to an operation may name a resource: a parameter, or a field of its body, however deep. */
export type IdPlace = Readonly<{
	where: 'path' | 'query' | 'body';
	/** From the outside; `[]` is every item of a list. */
	at: readonly string[];
}>;

const isId = (name: string): boolean => /_ids?$/.test(name);

const fieldsIn = (node: Node, at: readonly string[] = []): readonly (readonly string[])[] => {
	const {properties = {}, items, anyOf = [], oneOf = [], allOf = []} = schemaAt(node);
	return [
		...Object.entries(properties).flatMap(([name, schema]) => [
			...(isId(name) ? [[...at, name]] : []),
			...fieldsIn(schema, [...at, name]),
		]),
		...(items === undefined ? [] : fieldsIn(items, [...at, '[]'])),
		...[...anyOf, ...oneOf, ...allOf].flatMap((choice) => fieldsIn(choice, at)),
	];
};

export const placesIn = ({parameters, body}: Operation): readonly IdPlace[] => [
	...parameters
		.filter((each) => each.in === 'path' || (each.in === 'query' && isId(each.name)))
		.map(({in: where, name}) => ({where: where as 'path' | 'query', at: [name]})),
	...(body === undefined ? [] : fieldsIn(body)).map((at) => ({where: 'body' as const, at})),
];

/** @throws Error for a kind of resource that nobody made: add it to those that there are. */
export const resourceAt = (operation: Operation, {at}: IdPlace, resources: Resources): string => {
	const name = (at.at(-1) ?? '').replace(/_ids$/, '_id');
	const found = resourceFor(operation, resources, name);
	if (found === undefined) throw new Error(`${operation.id} needs a resource for ${name}`);
	return found;
};

const put = (value: Node, [step = '', ...rest]: readonly string[], id: string): Node => {
	if (step === '[]') return (value ?? [{}]).map((item: Node) => put(item, rest, id));
	if (rest.length > 0) return {...value, [step]: put(value?.[step], rest, id)};
	return {...value, [step]: step.endsWith('s') ? [id] : id};
};

export type PlacedRequest = Readonly<{path: string; body: object | undefined}>;

/** A request as the document shows it, to what somebody has, with these ids in their places. */
export const requestWith = (
	operation: Operation,
	resources: Resources,
	ids: ReadonlyMap<IdPlace, string>,
): PlacedRequest => {
	const placed = (where: IdPlace['where']) => [...ids].filter(([place]) => place.where === where);
	const named = (where: IdPlace['where']) => placed(where).map(([{at}, id]): [string, string] => [at[0] ?? '', id]);
	const query = new URLSearchParams(named('query')).toString();
	const shown = operation.body && (schemaAt(operation.body).examples?.[0] ?? {});
	return {
		path: pathTo(operation, resources, Object.fromEntries(named('path'))) + (query && `?${query}`),
		body: placed('body').reduce((body, [{at}, id]) => put(body, at, id), shown),
	};
};
