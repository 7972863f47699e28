import {connect} from 'node:net';

/** One request, down to its bytes. */
export type WireRequest = Readonly<{
	method: string;
	path: string;
	headers: readonly (readonly [name: string, value: string])[];
	body: Buffer;
}>;

const bytesOf = ({method, path, headers, body}: WireRequest, port: number): Buffer => {
	const chunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
	const length = chunked ? [] : [`Content-Length: ${body.length}`];
	const lines = [
		`${method} ${path} HTTP/1.1`,
		`Host: 127.0.0.1:${port}`,
		...headers.map((pair) => pair.join(': ')),
		...length,
	];
	const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
	if (!chunked) return Buffer.concat([head, body]);
	return Buffer.concat([head, Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
};

export type WireAnswer = Readonly<{
	/** 0 when the connection ended, or `enough` said so, before there was one. */
	status: number;
	/** Empty where its length is not announced. */
	body: string;
}>;

/** Where the body ends; where the headers do, when nothing announces a body. */
const endOf = (text: string): number => {
	const head = text.indexOf('\r\n\r\n') + 4;
	return head + Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
};

const isWhole = (text: string, {method}: WireRequest): boolean =>
	text.includes('\r\n\r\n') && (method === 'HEAD' || text.length >= endOf(text));

/** Sends a request over a connection of its own, which is cut when the answer is there. */
export const sendBytes = (port: number, request: WireRequest, enough = () => false): Promise<WireAnswer> =>
	new Promise((resolve) => {
		let text = '';
		const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf(request, port)));
		const watch = setInterval(() => enough() && socket.destroy(), 2);
		socket.on('data', (chunk) => {
			text += chunk.toString('latin1');
			if (isWhole(text, request)) socket.destroy();
		});
		socket.on('error', () => {});
		socket.on('close', () => {
			clearInterval(watch);
			const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
			resolve({status, body: text.slice(text.indexOf('\r\n\r\n') + 4, endOf(text))});
		});
	});
