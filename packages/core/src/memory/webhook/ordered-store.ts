import {DomainError, endpointIsFull} from '../../errors.ts';
import type {OrderedStore, Unordered} from '../../ports/index.ts';
import {bySortOrder} from '../../webhook/rules/by-sort-order.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, rowsWhere} from '../rows.ts';

type Ordered = Readonly<{id: string; endpoint_id: string; sort_order: number}>;

const raiseVersion = (db: MemoryDatabase, endpoint_id: string): void => {
	const endpoint = db.endpoints.get(endpoint_id);
	if (endpoint !== undefined) db.endpoints.set(endpoint_id, {...endpoint, version: endpoint.version + 1});
};

/** What hangs on endpoints in an order of its own: `table` is one of those of `db`. */
export const createOrderedStore = <T extends Ordered>(db: MemoryDatabase, table: Map<string, T>): OrderedStore<T> => {
	const of = (endpoint_id: string): T[] => rowsWhere(table, (row) => row.endpoint_id === endpoint_id).sort(bySortOrder);
	const find = (endpoint_id: string, id: string): T | undefined => {
		const row = table.get(id);
		return row?.endpoint_id === endpoint_id ? row : undefined;
	};
	const save = (row: T): T => {
		table.set(row.id, row);
		return copyOf(row);
	};
	return {
		create: async (item: Unordered<T>, most = Number.POSITIVE_INFINITY) => {
			const {endpoint_id} = item;
			if (!db.endpoints.has(endpoint_id)) throw new DomainError('resource_not_found');
			if (of(endpoint_id).length >= most) throw endpointIsFull(most);
			const sort_order = item.sort_order ?? (of(endpoint_id).at(-1)?.sort_order ?? -1) + 1;
			raiseVersion(db, endpoint_id);
			// The parts of T that Unordered took apart are all here again.
			return save(copyOf({...item, sort_order}) as unknown as T);
		},
		list: async (endpoint_id) => of(endpoint_id).map(copyOf),
		update: async (endpoint_id, id, change) => {
			const row = find(endpoint_id, id);
			if (row === undefined) return undefined;
			const given = copyOf(row);
			const changed = change(given);
			if (changed === given) return given;
			raiseVersion(db, endpoint_id);
			return save(copyOf(changed));
		},
		delete: async (endpoint_id, id) => {
			if (find(endpoint_id, id) === undefined) return false;
			raiseVersion(db, endpoint_id);
			return table.delete(id);
		},
		reorder: async (endpoint_id, ids) => {
			const rows = ids.map((id) => find(endpoint_id, id)).filter((row) => row !== undefined);
			const isExact = rows.length === ids.length && new Set(ids).size === ids.length;
			if (!isExact || rows.length !== of(endpoint_id).length) return undefined;
			raiseVersion(db, endpoint_id);
			return rows.map((row, sort_order) => save({...row, sort_order}));
		},
	};
};
