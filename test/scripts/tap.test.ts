import test from 'ava';
import {createTapReader, type TapTest} from '../../scripts/tap.ts';
import {formatTotals, readTotals} from '../../scripts/totals.ts';

const read = (text: string): readonly TapTest[] => {
	const tests: TapTest[] = [];
	const reader = createTapReader((each) => tests.push(each));
	for (const line of text.split('\n')) reader.line(line);
	reader.end();
	return tests;
};

test('every outcome is told from the others, and titles may hold what looks like TAP', (t) => {
	const tests = read(
		'TAP version 13\nok 1 - a › b # c\nnot ok 2 - broken\nok 3 - left out # SKIP\nnot ok 4 - unwritten # TODO\n1..4\n# tests 4',
	);
	t.deepEqual(
		tests.map(({title, outcome}) => [title, outcome]),
		[
			['a › b # c', 'passed'],
			['broken', 'failed'],
			['left out', 'skipped'],
			['unwritten', 'todo'],
		],
	);
});

test('logs and the error stay with their test', (t) => {
	const [first, second] = read(
		'not ok 1 - one\n#   a log\n  ---\n    message: boom\n\n    more\n  ...\nok 2 - two\n\n# pass 1',
	);
	t.deepEqual(first?.detail, ['#   a log', '  ---', '    message: boom', '', '    more', '  ...']);
	t.deepEqual(second?.detail, []);
});

test('a crash between tests is a failure with its own words', (t) => {
	t.deepEqual(
		read('not ok 9 - Error: late crash').map(({title, outcome}) => [title, outcome]),
		[['Error: late crash', 'failed']],
	);
});

test('the totals line is read back as it was written, and nothing else is', (t) => {
	t.deepEqual(readTotals(`noise\n${formatTotals({passed: 12, failed: 3})}\n`), {passed: 12, failed: 3});
	t.is(readTotals('12 passed, 3 failed\nnoise'), undefined);
	t.is(readTotals(''), undefined);
});
