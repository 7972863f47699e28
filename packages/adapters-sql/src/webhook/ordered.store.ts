import {DomainError, endpointIsFull, type OrderedStore, type Unordered} from '@signalbox/core';
import {type Connection, first, type Reader, type Transaction} from '../connection.ts';
import {lockRow} from '../lock-rows.ts';
import {type Sql, sql} from '../sql.ts';
import type {Table} from '../table.ts';

type Ordered = Readonly<{id: string; endpoint_id: string; sort_order: number; is_active: boolean}>;

const itemsOf = async <T>(reader: Reader, {name, columns, read}: Table<T>, condition: Sql): Promise<readonly T[]> => {
	const rows = await reader.all(sql`SELECT ${columns} FROM ${name} WHERE ${condition} ORDER BY sort_order, id`);
	return rows.map(read);
};

const oneOf = (endpoint_id: string, id: string): Sql => sql`id = ${id} AND endpoint_id = ${endpoint_id}`;

/** Those that a webhook passes, in their order. */
export const activeItems = async <T>(reader: Reader, table: Table<T>, endpoint_id: string): Promise<readonly T[]> =>
	itemsOf(reader, table, sql`endpoint_id = ${endpoint_id} AND is_active = 1`);

/** What is compiled for a version is compiled anew. It is also the row at which parallel changes queue. */
const raiseVersion = async (transaction: Transaction, endpoint_id: string): Promise<boolean> =>
	(await transaction.run(sql`UPDATE webhook_endpoints SET version = version + 1 WHERE id = ${endpoint_id}`)) > 0;

const create = async <T extends Ordered>(
	transaction: Transaction,
	table: Table<T>,
	{item, most}: Readonly<{item: Unordered<T>; most: number}>,
) => {
	const {endpoint_id} = item;
	if (!(await raiseVersion(transaction, endpoint_id))) throw new DomainError('resource_not_found');
	const others = sql`SELECT COUNT(*) AS count, MAX(sort_order) AS last FROM ${table.name} WHERE endpoint_id = ${endpoint_id}`;
	const {count, last} = (await first(transaction, others)) ?? {};
	if (Number(count) >= most) throw endpointIsFull(most);
	const sort_order = item.sort_order ?? Number(last ?? -1) + 1;
	// The parts of T that Unordered took apart are all here again.
	const whole = {...item, sort_order} as unknown as T;
	await transaction.run(table.insert([whole]));
	return whole;
};

const write = async <T extends Ordered>(transaction: Transaction, table: Table<T>, item: T): Promise<T> => {
	await transaction.run(sql`UPDATE ${table.name} SET ${table.set(item)} WHERE id = ${item.id}`);
	return item;
};

/** Undefined when there is none. */
const change = async <T extends Ordered>(
	transaction: Transaction,
	table: Table<T>,
	{endpoint_id, id, ask}: Readonly<{endpoint_id: string; id: string; ask: (current: T) => T}>,
): Promise<T | undefined> => {
	await lockRow(transaction, 'webhook_endpoints', endpoint_id);
	const [current] = await itemsOf(transaction, table, oneOf(endpoint_id, id));
	if (current === undefined) return undefined;
	const changed = ask(current);
	if (changed === current) return current;
	await raiseVersion(transaction, endpoint_id);
	return write(transaction, table, changed);
};

const reorder = async <T extends Ordered>(
	transaction: Transaction,
	table: Table<T>,
	{endpoint_id, ids}: Readonly<{endpoint_id: string; ids: readonly string[]}>,
): Promise<readonly T[] | undefined> => {
	await lockRow(transaction, 'webhook_endpoints', endpoint_id);
	const items = new Map(
		(await itemsOf(transaction, table, sql`endpoint_id = ${endpoint_id}`)).map((item) => [item.id, item]),
	);
	const ordered = ids.flatMap((id) => items.get(id) ?? []);
	const isExact = ordered.length === ids.length && new Set(ids).size === ids.length && ids.length === items.size;
	if (!isExact) return undefined;
	await raiseVersion(transaction, endpoint_id);
	const written: T[] = [];
	for (const [sort_order, item] of ordered.entries())
		written.push(await write(transaction, table, {...item, sort_order}));
	return written;
};

/** Middleware or rules. */
export const createOrderedStore = <T extends Ordered>(connection: Connection, table: Table<T>): OrderedStore<T> => ({
	create: async (item, most = Number.POSITIVE_INFINITY) =>
		connection.write(async (transaction) => create(transaction, table, {item, most})),
	list: async (endpoint_id) => itemsOf(connection, table, sql`endpoint_id = ${endpoint_id}`),
	update: async (endpoint_id, id, ask) =>
		connection.write(async (transaction) => change(transaction, table, {endpoint_id, id, ask})),
	delete: async (endpoint_id, id) =>
		connection.write(async (transaction) => {
			await lockRow(transaction, 'webhook_endpoints', endpoint_id);
			const deleted = await transaction.run(sql`DELETE FROM ${table.name} WHERE ${oneOf(endpoint_id, id)}`);
			return deleted > 0 && raiseVersion(transaction, endpoint_id);
		}),
	reorder: async (endpoint_id, ids) =>
		connection.write(async (transaction) => reorder(transaction, table, {endpoint_id, ids})),
});
