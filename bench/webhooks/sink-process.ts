import {fileURLToPath} from 'node:url';
import {startTelling} from '../proxy/processes.ts';

/** What came so far. Times are milliseconds of the machine's monotonic clock. */
export type Arrivals = Readonly<{count: number; last: number}>;

/** Where everybody delivers to. */
export type Sink = Readonly<{
	/** Three, for one webhook that goes to three destinations. */
	origins: readonly [string, string, string];
	read(): Promise<Arrivals>;
	/** Of what came to the path `/paced` since this was asked last: when, by its `X-GitHub-Delivery`. */
	times(): Promise<Readonly<Record<string, number>>>;
	stop(): Promise<void>;
}>;

export const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1e6;

const originAt = (port: number): string => `http://127.0.0.1:${port}`;

export const startSink = async (): Promise<Sink> => {
	const program = fileURLToPath(new URL('./sink.ts', import.meta.url));
	const {told, stop} = await startTelling([process.execPath, [program]], (line) => JSON.parse(line));
	const [first, second, third] = told.ports as [number, number, number];
	return {
		origins: [originAt(first), originAt(second), originAt(third)],
		read: async () => (await fetch(originAt(first))).json() as Promise<Arrivals>,
		times: async () => (await fetch(`${originAt(first)}/arrivals`)).json() as Promise<Record<string, number>>,
		stop,
	};
};
