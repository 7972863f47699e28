import {operations} from './generated/operations.gen.ts';
import {iteratePages} from './iterate.ts';
import type {AnyOptions, Call, OperationRow} from './operation.ts';

type Method = (options?: AnyOptions) => unknown;
interface Methods {
	[name: string]: Method | Methods;
}

const groupOf = (root: Methods, names: readonly string[]): Methods =>
	names.reduce<Methods>((at, name) => {
		at[name] ??= {};
		return at[name] as Methods;
	}, root);

const iteratorName = (name: string): string =>
	name === 'list' ? 'iterate' : `iterate${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const iterator =
	(call: Call, row: OperationRow): Method =>
	({query, ...options} = {}) =>
		iteratePages(
			(page) => call(row, {...options, query: {...query, ...page}}) as ReturnType<Parameters<typeof iteratePages>[0]>,
			row[3] ?? 1,
		);

/** A method for each operation, grouped by its id, and another one that iterates where it pages. */
export const createMethods = (call: Call): Methods => {
	const root: Methods = {};
	for (const row of operations) {
		const names = row[0].split('.');
		const name = names.pop() ?? '';
		const group = groupOf(root, names);
		group[name] = (options = {}) => call(row, options);
		if (row[3]) group[iteratorName(name)] = iterator(call, row);
	}
	return root;
};
