import {readFileSync} from 'node:fs';
import test from 'ava';
import {whyNoMariadbInstance} from '../support/mariadb-instance.ts';
import {type Block, blocksOf, readDocuments, root, toDocument} from './documents.ts';
import {checkTypes, openProject, openSession, type Project, writePrograms} from './project.ts';
import {runSession} from './session.ts';
import {settingOf} from './settings.ts';
import {readUnit} from './unit-file.ts';

/**
 * Every block of code in the documents runs, those of one document in their order in one shell. What stands behind the language
 * says how, for whoever reads the source:
 *
 *     sh                   a part of the session
 *     sh until="<text>"    goes on in a terminal of its own; the session, once it has printed the text
 *     sh mariadb           a part of the session where MariaDB is installed
 *     sh in-ci             commands that CI itself consists of
 *     ts                   a program: its types are checked against the packages as built, then it runs in the session
 *     ts from="<path>"     a part of that file
 */
const kinds: Readonly<Record<string, RegExp>> = {
	sh: /^(|until=".+"|mariadb|in-ci)$/,
	ts: /^(|from=".+")$/,
	tsx: /^from=".+"$/,
	json: /^$/,
	ini: /^$/,
	mermaid: /^$/,
	// What is seen, and not typed.
	text: /^$/,
};

const isKnown = ({language, words}: Block): boolean => kinds[language]?.test(words) ?? false;

const documents = readDocuments();
const blocks = documents.flatMap(blocksOf);
const of = (language: string): readonly Block[] => blocks.filter((block) => block.language === language);

const isProgram = ({language, words}: Block): boolean => language === 'ts' && words === '';

const isInSession = (block: Block): boolean => isProgram(block) || (block.language === 'sh' && block.words !== 'in-ci');

const whyNoMariadb = await whyNoMariadbInstance();
const mayRun = ({words}: Block): boolean => words !== 'mariadb' || whyNoMariadb === undefined;

let project: Project;
test.before(async () => {
	project = await openProject();
	await writePrograms(project, blocks.filter(isProgram));
});
test.after.always(async () => project.remove());

test('every block of code says what it is, so that it runs', (t) => {
	t.true(blocks.length > 30);
	t.deepEqual(
		blocks.filter((block) => !isKnown(block)).map(({document, line}) => `${document}:${line}`),
		[],
	);
});

test('a block that nobody runs is found, wherever it stands', (t) => {
	const text =
		'a\n\n    npm start\n\n```\nx\n```\n\n- b\n\n  ```yaml\n  x\n  ```\n\n~~~sh maybe\nx\n~~~\n\n```sh\nx\n```\n';
	const found = blocksOf(toDocument('made-up.md', text));
	t.deepEqual(
		found.map(({line}) => line),
		[3, 5, 11, 15, 19],
	);
	t.deepEqual(
		found.filter(isKnown).map(({line}) => line),
		[19],
	);
});

test('the programs that documents show are what the packages take', async (t) => {
	t.true(blocks.filter(isProgram).length >= 6);
	t.is(await checkTypes(project), '');
});

test('what documents show of files stands in them', (t) => {
	for (const {document, line, words, text} of blocks) {
		const [, path] = /^from="(.+)"$/.exec(words) ?? [];
		if (path !== undefined) t.true(readFileSync(`${root}${path}`, 'utf8').includes(text), `${document}:${line}`);
	}
});

const fromCi = () => {
	const [ci, check] = ['.ci/run', 'scripts/check.ts'].map((path) => readFileSync(`${root}${path}`, 'utf8'));
	return [ci, check, 'npm ci'].join('\n').replaceAll(' --silent', '');
};

test('what documents say that CI does is what it does', (t) => {
	const commands = of('sh')
		.filter(({words}) => words === 'in-ci')
		.flatMap(({text}) => text.split(/\n| && /).map((line) => line.replace(/\s+#.*/, '')));
	t.true(commands.length > 2);
	for (const command of commands) t.true(fromCi().includes(command.replace('npm test', 'npm run test')), command);
});

test('what documents show of JSON and unit files can be read', (t) => {
	for (const {text} of of('json')) t.notThrows(() => JSON.parse(text), text);
	for (const {text} of of('ini')) t.regex(readUnit(text).Service?.ExecStart ?? '', /^\/\S+\/signalbox /);
});

for (const document of documents) {
	const inSession = blocksOf(document).filter(isInSession);
	if (inSession.length === 0) continue;
	test(`${document.path}: each block runs, one after the other`, async (t) => {
		t.timeout(300_000);
		const setting = settingOf(document.path);
		const {session, close} = await openSession(
			project,
			document.path,
			whyNoMariadb ? {...setting, mariadb: undefined} : setting,
		);
		t.teardown(close);
		if (!inSession.every(mayRun)) t.log(`without the blocks that need MariaDB: ${whyNoMariadb}`);
		const {code, output, inTerminals} = await runSession(inSession.filter(mayRun), session);
		t.is(code, 0, `${output}\nIn terminals:\n${inTerminals}`);
		for (const text of setting.prints ?? []) t.true(output.includes(text), `${text} is missing:\n${output}`);
	});
}
