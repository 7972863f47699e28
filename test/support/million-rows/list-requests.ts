import type {Body} from '../api.ts';
import {type Operation, operations} from '../openapi/document.ts';
import {idOf, kinds, type Originals} from './seed-numbers.ts';

type Query = Readonly<Record<string, string>>;

const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

/** Values to filter by: one that many rows have, and one that few or none have. */
const samples = (of: Originals): Readonly<Record<string, readonly string[]>> => ({
	server_id: [idOf(kinds.server, 0), of.server_id],
	endpoint_id: [idOf(kinds.endpoint, 0), of.endpoint_id],
	job_id: [idOf(kinds.job, 0), of.job_id],
	method: ['tools/call', 'ping'],
	tool_name: ['tool_3', 'nothing'],
	from: [daysAgo(20)],
	to: [daysAgo(10)],
	tag: ['nightly'],
	days: ['1', '30', '365'],
	year: [],
	month: [],
});

const pathParameters = (of: Originals): Readonly<Record<string, string>> => ({
	'/v1/mcp/servers/{id}/costs': of.server_id,
	'/v1/cron/chains/{id}/executions': idOf(kinds.chain, 0),
});

const filtersOf = ({parameters}: Operation, of: Originals): readonly (readonly [string, readonly string[]])[] =>
	parameters
		.filter((each) => each.in === 'query' && !['limit', 'offset'].includes(each.name))
		.map(({name, schema}) => {
			const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : samples(of)[name]);
			if (values === undefined) throw new Error(`no sample of ${name}`);
			return [name, values];
		});

/** Without a filter, by each value of each filter, by each two filters, and by all. */
const queriesOf = (operation: Operation, of: Originals): readonly Query[] => {
	const filters = filtersOf(operation, of).filter(([, values]) => values.length > 0);
	const singles = filters.flatMap(([name, values]) => values.map((value) => ({[name]: value})));
	const firsts = filters.map(([name, values]) => ({[name]: values[0] ?? ''}));
	const pairs = firsts.flatMap((one, n) => firsts.slice(n + 1).map((other) => ({...one, ...other})));
	const all = filters.length > 2 ? [Object.assign({}, ...firsts)] : [];
	return [{}, ...singles, ...pairs, ...all];
};

const lists = (of: Originals): readonly (Operation & {at: string})[] =>
	operations.flatMap((operation) => {
		const {method, path, parameters} = operation;
		if (method !== 'GET' || !path.startsWith('/v1/')) return [];
		const at = path.includes('{') ? pathParameters(of)[path] : '';
		const isList = /\.(list|executions|next|count|metrics|costs)$/.test(operation.id);
		if (!isList || at === undefined) return [];
		return [{...operation, at: path.replace('{id}', at), parameters}];
	});

/** Every list and every metric, in each way that it may be asked for; lists that page also by their last page. */
export async function* listRequests(read: (path: string) => Promise<Body>, of: Originals): AsyncGenerator<string> {
	for (const operation of lists(of)) {
		for (const query of queriesOf(operation, of)) {
			const path = (more: Query = {}) => `${operation.at}?${new URLSearchParams({...query, ...more})}`;
			yield path();
			if (!operation.parameters.some(({name}) => name === 'offset')) continue;
			const {total, limit} = await read(path());
			if (total > limit) yield path({offset: String(total - limit)});
		}
	}
}
