import {spawn} from 'node:child_process';
import {platform} from 'node:os';
import {createInterface} from 'node:readline/promises';
import {Writable} from 'node:stream';
import {text} from 'node:stream/consumers';

/** Takes what readline echoes, and shows none of it. */
const silent = (): Writable => new Writable({write: (_chunk, _encoding, done) => done()});

/** Asks on standard error, so that the answer of a command stays clean. A line that is piped in answers as well. */
export const ask = async (question: string, isHidden = false): Promise<string> => {
	const isTerminal = process.stdin.isTTY === true;
	if (isTerminal) process.stderr.write(question);
	const output = isHidden ? silent() : process.stderr;
	const lines = createInterface({input: process.stdin, output, terminal: isTerminal});
	const ended = new Promise<never>((_resolve, reject) => {
		lines.once('close', () => reject(new Error('There was no answer.')));
		lines.once('SIGINT', () => lines.close());
	});
	try {
		return await Promise.race([new Promise<string>((resolve) => lines.once('line', resolve)), ended]);
	} finally {
		if (isTerminal && isHidden) process.stderr.write('\n');
		lines.close();
	}
};

export const readInput = (): Promise<string> => text(process.stdin);

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
	darwin: ['open'],
	win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a page where there is a browser; elsewhere the person opens it. */
export const openBrowser = (address: string): void => {
	const url = URL.parse(address);
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return;
	const [program, ...args] = openers[platform()] ?? ['xdg-open'];
	const child = spawn(program, [...args, url.href], {stdio: 'ignore', detached: true});
	child.on('error', () => undefined);
	child.unref();
};
