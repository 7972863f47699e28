import {parentPort, workerData} from 'node:worker_threads';
import type {Serve} from './session.ts';

/** A thread for one service: started by writer-thread. */
if (!parentPort) throw new Error('a service thread runs in a worker thread');
const {url, data}: Readonly<{url: string; data: unknown}> = workerData;
const {serve}: {serve: Serve} = await import(url);
await serve(parentPort, data);
