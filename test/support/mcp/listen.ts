import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';

export type Listening = Readonly<{
	origin: string;
	port: number;
	/** Cuts its connections. */
	cut(): void;
	close(): Promise<void>;
}>;

/** A server on a free port of loopback. Closing it cuts its connections. */
export const listen = async (listener: RequestListener): Promise<Listening> => {
	const server = createServer(listener);
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const {port} = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		port,
		cut: () => server.closeAllConnections(),
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
};
