import {spawn} from 'node:child_process';
import {once} from 'node:events';

export type Command = Readonly<{
	/** Program and arguments, as one writes them; no argument holds a blank. */
	line: string;
	/** Shown while it runs, not only when it fails. */
	streams?: boolean;
	/** Minutes after which it is ended and counts as failed. */
	minutes?: number;
}>;

export type CommandResult = Readonly<{succeeded: boolean; output: string}>;

const defaultMinutes = 4;

/** Runs a command to its end in the current folder and collects what it prints. */
export const runCommand = async ({
	line,
	streams = false,
	minutes = defaultMinutes,
}: Command): Promise<CommandResult> => {
	const [program = '', ...args] = line.split(' ');
	const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'pipe'], timeout: minutes * 60_000});
	const chunks: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			if (streams) process.stdout.write(chunk);
		});
	}
	const [code, signal] = (await once(child, 'close').catch((error: Error) => [error.message, null])) as unknown[];
	if (signal !== null) chunks.push(Buffer.from(`\nended by ${signal} after at most ${minutes} minutes\n`));
	return {succeeded: code === 0, output: Buffer.concat(chunks).toString()};
};
