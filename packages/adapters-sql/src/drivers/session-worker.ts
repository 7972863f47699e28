import {parentPort, workerData} from 'node:worker_threads';
import type {Serve, Session} from '../session.ts';
import {openNodeSession} from './node-sqlite-session.ts';
import type {ServiceCall, SessionAnswer, SessionCall} from './session-thread.ts';

/** The thread that one session of node:sqlite lives in: started by session-thread. */
if (!parentPort) throw new Error('a session thread runs in a worker thread');
const port = parentPort;

const answer = async (work: Promise<unknown>): Promise<void> => {
	const settled: SessionAnswer = await work.then(
		(value) => ({value}),
		(error) => ({message: error instanceof Error ? error.message : String(error), code: error?.code}),
	);
	port.postMessage(settled);
};

const perform = async (session: Session, {method, args}: SessionCall): Promise<unknown> => {
	// The pair belongs together: which arguments go with which method is lost on the type of the call.
	const call = session[method] as (...args: readonly unknown[]) => Promise<unknown>;
	return call(...args);
};

const startService = async ({url, data, port: its}: ServiceCall): Promise<void> => {
	try {
		const {serve}: {serve: Serve} = await import(url);
		await serve(its, data);
	} catch {
		its.close();
	}
};

const opening = openNodeSession(workerData as string);
port.on('message', async (message: SessionCall | ServiceCall) => {
	if (message.method === 'host') return startService(message);
	await answer(opening.then(async (session) => perform(session, message)));
	if (message.method === 'close') port.close();
});
await answer(opening.then(() => undefined));
