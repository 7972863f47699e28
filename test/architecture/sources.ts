import {globSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import ts from 'typescript';

/** One file of ours. `path` is from the root of the repository, with slashes. */
export type Source = Readonly<{path: string; text: string}>;

/** What is wrong with a set of files, one violation a line; empty when nothing is. */
export type Checker = (sources: readonly Source[]) => readonly string[];

const root = fileURLToPath(new URL('../..', import.meta.url));

const patterns = [
	'packages/*/{src,test,bin,scripts}/**/*.{ts,tsx,js}',
	'packages/*/*.config.ts',
	'examples/**/*.{ts,js}',
	'{test,scripts,bench}/**/*.{ts,js}',
	'*.config.js',
];

const isForeign = (path: string): boolean => /(^|\/)(node_modules|dist|generated)(\/|$)/.test(path);

/** Everything in the repository that people wrote in TypeScript or JavaScript. */
export const readSources = (): readonly Source[] =>
	globSync(patterns, {cwd: root, exclude: isForeign})
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => !isForeign(path))
		.sort()
		.map((path) => ({path, text: readFileSync(`${root}${path}`, 'utf8')}));

/** A file made up for a test. */
export const source = (path: string, text: string): Source => ({path, text});

export const isTest = ({path}: Source): boolean => /(^|\/)test\//.test(path) || path.endsWith('.test.ts');

const parsed = new WeakMap<Source, ts.SourceFile>();

const kinds: Readonly<Record<string, ts.ScriptKind>> = {'.js': ts.ScriptKind.JS, '.tsx': ts.ScriptKind.TSX};

const parseAnew = ({path, text}: Source): ts.SourceFile => {
	const kind = kinds[path.slice(path.lastIndexOf('.'))] ?? ts.ScriptKind.TS;
	return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
};

/** The syntax tree of a file; parsed once, since every checker asks for it. */
export const parse = (source: Source): ts.SourceFile => {
	const tree = parsed.get(source) ?? parseAnew(source);
	parsed.set(source, tree);
	return tree;
};

/** Every node below, in the order of the text. */
export const descendants = (node: ts.Node): readonly ts.Node[] => {
	const found: ts.Node[] = [];
	const visit = (child: ts.Node): void => {
		found.push(child);
		ts.forEachChild(child, visit);
	};
	ts.forEachChild(node, visit);
	return found;
};

/** `path:line` of a node. */
export const placeOf = (node: ts.Node): string => {
	const file = node.getSourceFile();
	return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};
