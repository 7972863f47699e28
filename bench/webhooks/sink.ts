/**
 * The destination of every contestant, as cheap as Node can be: bytes on sockets, with no HTTP server in between. It takes
 * every request to have the Content-Length that its head names, and answers 200 when that many bytes came. Prints its
 * ports as one line of JSON. `GET /` tells how many came, and when the last one did; `GET /arrivals`, when each
 * `X-GitHub-Delivery` first came to the path `/paced`, and forgets it. Times are milliseconds of the machine's monotonic clock.
 */
import {type AddressInfo, createServer, type Socket} from 'node:net';

const answer = (body: string): string =>
	`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const thanks = Buffer.from(answer('{"ok":true}'));
const blankLine = '\r\n\r\n';

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

let count = 0;
let last = 0;
let arrivals: Record<string, number> = {};

const tell = (socket: Socket, what: object): void => {
	socket.write(answer(JSON.stringify(what)));
};

const tellArrivals = (socket: Socket): void => {
	tell(socket, arrivals);
	arrivals = {};
};

const take = (socket: Socket, head: string): void => {
	count += 1;
	last = now();
	const delivery = head.startsWith('POST /paced') && /\nx-github-delivery: *([\w-]+)/i.exec(head)?.[1];
	if (delivery) arrivals[delivery] ??= last;
	socket.write(thanks);
};

const serve = (socket: Socket): void => {
	let head = '';
	/** Of the body, while there is one to come. Bytes. */
	let missing: number | undefined;
	/** @returns where the body begins, or the end of the chunk. */
	const readHead = (chunk: Buffer, at: number): number => {
		const known = head.length;
		head += chunk.toString('latin1', at);
		const end = head.indexOf(blankLine);
		if (end === -1) return chunk.length;
		head = head.slice(0, end + blankLine.length);
		missing = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
		return at + head.length - known;
	};
	const read = (chunk: Buffer, at: number): number => {
		const from = missing === undefined ? readHead(chunk, at) : at;
		if (missing === undefined) return from;
		const some = Math.min(missing, chunk.length - from);
		missing -= some;
		if (missing === 0) {
			if (head.startsWith('GET /arrivals')) tellArrivals(socket);
			else if (head.startsWith('GET')) tell(socket, {count, last});
			else take(socket, head);
			head = '';
			missing = undefined;
		}
		return from + some;
	};
	socket.setNoDelay().on('error', () => socket.destroy());
	socket.on('data', (chunk) => {
		for (let at = 0; at < chunk.length; ) at = read(chunk, at);
	});
};

const listen = async (): Promise<number> =>
	new Promise((resolve) => {
		const server = createServer(serve).listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
	});

console.log(JSON.stringify({ports: await Promise.all([listen(), listen(), listen()])}));
