import test from 'ava';
import fc from 'fast-check';
import {and, integer, join, list, raw, sql, textOf} from '../src/sql.ts';

test('what is inserted is bound, fragments are spliced, in order', (t) => {
	const condition = and([sql`a = ${1}`, sql`b IN ${list(['x', 'y'])}`]);
	const statement = sql`SELECT ${raw('c')} FROM t WHERE ${condition} AND d = ${true} LIMIT ${integer(5)}`;
	t.is(textOf(statement), 'SELECT c FROM t WHERE a = ? AND b IN (?, ?) AND d = ? LIMIT 5');
	t.deepEqual(statement.values, [1, 'x', 'y', 1]);
});

test('an empty list matches nothing', (t) => {
	t.is(textOf(sql`a IN ${list([])}`), 'a IN (NULL)');
});

test('only whole numbers become text', (t) => {
	for (const value of [1.5, Number.NaN, 2 ** 53]) t.throws(() => integer(value), {instanceOf: RangeError});
});

test('no value ever becomes text, however fragments are nested', (t) => {
	const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean());
	fc.assert(
		fc.property(fc.array(fc.array(value)), (groups) => {
			const statement = sql`(${join(
				groups.map((group) => sql`[${join(group, ', ')}]`),
				'; ',
			)})`;
			t.regex(textOf(statement), /^[()[\];,? ]*$/);
			t.deepEqual(
				statement.values,
				groups.flat().map((one) => (typeof one === 'boolean' ? Number(one) : one)),
			);
		}),
	);
});
