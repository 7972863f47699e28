import {toolCall} from '../../support/json-rpc-upstream.ts';
import type {ServerProcess} from '../../support/server-process.ts';
import type {FaultyAnswer} from './fault-upstream.ts';

const blockBytes = 64 * 1024;
const block = 'x'.repeat(blockBytes);

/** Answers of that many MiB, of which none is a response. */
export const largeAnswers = (mebibytes: number): Readonly<Record<string, FaultyAnswer>> => {
	const times = mebibytes * 16;
	const ok = 'HTTP/1.1 200 OK';
	const chunked = 'Transfer-Encoding: chunked';
	const chunk = `${blockBytes.toString(16)}\r\n${block}\r\n`;
	const length = 'Content-Length: <length>';
	return {
		'a document of a known length': {
			head: [ok, 'Content-Type: application/json', length],
			body: block,
			times,
			end: 'keep',
		},
		'a document in chunks': {
			head: [ok, 'Content-Type: application/json', chunked],
			body: chunk,
			times,
			last: '0\r\n\r\n',
			end: 'keep',
		},
		'one event without end': {head: [ok, 'Content-Type: text/event-stream', length], body: block, times, end: 'keep'},
		'many events': {
			head: [ok, 'Content-Type: text/event-stream', length],
			body: `data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n`.repeat(1125),
			times,
			end: 'keep',
		},
	};
};

/** Reads an answer to its end and keeps none of it. @returns its size, and the server's memory at its highest. */
export const swallow = async (
	server: ServerProcess,
	address: string,
	tool: string,
): Promise<Readonly<{bytes: number; peak: number}>> => {
	const answer = await fetch(address, {
		method: 'POST',
		headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
		body: JSON.stringify(toolCall(tool)),
	});
	let bytes = 0;
	let looked = 0;
	let peak = 0;
	for await (const chunk of answer.body ?? []) {
		bytes += chunk.length;
		if (bytes - looked < 16 * 1024 * 1024) continue;
		looked = bytes;
		peak = Math.max(peak, await server.memory());
	}
	return {bytes, peak: Math.max(peak, await server.memory())};
};
