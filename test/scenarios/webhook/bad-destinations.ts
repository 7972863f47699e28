import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';

/** What a destination does to whoever calls it, and what its webhooks are once each was attempted without retries. */
export type BadDestination = Readonly<{
	what: string;
	/** `pending`: attempts are under way for as long as one may take. */
	status: 'delivered' | 'failed' | 'pending';
	listener: RequestListener;
}>;

const zeros = Buffer.alloc(16_384);
const bomb = gzipSync(Buffer.alloc(10_000_000));

const pour = (response: ServerResponse): void => {
	const more = () => {
		while (!response.destroyed && response.write(zeros));
	};
	response.on('drain', more);
	more();
};

const drip = async (response: ServerResponse, write: () => void): Promise<void> => {
	while (!response.destroyed) {
		write();
		await pause(20);
	}
};

/** Speaks bytes that no HTTP server would. */
const say = ({socket}: IncomingMessage, text: string) => void socket.write(text);

const redirectTo =
	(status: number, location: string): RequestListener =>
	(_request, response) =>
		response.writeHead(status, {location}).end();

/** Only a whole 2xx delivers; of one that is longer than what is kept, what is kept is whole. */
export const badDestinations: readonly BadDestination[] = [
	{what: 'answers 500', status: 'failed', listener: (_request, response) => response.writeHead(500).end('no')},
	{
		what: 'answers 429 and asks for a day of patience',
		status: 'failed',
		listener: (_request, response) => response.writeHead(429, {'retry-after': '86400'}).end(),
	},
	{what: 'hangs', status: 'pending', listener: () => {}},
	{
		what: 'hangs after its headers',
		status: 'pending',
		listener: (_request, response) => response.writeHead(200).flushHeaders(),
	},
	{
		what: 'drips its headers',
		status: 'pending',
		listener: (request, response) => {
			say(request, 'HTTP/1.1 200 OK\r\nx-a: ');
			void drip(response, () => say(request, 'a'));
		},
	},
	{
		what: 'drips its body',
		status: 'pending',
		listener: (_request, response) => {
			response.writeHead(200);
			void drip(response, () => response.write('.'));
		},
	},
	{
		what: 'resets before any answer',
		status: 'failed',
		listener: ({socket}) => void socket.resetAndDestroy(),
	},
	{
		what: 'resets mid-body',
		status: 'failed',
		listener: (_request, response) => {
			response.writeHead(200, {'content-length': 1000}).write('half', () => response.socket?.resetAndDestroy());
		},
	},
	{
		what: 'ends mid-body',
		status: 'failed',
		listener: (request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'),
	},
	{
		what: 'ends mid-chunk',
		status: 'failed',
		listener: (request) => void request.socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf'),
	},
	{
		what: 'speaks no HTTP',
		status: 'failed',
		listener: (request) => void request.socket.end('220 mail.example ESMTP\r\n'),
	},
	{
		what: 'sends endless headers',
		status: 'failed',
		listener: (request, response) => {
			say(request, 'HTTP/1.1 200 OK\r\n');
			void drip(response, () => say(request, `x-a: ${'a'.repeat(16_000)}\r\n`));
		},
	},
	{
		what: 'sends endless interim answers',
		status: 'failed',
		listener: (request, response) =>
			void drip(response, () => say(request, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(8))),
	},
	{
		what: 'upgrades unasked',
		status: 'failed',
		listener: (request) => say(request, 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
	},
	{what: 'sends an endless body', status: 'delivered', listener: (_request, response) => pour(response)},
	{
		what: 'sends an endless body with its 500',
		status: 'failed',
		listener: (_request, response) => pour(response.writeHead(500)),
	},
	{
		what: 'sends a gzip bomb',
		status: 'delivered',
		listener: (_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
	},
	{
		what: 'sends a gzip bomb with its 500',
		status: 'failed',
		listener: (_request, response) => response.writeHead(500, {'content-encoding': 'gzip'}).end(bomb),
	},
	{
		what: 'redirects to a private address',
		status: 'failed',
		listener: redirectTo(307, 'http://169.254.169.254/latest/meta-data/'),
	},
	{what: 'redirects to itself', status: 'failed', listener: redirectTo(308, '/')},
];
