/** What a statement binds. Flags are 0 and 1: the two databases have no boolean in common. */
export type SqlValue = string | number | null | Uint8Array;

/** SQL text with holes and what fills them: `texts` is one longer than `values`. Fragments nest. */
export type Sql = Readonly<{texts: readonly string[]; values: readonly SqlValue[]}>;

type Insert = SqlValue | boolean | Sql;

const isSql = (insert: Insert): insert is Sql => typeof insert === 'object' && insert !== null && 'texts' in insert;

const append = (texts: string[], values: SqlValue[], insert: Insert): void => {
	if (!isSql(insert)) {
		values.push(typeof insert === 'boolean' ? Number(insert) : insert);
		texts.push('');
		return;
	}
	texts.push(`${texts.pop() ?? ''}${insert.texts[0]}`, ...insert.texts.slice(1));
	values.push(...insert.values);
};

/** A statement or a part of one. Whatever is inserted is bound, unless it is a fragment itself. */
export const sql = (strings: TemplateStringsArray, ...inserts: readonly Insert[]): Sql => {
	const texts: string[] = [strings[0] ?? ''];
	const values: SqlValue[] = [];
	for (const [index, insert] of inserts.entries()) {
		append(texts, values, insert);
		texts.push(`${texts.pop()}${strings[index + 1]}`);
	}
	return {texts, values};
};

/** Text that stands in the statement as it is. Only for text from this package. */
export const raw = (text: string): Sql => ({texts: [text], values: []});

export const join = (parts: readonly Insert[], separator: string): Sql => {
	const texts: string[] = [''];
	const values: SqlValue[] = [];
	for (const [index, part] of parts.entries()) {
		if (index > 0) texts.push(`${texts.pop()}${separator}`);
		append(texts, values, part);
	}
	return {texts, values};
};

/** `(a, b)` for IN. An empty list matches nothing. */
export const list = (values: readonly SqlValue[]): Sql =>
	values.length === 0 ? raw('(NULL)') : sql`(${join(values, ', ')})`;

/**
 * The same with its last value repeated until the length is a power of two: lists of any length make few different
 * statements, which stay prepared.
 */
export const paddedList = (values: readonly SqlValue[]): Sql => {
	const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
	return list(values.concat(Array<SqlValue>(length - values.length).fill(values.at(-1) ?? null)));
};

export const and = (conditions: readonly Sql[]): Sql => join(conditions, ' AND ');

/** A whole number as text: MySQL takes no bound number in LIMIT and OFFSET. */
export const integer = (value: number): Sql => {
	if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${value}`);
	return raw(String(value));
};

/** The statement with a `?` for each of its `values`, in order, as SQLite and MySQL take it. */
export const textOf = ({texts}: Sql): string => texts.join('?');
