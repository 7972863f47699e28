import {testChecker} from './checked.ts';
import {findLongFiles, findLongFunctions, findLongParameterLists} from './sizes.ts';

const lines = (count: number): string => 'call();\n'.repeat(count);
const path = 'packages/core/src/a.ts';

testChecker('files are short', findLongFiles, {
	breaks: [
		[path, lines(301)],
		['test/a.test.ts', lines(601)],
	],
	obeys: [
		[path, lines(300)],
		['packages/core/test/a.test.ts', lines(600)],
	],
});

testChecker('functions are short', findLongFunctions, {
	breaks: [
		[path, `const f = () => {\n${lines(49)}};`],
		[path, `function f() {\n${lines(49)}}`],
		[path, `class A {\n\tget f() {\n${lines(49)}}\n}`],
	],
	obeys: [
		[path, `const f = () => {\n${lines(48)}};`],
		[path, lines(200)],
	],
});

testChecker('parameter lists are short', findLongParameterLists, {
	breaks: [
		[path, 'const f = (a: A, b: B, c: C, d: D) => 1;'],
		[path, 'type Store = {get(a: A, b: B, c: C, d: D): void};'],
		[path, 'type F = (a: A, b: B, c: C, d: D) => void;'],
		[path, 'class A { constructor(a: A, b: B, c: C, ...d: D[]) {} }'],
	],
	obeys: [[path, 'function f(this: X, a: A, {b, c, d, e}: B, c: C) {}']],
});
