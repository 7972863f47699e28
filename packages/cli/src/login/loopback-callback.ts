import {timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** Waits on this machine for what a browser brings back (RFC 8252, section 7.3). */
export type LoopbackCallback = Readonly<{
	/** Where the browser is to be sent. */
	redirectUri: string;
	/** The code. @throws Error when the person refused */
	code: Promise<string>;
	close(): void;
}>;

const path = '/callback';

const isSame = (one: string, other: string): boolean => {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
};

const answer = (response: ServerResponse, status: number, text: string): void => {
	response.writeHead(status, {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': "default-src 'none'",
		'cache-control': 'no-store',
		'referrer-policy': 'no-referrer',
		connection: 'close',
	});
	response.end(`<!doctype html><title>Signalbox</title><p>${text}</p>`);
};

/** Listens on a free port of 127.0.0.1. What does not bring the state is refused, and waited on. */
export const openLoopbackCallback = async (state: string): Promise<LoopbackCallback> => {
	const brought = Promise.withResolvers<string>();
	brought.promise.catch(() => undefined);
	const server = createServer((request, response) => {
		const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
		if (request.method !== 'GET' || url?.pathname !== path) return answer(response, 404, 'There is nothing here.');
		if (!isSame(url.searchParams.get('state') ?? '', state))
			return answer(response, 400, 'This is not the login that was begun here.');
		const code = url.searchParams.get('code');
		if (!code) {
			answer(response, 200, 'The login was refused. You can close this page.');
			return brought.reject(new Error('The login was refused in the browser.'));
		}
		answer(response, 200, 'You are logged in. You can close this page.');
		brought.resolve(code);
	});
	// Browsers open connections to spare, on which they never ask: the program does not stay for them.
	server.on('connection', (socket) => socket.unref());
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const close = (): void => {
		server.close();
		server.closeIdleConnections();
	};
	return {redirectUri: `http://127.0.0.1:${port}${path}`, code: brought.promise, close};
};
