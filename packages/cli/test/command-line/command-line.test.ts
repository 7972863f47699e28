import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';
import {openTerminal} from '../terminal.ts';

const firstLines: readonly (readonly [words: string, message: string])[] = [
	['frob', 'There is no command frob'],
	['help frob', 'There is no command frob\nSee signalbox --help\n'],
	['frob --help', 'There is no command frob'],
	['env frob', 'There is no command env frob'],
	['env', 'env needs one more word\nSee signalbox env --help\n'],
	['env set', '<key> is missing'],
	['env rm A B', 'B is one argument too many'],
	['env list --frob', "Unknown option '--frob'"],
	['env list --limit 5', 'env list takes no --limit'],
	['env set A 1 --scope everywhere', '--scope takes one of all, webhook, cron, mcp, not everywhere'],
	['completion csh', '<shell> takes one of bash, zsh, fish, not csh'],
	['mcp calls --limit 0', '--limit takes a whole number from 1 to 100, not 0'],
	['mcp calls --limit many', '--limit takes a whole number from 1 to 100, not many'],
	['whoami --url ftp://host', 'ftp://host is no address of a server'],
];

test('what is not understood is said in words, with exit code 2', async (t) => {
	const {run} = await openTerminal(t, {environment: {SIGNALBOX_API_KEY: 'k'}});
	for (const [words, message] of firstLines) {
		const {code, stdout, stderr} = await run(...words.split(' '));
		t.deepEqual([words, code, stdout], [words, 2, '']);
		t.true(stderr.startsWith(message), `${words}: ${stderr}`);
	}
	t.like(JSON.parse((await run('frob', '--json')).stderr), {error: {code: 'usage'}});
});

test('every command explains itself', async (t) => {
	const {run} = await openTerminal(t);
	const {code, stdout} = await run('--help');
	t.is(code, 0);
	const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?: [<[].*?| {2}.*)$/gm)].map(([, name]) => name ?? '');
	t.true(names.length >= 22 && names.includes('agent run') && names.includes('login'), names.join());
	for (const name of names)
		t.regex((await run(...name.split(' '), '--help')).stdout, new RegExp(`Usage: signalbox ${name}`));
	t.regex((await run('cron', '--help')).stdout, /cron logs <job>/);
	t.is((await run()).code, 2);
	t.is((await run('--version')).stdout, '1.2.3\n');
	t.deepEqual(await run('help'), await run('--help'));
	t.deepEqual(await run('help', 'cron', 'logs'), await run('cron', 'logs', '--help'));
});

test('whoever writes a command wrong is led to the help on that command', async (t) => {
	const {run} = await openTerminal(t);
	t.is((await run('env', 'set')).stderr, '<key> is missing\nSee signalbox env set --help\n');
	t.regex((await run('env', 'frob')).stderr, /\nSee signalbox env --help\n$/);
	t.regex((await run('frob')).stderr, /\nSee signalbox --help\n$/);
});

const complete = async (script: string, ...words: readonly string[]): Promise<readonly string[]> => {
	const ask = `COMP_WORDS=(signalbox ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _signalbox; echo "\${COMPREPLY[*]}"`;
	const {stdout} = await promisify(execFile)('bash', ['--norc', '-c', `${script}\n${ask}`]);
	return stdout.trim().split(' ');
};

test('bash completes commands, their options and their choices', async (t) => {
	const {run} = await openTerminal(t);
	const {stdout} = await run('completion', 'bash');
	t.deepEqual(await complete(stdout, 'lo'), ['login', 'logout']);
	t.deepEqual(await complete(stdout, 'env', ''), ['list', 'set', 'rm']);
	t.deepEqual(await complete(stdout, '--json', 'env', 's'), ['set']);
	t.deepEqual(await complete(stdout, 'cron', 'logs', 'nightly', '--f'), ['--follow']);
	t.deepEqual(await complete(stdout, 'completion', 'z'), ['zsh']);
});

test('zsh and fish know the same commands', async (t) => {
	const {run} = await openTerminal(t);
	t.regex((await run('completion', 'zsh')).stdout, /^#compdef signalbox\n[\s\S]*'env'\) echo 'list set rm'/);
	const {stdout} = await run('completion', 'fish');
	t.regex(stdout, /-n '__signalbox_is env' -a 'set'/);
	t.regex(stdout, /-n '__signalbox_is env set' -l scope -x -a 'all webhook cron mcp'/);
});

test('an agent is not root by accident', async (t) => {
	const {run} = await openTerminal(t, {uid: 0});
	const {code, stderr} = await run('agent', 'run');
	t.is(code, 1);
	t.regex(stderr, /--allow-root/);
});
