import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {readConfig} from '@signalbox/hapi-server';
import test from 'ava';
import {parse} from 'yaml';
import {bareEnvironment} from '../support/bare-environment.ts';
import {type Document, readDocuments, root} from './documents.ts';

const programs: Readonly<Record<string, string>> = {
	signalbox: 'packages/cli/src/main.ts',
	'signalbox-server': 'packages/hapi-server/src/main.ts',
};

/** The commands that a program lists in its help, without what they take. */
const commandsOf = async (name: string): Promise<readonly string[]> => {
	const args = ['--conditions=@signalbox/source', join(root, programs[name] ?? ''), '--help'];
	const {stdout} = await promisify(execFile)(process.execPath, args, {env: bareEnvironment()});
	return [...stdout.matchAll(/^ {2}([a-z][a-z -]*[a-z])(?= {2,}| <| \[| \|)/gm)].map(([, command = '']) => command);
};

type Named = Readonly<{place: string; program: string; command: string}>;

/** What documents say, within a line, that one may type. */
const namedIn = ({path, text}: Document): readonly Named[] =>
	[...text.matchAll(/`(?:npx )?(signalbox(?:-server)?) ([^`]+)`/g)].map(([place, program = '', command = '']) => ({
		...{place: `${path}: ${place}`, program, command},
	}));

test('every command that documents name is there', async (t) => {
	const named = readDocuments().flatMap(namedIn);
	t.true(named.length > 5);
	for (const name of Object.keys(programs)) {
		const commands = await commandsOf(name);
		t.true(commands.length >= 5, name);
		for (const {place, command} of named.filter(({program}) => program === name))
			t.true(command.startsWith('--') || commands.some((each) => `${command} `.startsWith(`${each} `)), place);
	}
});

type Compose = Readonly<{'x-server': {environment: Record<string, string>}; services: Record<string, object>}>;

test('compose.yaml sets variables that the server reads, and its head makes those that it asks for', (t) => {
	const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
	const {'x-server': server, services} = parse(text, {merge: true}) as Compose;
	const known = readConfig({}).printed.map((line) => line.split('=')[0] ?? '');
	for (const name of Object.keys(server.environment)) t.true(known.includes(name), name);
	t.deepEqual(Object.keys(services), ['one', 'two', 'proxy', 'mariadb', 'redis']);
	const asked = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name));
	const [, made = ''] = /printf '([^']*)'/.exec(text) ?? [];
	const names = [...made.replaceAll('\\n', ' ').matchAll(/(\w+)=/g)].map(([, name = '']) => name);
	t.deepEqual([...asked].sort(), names.sort());
});
