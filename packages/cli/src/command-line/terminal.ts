import {spawn} from 'node:child_process';
import {platform} from 'node:os';
import {createInterface} from 'node:readline/promises';
import {Writable} from 'node:stream';
import {text} from 'node:stream/consumers';

/** Takes what readline echoes, and shows none of it. */
const silent = (): Writable => new Writable({write: (_chunk, _encoding, done) => done()});

const noAnswer = (question: string): Error => new Error(`${question}there was no answer.`);

const askPerson = async (question: string, isHidden: boolean): Promise<string> => {
	process.stderr.write(question);
	const output = isHidden ? silent() : process.stderr;
	const lines = createInterface({input: process.stdin, output, terminal: true});
	const ended = new Promise<never>((_resolve, reject) => {
		lines.once('close', () => reject(noAnswer(question)));
		lines.once('SIGINT', () => lines.close());
	});
	try {
		return await Promise.race([new Promise<string>((resolve) => lines.once('line', resolve)), ended]);
	} finally {
		if (isHidden) process.stderr.write('\n');
		lines.close();
	}
};

let piped: AsyncIterator<string> | undefined;

/** Of one reader: what it has read beyond a line is the next answer. */
const readLine = async (question: string): Promise<string> => {
	const input = process.stdin;
	piped ??= createInterface({input})[Symbol.asyncIterator]();
	input.ref?.();
	const {value, done} = await piped.next();
	// Whoever piped it in may keep the pipe open.
	input.unref?.();
	if (done) throw noAnswer(question);
	return value;
};

/** Asks on standard error, so that the answer of a command stays clean. Lines that are piped in answer as well, one after the other. */
export const ask = (question: string, isHidden = false): Promise<string> =>
	process.stdin.isTTY === true ? askPerson(question, isHidden) : readLine(question);

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
