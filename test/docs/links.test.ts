import {existsSync, readFileSync} from 'node:fs';
import {posix} from 'node:path';
import test from 'ava';
import {parseMermaid, renderMermaidSVG} from 'beautiful-mermaid';
import {anchorsOf, blocksOf, type Document, linksOf, readDocuments, root, toDocument} from './documents.ts';

const documents = readDocuments();

const problemOf = (from: Document, link: string, all: readonly Document[]): string | undefined => {
	if (/^[a-z]+:/.test(link)) return URL.canParse(link) ? undefined : 'it is no address';
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? from.path : posix.join(posix.dirname(from.path), decodeURI(path));
	if (!existsSync(`${root}${target}`)) return 'nothing is there';
	if (anchor === undefined) return undefined;
	const document = all.find((each) => each.path === target);
	return document !== undefined && anchorsOf(document).has(anchor) ? undefined : 'no heading is called that';
};

const problemsOf = (document: Document, all: readonly Document[]): readonly string[] =>
	linksOf(document).flatMap((link) => {
		const problem = problemOf(document, link, all);
		return problem === undefined ? [] : [`${document.path} -> ${link}: ${problem}`];
	});

test('every link between documents leads somewhere', (t) => {
	t.true(documents.flatMap(linksOf).length > 30);
	t.deepEqual(
		documents.flatMap((document) => problemsOf(document, documents)),
		[],
	);
});

test('a link to a file or a heading that is not there is found', (t) => {
	const document = toDocument('README.md', '# A `b`\n\n[x](#a-b) [x](#b) [x](no.md) [x](AGENTS.md#no) <https://[>');
	t.deepEqual(problemsOf(document, [document, ...documents]), [
		'README.md -> #b: no heading is called that',
		'README.md -> no.md: nothing is there',
		'README.md -> AGENTS.md#no: no heading is called that',
		'README.md -> https://[: it is no address',
	]);
});

test('llms.txt has a title, what it is about, and lists of links that say what is there', (t) => {
	const [title, blank, about, ...rest] = readFileSync(`${root}llms.txt`, 'utf8').trimEnd().split('\n');
	t.regex(title ?? '', /^# \S/);
	t.is(blank, '');
	t.regex(about ?? '', /^> \S/);
	const sections = rest.join('\n').split(/^## /m).slice(1);
	t.true(sections.length >= 2);
	for (const line of sections.flatMap((section) => section.split('\n').slice(1)).filter((each) => each !== ''))
		t.regex(line, /^- \[[^\]]+\]\([^)]+\): \S/);
});

test('every script of npm that documents name is there', (t) => {
	const scripts = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts;
	for (const {path, text} of documents)
		for (const [command, name = ''] of text.matchAll(/npm run ([\w:-]+)(?![\w:-]| -w)/g))
			t.true(name in scripts, `${path}: ${command}`);
});

test('every diagram can be drawn, with each of its arrows', (t) => {
	for (const {document, line, text} of documents.flatMap(blocksOf).filter(({language}) => language === 'mermaid')) {
		const {edges} = parseMermaid(text);
		t.is(edges.length, [...text.matchAll(/--+>/g)].length, `${document}:${line}`);
		t.regex(renderMermaidSVG(text), /^<svg/, `${document}:${line}`);
	}
});
