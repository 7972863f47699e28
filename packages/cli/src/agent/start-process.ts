import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {realpath, stat, writeFile} from 'node:fs/promises';
import type {Writable} from 'node:stream';
import {CannotStartError} from './attempt.ts';
import {closeOutput, closeWriters, type OutputPipes, openOutputPipes} from './output-pipes.ts';

export type Exit = Readonly<{code: number | null; signal: NodeJS.Signals | null}>;

/** A shell that waits for the word to run its script, as the leader of a process group of its own. */
export type StartedProcess = Readonly<{
	/** Its id, and its group's. */
	pid: number;
	output: OutputPipes;
	/** Lets it run. If this program dies before, the shell ends and the script never runs. */
	release(): void;
	/** Settles when the shell has ended, whoever still holds its output. */
	exited: Promise<Exit>;
}>;

export type ProcessRequest = Readonly<{
	command: string;
	/** Where the script is written; there must be no file yet. */
	script: string;
	working_dir: string;
	environment: Readonly<Record<string, string>>;
}>;

const shell = '/bin/sh';
const gate = 3;
/**
 * Reads one line from the gate, closes it, and becomes the shell that runs the script. A subshell reads, since a job may name
 * its variables as it likes: whatever this shell read into would be missing from its environment.
 */
const waitForGate = `(read -r go <&${gate}) || exit 1; exec ${gate}<&-; exec ${shell} "$0"`;

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'does not exist on this host',
	ENOTDIR: 'is not a folder',
	EACCES: 'may not be entered by the account of the agent',
};

/** A folder with its symbolic links resolved. @throws CannotStartError when there is none. */
export const findWorkingDir = async (path: string): Promise<string> => {
	try {
		const found = await realpath(path);
		if ((await stat(found)).isDirectory()) return found;
	} catch (error) {
		const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read';
		throw new CannotStartError(`working_dir ${path} ${reason}`);
	}
	throw new CannotStartError(`working_dir ${path} is not a folder`);
};

const spawnShell = ({script, working_dir, environment}: ProcessRequest, {stdout, stderr}: OutputPipes): ChildProcess =>
	spawn(shell, ['-c', waitForGate, script], {
		cwd: working_dir,
		env: environment,
		detached: true,
		stdio: ['ignore', stdout.writer, stderr.writer, 'pipe'],
	});

/** A command that ended before it read the gate is told by its exit. */
const openGate = (child: ChildProcess): void => {
	const pipe = child.stdio[gate] as Writable;
	pipe.on('error', () => undefined);
	pipe.end('go\n');
};

const startShell = async (request: ProcessRequest, output: OutputPipes): Promise<StartedProcess> => {
	const child = spawnShell(request, output);
	const exited = once(child, 'exit').then(([code, signal]): Exit => ({code, signal}));
	exited.catch(() => undefined);
	await once(child, 'spawn');
	return {pid: child.pid as number, output, release: () => openGate(child), exited};
};

/**
 * Writes the command to a script of mode 0600 and starts a shell for it: nothing on its input, nothing in its environment but
 * what is handed in, a process group of its own.
 * @throws CannotStartError that says why the system did not start it.
 */
export const startProcess = async (request: ProcessRequest): Promise<StartedProcess> => {
	await writeFile(request.script, request.command, {mode: 0o600, flag: 'wx'});
	const output = await openOutputPipes(request.script);
	try {
		return await startShell(request, output);
	} catch (error) {
		closeOutput(output);
		throw new CannotStartError(`the command cannot be started: ${(error as Error).message}`);
	} finally {
		closeWriters(output);
	}
};
