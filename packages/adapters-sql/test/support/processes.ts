import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

/** Starts a program of this folder in a process of its own, from its source. */
export const startProgram = (name: string, ...argv: readonly string[]): ChildProcess =>
	spawn(
		process.execPath,
		['--conditions=@signalbox/source', fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), ...argv],
		{stdio: ['ignore', 'pipe', 'inherit']},
	);

/** What it answers with when it ends. */
export const exitCode = async (child: ChildProcess): Promise<number | null> => {
	if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
	const [code] = await once(child, 'exit');
	return code;
};
