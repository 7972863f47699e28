import {execFile} from 'node:child_process';
import {closeSync, constants, openSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {Socket} from 'node:net';
import {promisify} from 'node:util';

const pieceBytes = 64 * 1024;

/** One way out of a command. */
export type OutputPipe = Readonly<{
	/** What the command writes to; closed here as soon as the command has it. */
	writer: number;
	/** Reads from now on; each piece is overwritten by the next. */
	read(take: (piece: Buffer) => void): void;
	/** Settles when nobody can write any more, or after `destroy`. */
	closed: Promise<void>;
	/** Lets go of it: who still writes gets SIGPIPE. */
	destroy(): void;
}>;

export type OutputPipes = Readonly<{stdout: OutputPipe; stderr: OutputPipe}>;

/** The reading end first: the other one waits for it. */
const openEnds = (path: string): Readonly<{reader: number; writer: number}> => {
	const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		return {reader, writer: openSync(path, constants.O_WRONLY)};
	} catch (error) {
		closeSync(reader);
		throw error;
	}
};

const openPipe = (path: string): OutputPipe => {
	const {reader, writer} = openEnds(path);
	let take: (piece: Buffer) => void = () => undefined;
	// Memory that is used again and again: a command that prints a gigabyte leaves none to collect.
	const buffer = Buffer.alloc(pieceBytes);
	const callback = (length: number): boolean => {
		take(buffer.subarray(0, length));
		return true;
	};
	const socket = new Socket({fd: reader, readable: true, writable: false, onread: {buffer, callback}});
	socket.on('error', () => socket.destroy());
	const closed = new Promise<void>((resolve) => {
		socket.once('close', () => resolve());
	});
	const read = (taker: typeof take): void => {
		take = taker;
		socket.resume();
	};
	return {writer, read, closed, destroy: () => socket.destroy()};
};

const openBoth = ([out, err]: readonly [string, string]): OutputPipes => {
	const stdout = openPipe(out);
	try {
		return {stdout, stderr: openPipe(err)};
	} catch (error) {
		closeSync(stdout.writer);
		stdout.destroy();
		throw error;
	}
};

/**
 * Opens two pipes. Those that `spawn` makes are socket pairs, in which `echo >/dev/stderr` of a script fails.
 * @param path - begins the names that they have for a moment.
 */
export const openOutputPipes = async (path: string): Promise<OutputPipes> => {
	const paths = [`${path}.stdout`, `${path}.stderr`] as const;
	try {
		await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
		return openBoth(paths);
	} finally {
		for (const each of paths) await rm(each, {force: true});
	}
};

/** Closes the ends that the command has by now. */
export const closeWriters = ({stdout, stderr}: OutputPipes): void => {
	for (const {writer} of [stdout, stderr]) closeSync(writer);
};

/** Lets go of both. */
export const closeOutput = ({stdout, stderr}: OutputPipes): void => {
	stdout.destroy();
	stderr.destroy();
};
