import {subscribe} from 'node:diagnostics_channel';
import {gunzipSync} from 'node:zlib';
import {answerProblem, operationAt} from './answer-problem.ts';
import type {Operation} from './document.ts';

/** As fetch tells of a request to those who watch. */
type Told = Readonly<{
	request: Readonly<{origin: string; method: string; path: string}>;
	response: Readonly<{statusCode: number; headers: readonly Buffer[]}>;
	chunk: Buffer;
}>;

type Coming = Readonly<{operation: Operation; status: number; headers: ReadonlyMap<string, string>; chunks: Buffer[]}>;

/** By origin: whether its answers are watched. */
const watched = new Map<string, boolean>();
const coming = new WeakMap<object, Coming>();

const headersOf = (raw: readonly Buffer[]): ReadonlyMap<string, string> =>
	new Map(
		raw.flatMap((name, at) => (at % 2 === 0 ? [[String(name).toLowerCase(), String(raw[at + 1])] as const] : [])),
	);

const begin = ({request, response}: Told): void => {
	if (!watched.get(request.origin)) return;
	const operation = operationAt(request.method, request.path.split('?', 1)[0] ?? '');
	if (operation === undefined) return;
	const {statusCode: status, headers} = response;
	coming.set(request, {operation, status, headers: headersOf(headers), chunks: []});
};

const textOf = ({headers, chunks}: Coming): string => {
	const bytes = Buffer.concat(chunks);
	return String(headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes);
};

/** @throws Error where nobody catches it: whichever test runs has failed. */
const hold = ({request}: Told): void => {
	const answer = coming.get(request);
	if (answer === undefined) return;
	const {operation, status, headers} = answer;
	const contentType = headers.get('content-type') ?? null;
	const problem = answerProblem(operation, {status, text: textOf(answer), contentType});
	if (problem !== undefined) throw new Error(problem);
};

const listeners: Readonly<Record<string, (told: Told) => void>> = {
	headers: begin,
	bodyChunkReceived: ({request, chunk}) => void coming.get(request)?.chunks.push(chunk),
	trailers: hold,
};
for (const [moment, listen] of Object.entries(listeners))
	subscribe(`undici:request:${moment}`, (message) => listen(message as Told));

/** From now on every answer of this API that anything in this process fetches is held against the OpenAPI document. */
export const watchAnswers = (baseUrl: string): void => {
	const {origin} = new URL(baseUrl);
	if (!watched.has(origin)) watched.set(origin, true);
};

/** For those who hold its answers against the document themselves. */
export const unwatchAnswers = (baseUrl: string): void => {
	watched.set(new URL(baseUrl).origin, false);
};
