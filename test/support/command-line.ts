import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';

const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** Sends a signal and waits for the end. @returns the exit code, null when a signal ended it. */
export const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
	if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
	const exited = once(child, 'exit');
	child.kill(signal);
	const [code] = await exited;
	return code;
};

/** The command line as a person runs it, in a home folder of its own. Words are split at spaces. */
export const createCommandLine = async (t: ExecutionContext, environment: Environment) => {
	const home = await mkdtemp(join(tmpdir(), 'signalbox-home-'));
	t.teardown(() => rm(home, {recursive: true, force: true}));
	const open = (words: string, changes: Environment = {}) => {
		const child = spawn(process.execPath, ['--conditions=@signalbox/source', program, ...words.split(' ')], {
			env: {PATH: process.env.PATH, HOME: home, ...environment, ...changes},
			stdio: 'pipe',
		});
		t.teardown(() => end(child, 'SIGKILL'));
		return child;
	};
	const run = async (words: string, input = '', changes: Environment = {}) => {
		const child = open(words, changes);
		child.stdin.end(input);
		const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
		return {code, stdout, stderr};
	};
	return {open, run};
};
