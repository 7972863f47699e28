import {readFile} from 'node:fs/promises';
import test from 'ava';
import {findCoverageProblems, idsIn, parseLater, parseRequirements} from '../../scripts/requirements-gate.ts';

const requirements = parseRequirements(
	'id\tdomain\tstatement\nAAA-001\ta\tOne.\nAAA-002\ta\tTwo.\nAAA-003\ta\tThree.\n',
);
const allCited = ['unit › [AAA-001 AAA-002] both', 'sqlite: [AAA-003] three'];
const problemsOf = (titles: readonly string[], later = new Map<string, string>()) =>
	findCoverageProblems({requirements, later, titles});

test('ids are read from brackets anywhere in a title, and from nothing else', (t) => {
	t.deepEqual(idsIn('walks › [AAA-001 AAA-002] takes [a-z] and UTF-8'), ['AAA-001', 'AAA-002']);
	t.deepEqual(idsIn('AAA-001 without brackets, and [abc]'), []);
});

test('the gate is content when every id is cited, or waits for an issue', (t) => {
	t.deepEqual(problemsOf(allCited), []);
	t.deepEqual(problemsOf(['[AAA-001 AAA-002] both'], new Map([['AAA-003', 'Cron chains']])), []);
});

test('the gate refuses an id that does not exist, cited or in later.tsv', (t) => {
	t.deepEqual(problemsOf([...allCited, '[AAA-009] nine']), ['AAA-009 is cited and does not exist']);
	t.deepEqual(problemsOf(allCited, new Map([['AAA-008', 'Cron chains']])), [
		'AAA-008 is in later.tsv and does not exist',
	]);
});

test('the gate refuses an id that is neither cited nor in later.tsv', (t) => {
	t.deepEqual(problemsOf(['[AAA-001 AAA-002] both']), [
		'AAA-003 is neither cited by a test that passed nor in later.tsv: Three.',
	]);
});

test('the gate refuses an id that is both cited and in later.tsv', (t) => {
	t.deepEqual(problemsOf(allCited, new Map([['AAA-003', 'Cron chains']])), [
		'AAA-003 is cited by a test and still in later.tsv ("Cron chains"): Three.',
	]);
});

test('the gate refuses more than three ids in a title, and ids written in another way', (t) => {
	const four = '[AAA-001 AAA-002 AAA-003 AAA-001] all';
	t.deepEqual(problemsOf([four]), [`more than 3 ids in one title: ${four}`]);
	for (const odd of ['[AAA-001, AAA-002] both', '[AAA-001 and more] one', '[AAA-1] one'])
		t.true(problemsOf([...allCited, odd]).includes(`cited wrongly, write [ACC-007 ACC-008]: ${odd}`), odd);
});

test('tables with a wrong header, a short line or a double id are refused', (t) => {
	t.throws(() => parseRequirements('id\tstatement\nAAA-001\tOne.\n'), {message: /first line must be/});
	t.throws(() => parseLater('id\tissue\nAAA-001\n'), {message: /Line 2 must have 2 cells/});
	t.throws(() => parseLater('id\tissue\nAAA-001\tA\nAAA-001\tB\n'), {message: 'AAA-001 stands twice'});
});

test('the tables of this repository can be read, and later.tsv names only ids that exist', async (t) => {
	const read = async (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
	const ids = new Set(parseRequirements(await read('requirements.tsv')).map(({id}) => id));
	const later = parseLater(await read('later.tsv'));
	t.true(ids.size > 1000);
	t.deepEqual(
		[...later.keys()].filter((id) => !ids.has(id)),
		[],
	);
});
