import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {responseBody} from './message.ts';
import {nginx, startNginx} from './nginx.ts';
import {startTelling} from './processes.ts';
import type {Stage} from './scenarios.ts';

/** What all contestants of a stage forward to. */
export type Upstream = Readonly<{title: string; url: string; answerBytes: number; stop(): Promise<void>}>;

type Program = 'node-upstream' | 'socket-upstream' | 'mcp-upstream';

/** Starts an upstream that is a program here, with answers of that many bytes. */
export const startProgram = async (name: Program, answerBytes: number) => {
	const program = fileURLToPath(new URL(`./peers/${name}.ts`, import.meta.url));
	const {told, stop} = await startTelling([process.execPath, [program, String(answerBytes)]], (line) => line);
	return {url: told, stop};
};

// A parameter in nginx's configuration has at most 4096 bytes, a value made of variables any length.
const piecesOf = (text: string): readonly string[] => text.match(/.{1,3000}/gs) ?? [];

const answering = (body: string): string => {
	const pieces = piecesOf(body);
	return `
		default_type application/json;
		${pieces.map((piece, index) => `set $piece${index} '${piece}';`).join('\n')}
		return 200 "${pieces.map((_, index) => `\${piece${index}}`).join('')}";`;
};

const startCheap = async (answerBytes: number): Promise<Upstream> => {
	if (!existsSync(nginx))
		return {
			title: 'node:net with a fixed answer',
			answerBytes,
			...(await startProgram('socket-upstream', answerBytes)),
		};
	const {url, stop} = await startNginx({location: answering(responseBody(answerBytes))});
	return {title: 'nginx, return 200', url, answerBytes, stop};
};

export const startUpstream = async ({upstream, answerBytes}: Stage): Promise<Upstream> =>
	upstream === 'cheap'
		? startCheap(answerBytes)
		: {title: 'node:http', answerBytes, ...(await startProgram('node-upstream', answerBytes))};
