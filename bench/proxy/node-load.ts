/**
 * Load from Node: at a pace, and without one where wrk is not installed. Arguments: address, connections, seconds, requests
 * a second (0: each connection as fast as it can); the body and the headers, one a line, come in the environment. Prints
 * one line of JSON.
 *
 * At a pace, requests are sent whether or not earlier ones were answered, and the time of each counts from the moment at
 * which it was due: an upstream that stalls pays for every request that had to wait.
 */
import {setImmediate as turn} from 'node:timers/promises';
import {Pool} from 'undici';
import {quantile} from '../quantile.ts';
import type {LoadResult} from './load.ts';

const [address = '', connections = 1, seconds = 1, rate = 0] = process.argv
	.slice(2)
	.map((each, index) => (index === 0 ? each : Number(each))) as [string, number, number, number];

const {BENCH_BODY: body = '', BENCH_HEADERS: lines = ''} = process.env;
const headers = Object.fromEntries(lines.split('\n').map((line) => line.split(/:(.*)/s) as [string, string]));
const {origin, pathname: path} = new URL(address);
const pool = new Pool(origin, {connections, pipelining: 1});
const times: number[] = [];
let bytes = 0;
let failures = 0;

const call = async (due: number): Promise<void> => {
	try {
		const answer = await pool.request({path, method: 'POST', headers, body});
		const {byteLength} = await answer.body.arrayBuffer();
		bytes += byteLength;
		if (answer.statusCode >= 400) failures += 1;
		times.push(performance.now() - due);
	} catch {
		failures += 1;
	}
};

// Timers tick in whole milliseconds, as long as a request takes; a futex waits for a tenth and leaves the core to others.
const idle = new Int32Array(new SharedArrayBuffer(4));
const nap = (milliseconds: number) => Atomics.wait(idle, 0, 0, Math.min(milliseconds, 0.1));

const sendAtPace = async (begun: number): Promise<void> => {
	const calls: Promise<void>[] = [];
	while (calls.length < seconds * rate) {
		const due = begun + (calls.length * 1000) / rate;
		const early = due - performance.now();
		if (early <= 0) calls.push(call(due));
		else {
			nap(early);
			await turn();
		}
	}
	await Promise.all(calls);
};

const sendAtOnce = async (begun: number): Promise<void> => {
	const end = begun + seconds * 1000;
	const run = async () => {
		for (let now = performance.now(); now < end; now = performance.now()) await call(now);
	};
	await Promise.all(Array.from({length: connections}, run));
};

const begun = performance.now();
await (rate > 0 ? sendAtPace(begun) : sendAtOnce(begun));
const result: LoadResult = {
	requests: times.length,
	seconds: (performance.now() - begun) / 1000,
	bytes,
	p50_ms: quantile(times, 0.5),
	p99_ms: quantile(times, 0.99),
	failures,
};
console.log(JSON.stringify(result));
await pool.close();
