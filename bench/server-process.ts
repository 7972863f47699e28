import {fileURLToPath} from 'node:url';
import {startTelling} from './proxy/processes.ts';

/** A program beside this one, which says in one line of JSON where it is. */
const startProgram = async (name: string, args: readonly string[] = []) => {
	const program = fileURLToPath(new URL(name, import.meta.url));
	const command = ['--conditions=@signalbox/source', program, ...args];
	const {told, stop} = await startTelling([process.execPath, command], (line) => JSON.parse(line));
	return {told, stop: async () => stop('SIGTERM')};
};

/** The reference server in a process of its own, so that the client's work does not count as the server's. */
export const startServerProcess = async () => {
	const {told, stop} = await startProgram('./serve.ts');
	return {baseUrl: told.base_url as string, stop};
};

/** A process that passes bytes on to a port of loopback, and does nothing else. */
export const startRelayProcess = async (port: number) => {
	const {told, stop} = await startProgram('./tcp-relay.ts', [String(port)]);
	return {port: told.port as number, stop};
};
