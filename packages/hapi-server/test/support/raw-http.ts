import {connect} from 'node:net';

export type RawAnswer = Readonly<{
	/** 0 when the connection ended without an answer. */
	status: number;
	head: string;
	body: string;
	/** All that came back. */
	text: string;
	/** How long it took until the server had ended the connection. */
	milliseconds: number;
}>;

const parse = (text: string, milliseconds: number): RawAnswer => {
	const [head = '', body = ''] = text.split('\r\n\r\n', 2);
	return {status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body, text, milliseconds};
};

/** Sends bytes as they are, and reads until the server ends the connection. */
export const sendRaw = (port: number, text: string): Promise<RawAnswer> =>
	new Promise((resolve) => {
		const begin = performance.now();
		const chunks: Buffer[] = [];
		const socket = connect(port, '127.0.0.1', () => socket.write(text));
		socket.on('data', (chunk) => chunks.push(chunk));
		socket.on('error', () => {});
		socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('utf8'), performance.now() - begin)));
	});
