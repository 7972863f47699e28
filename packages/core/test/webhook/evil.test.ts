import test from 'ava';
import {type EvilCase, evilPaths, evilPatterns, letters} from '../../src/testing/evil-cases.ts';
import {compileRegex, retryAfresh} from '../../src/values/linear-regex.ts';
import type {ConditionOperator} from '../../src/webhook/model/middleware.ts';
import {compilePipeline} from '../../src/webhook/rules/compile-pipeline.ts';
import {runPipeline} from '../../src/webhook/rules/run-pipeline.ts';
import {markersOf, messageOf, steps} from './support.ts';

const filter = (field: string, operator: ConditionOperator, value = 'b') =>
	compilePipeline(steps({type: 'filter', config: {field, operator, value}}));

/** How it ends: refused as it is created, given up as it runs, or answered. */
const endOf = (compile: () => ReturnType<typeof filter>, {text}: EvilCase): string => {
	try {
		const {trace} = runPipeline(compile(), messageOf(text()), {markers: markersOf(), is_replay: false});
		return trace.outcome === 'error' ? `given up: ${trace.steps[0]?.message}` : 'answered';
	} catch (error) {
		if (error instanceof SyntaxError) return 'refused';
		throw error;
	}
};

const known =
	/^(refused|answered|given up: (the pattern is too slow|the path takes too long|the path selects more|the body is nested too deeply))/;

test('[MID-043] evil patterns are refused, or end within their steps', (t) => {
	const ends = evilPatterns.map((evil) => endOf(() => filter('body', 'matches', evil.asked), evil));
	for (const [index, end] of ends.entries()) t.regex(end, known, evilPatterns[index]?.asked);
	t.true(ends.includes('refused') && ends.includes('answered') && ends.some((end) => end.startsWith('given up')));
});

test('[MID-040] evil paths are refused, or end within their steps', (t) => {
	const ends = evilPaths.map((evil) => endOf(() => filter(evil.asked, 'equals'), evil));
	for (const [index, end] of ends.entries()) t.regex(end, known, evilPaths[index]?.asked);
	t.true(ends.includes('refused') && ends.includes('answered') && ends.some((end) => end.startsWith('given up')));
});

for (const pattern of [
	'heads/(main|master)',
	'^refs/tags/v\\d+\\.\\d+',
	'(?i)error|warning',
	'"id":\\d+',
	'\\w+@\\w+\\.com',
])
	test(`[MID-043] an ordinary pattern reads a whole body of a mebibyte: ${pattern}`, (t) => {
		const regex = compileRegex(pattern);
		const body = JSON.stringify(
			Array.from({length: 12_000}, (_, id) => ({id, ref: `refs/heads/topic-${id}`, url: `https://a.example/${id}`})),
		);
		t.notThrows(() => regex.test(body.slice(0, 1024 * 1024)));
	});

test('what earlier texts taught a pattern is never why a later one is refused', (t) => {
	const regex = compileRegex('a[ab]{12}c');
	const all = letters('ab', 60_000);
	const asked = Array.from({length: 1000}, (_, index) => all.slice(60 * index, 60 * (index + 1)));
	t.throws(() => asked.map(regex.test), {instanceOf: RangeError});
	for (const text of asked) t.false(retryAfresh([regex], () => regex.test(text)));
});
