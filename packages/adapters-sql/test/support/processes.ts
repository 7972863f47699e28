import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));

/** Starts a program of this folder in a process of its own, from its source; `preload` is another one to load before. */
export const startProgram = (
	program: string | Readonly<{name: string; preload: string}>,
	...argv: readonly string[]
): ChildProcess => {
	const {name, preload} = typeof program === 'string' ? {name: program, preload: undefined} : program;
	const options = ['--conditions=@signalbox/source', ...(preload ? ['--import', fileOf(preload)] : [])];
	return spawn(process.execPath, [...options, fileOf(name), ...argv], {stdio: ['ignore', 'pipe', 'inherit']});
};

/** What it answers with when it ends. */
export const exitCode = async (child: ChildProcess): Promise<number | null> => {
	if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
	const [code] = await once(child, 'exit');
	return code;
};
