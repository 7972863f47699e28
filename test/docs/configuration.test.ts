import {readFileSync} from 'node:fs';
import {readConfig} from '@signalbox/hapi-server';
import test from 'ava';
import type {Tokens} from 'marked';
import {root, toDocument} from './documents.ts';

const {tokens} = toDocument('docs/operations.md', readFileSync(`${root}docs/operations.md`, 'utf8'));

const isTable = (token: (typeof tokens)[number]): token is Tokens.Table => token.type === 'table';

const codeIn = (text = ''): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The values that a cell consists of; none where it says in words how one comes about. */
const valuesIn = (text = ''): readonly string[] => (/^(`[^`]+`(, )?)+$/.test(text) ? codeIn(text) : []);

/** The rows of the table of variables: names, and what the table says of their defaults. */
const rows = tokens
	.filter(isTable)
	.filter(({header}) => header[0]?.text === 'Variable')
	.flatMap((table) => table.rows)
	.map(([names, defaults]) => ({names: codeIn(names?.text), defaults: valuesIn(defaults?.text)}));

/** What is in effect where nothing is set. */
const inEffect = new Map(readConfig({}).printed.map((line) => line.split(/=(.*)/s) as [string, string]));

const mebibyte = 1024 * 1024;

const shown = (text: string): string =>
	text.replace(/^(\d+) MiB$/, (_, count) => String(Number(count) * mebibyte)).replace('<DATA_DIR>', './data');

test('the table of variables has each that the server reads, once, and no other', (t) => {
	t.deepEqual(rows.flatMap(({names}) => names).sort(), [...inEffect.keys()].sort());
});

test('a default in the table of variables is the one in effect', (t) => {
	const plain = rows.filter(({names, defaults}) => names.length === defaults.length);
	t.true(plain.length > 8);
	for (const {names, defaults} of plain)
		for (const [index, name] of names.entries()) {
			const value = inEffect.get(name) ?? '';
			if (value !== 'unset') t.is(shown(defaults[index] ?? ''), value, name);
		}
});
