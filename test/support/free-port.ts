import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:net';

/** Below what systems choose from by themselves (Linux 32768 and up, others 49152): what is free here stays free until it is used. */
const [lowest, highest] = [20_000, 32_000];

/** A port of 127.0.0.1 for a program that must be told one. Those that can choose are told 0. */
export const freePort = async (): Promise<number> => {
	const port = randomInt(lowest, highest);
	const server = createServer();
	try {
		await once(server.listen(port, '127.0.0.1'), 'listening');
	} catch {
		return freePort();
	}
	await new Promise((closed) => server.close(closed));
	return port;
};
