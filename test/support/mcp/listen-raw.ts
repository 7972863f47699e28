import {type AddressInfo, createServer, type Socket} from 'node:net';

export type RawListening = Readonly<{
	port: number;
	/** The connections that are open now. */
	sockets: ReadonlySet<Socket>;
	close(): Promise<void>;
}>;

/** A TCP server on a free port of loopback, for what no HTTP server would send or take. Closing it cuts its connections. */
export const listenRaw = async (serve: (socket: Socket) => void): Promise<RawListening> => {
	const sockets = new Set<Socket>();
	const server = createServer({noDelay: true}, (socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
		serve(socket);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		port: (server.address() as AddressInfo).port,
		sockets,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((closed) => server.close(closed));
		},
	};
};
