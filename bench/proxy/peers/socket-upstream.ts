/**
 * The cheapest upstream that Node can be, for machines without nginx: bytes on a socket. It takes every request to have the
 * Content-Length that its first header block names and answers when that many bytes came. Prints its address.
 */
import {type AddressInfo, createServer} from 'node:net';
import {responseBody} from '../message.ts';

const body = responseBody(Number(process.argv[2]));
const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const answer = Buffer.from(head + body);

/** Bytes of the request that stands first in the text, or undefined while its headers are not whole. */
const lengthOfFirst = (text: string): number | undefined => {
	const end = text.indexOf('\r\n\r\n');
	if (end === -1) return undefined;
	return end + 4 + Number(/\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
};

const server = createServer((socket) => {
	let unread = '';
	socket.setNoDelay().on('error', () => socket.destroy());
	socket.on('data', (chunk) => {
		unread += chunk.toString('latin1');
		for (let length = lengthOfFirst(unread); length !== undefined && unread.length >= length; ) {
			unread = unread.slice(length);
			socket.write(answer);
			length = lengthOfFirst(unread);
		}
	});
});
server.listen(0, '127.0.0.1', () => {
	console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
