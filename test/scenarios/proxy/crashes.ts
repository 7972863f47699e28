import {setTimeout as pause} from 'node:timers/promises';
import {until} from '../../support/mcp/until.ts';
import {startCountingUpstream} from './counting-upstream.ts';
import {type Audit, auditCalls, type Faults} from './durable-calls.ts';
import {type Load, type Seen, startLoad} from './interrupted-load.ts';
import {startInterruptedServer} from './interrupted-server.ts';
import {type Leftovers, settleLeftovers} from './leftovers.ts';

type Interruption = Omit<Audit, 'faults'> & Readonly<{answered: number; refused: number; cut: number}>;

export type CrashReport = Interruption &
	Omit<Leftovers, 'stuck'> &
	Readonly<{faults: Faults & Pick<Leftovers, 'stuck'>}>;

export type StopReport = Interruption &
	Readonly<{
		/** With the calls that ran although their client got no answer. */
		faults: Faults & Readonly<{lost: readonly number[]}>;
		codes: readonly (number | null)[];
		/** Milliseconds. */
		slowest: number;
	}>;

const tallyOf = ({answered, refused, cut}: Seen) => ({answered: answered.size, refused: refused.size, cut: cut.size});

/** Until the server is busy, and then for a time that nobody chose. */
const someTime = async ({seen}: Load): Promise<void> => {
	const enough = seen.answered.size + 200;
	await until(() => seen.answered.size > enough, 'the load', 60_000);
	await pause(Math.random() * 500);
};

/** Kills a loaded server that many times, at moments that nobody chose, and starts it again each time. Takes half a minute more. */
export const crash = async (times: number): Promise<CrashReport> => {
	const upstream = await startCountingUpstream();
	const server = await startInterruptedServer(upstream.url);
	try {
		const load = startLoad(server, server.slugs, server.accessToken);
		for (let time = 1; time < times; time += 1) {
			await someTime(load);
			await server.end('SIGKILL');
			await server.start();
		}
		await someTime(load);
		await Promise.all([server.end('SIGKILL'), load.stop()]);
		await server.start();
		const url = `${server.origin()}/p/${server.slugs.held}`;
		const {stuck, ...leftovers} = await settleLeftovers({...server, ...upstream, url, api: server.api()});
		await server.end('SIGTERM');
		const audit = await auditCalls(server.directory, load.seen, upstream.executions);
		return {...audit, faults: {...audit.faults, stuck}, ...tallyOf(load.seen), ...leftovers};
	} finally {
		await server.close();
		await upstream.close();
	}
};

/** Stops a loaded server that many times, as operators do. */
export const stop = async (times: number): Promise<StopReport> => {
	const upstream = await startCountingUpstream();
	const server = await startInterruptedServer(upstream.url);
	try {
		const load = startLoad(server, server.slugs, server.accessToken);
		const ends: Readonly<{code: number | null; took: number}>[] = [];
		for (let time = 0; time < times; time += 1) {
			await someTime(load);
			ends.push(await server.end('SIGTERM'));
			if (time + 1 < times) await server.start();
		}
		await load.stop();
		const audit = await auditCalls(server.directory, load.seen, upstream.executions);
		// A connection may be closed before its request was taken, not after.
		const lost = [...load.seen.cut].filter((number) => upstream.executions(number) > 0);
		return {
			...audit,
			faults: {...audit.faults, lost},
			...tallyOf(load.seen),
			codes: ends.map(({code}) => code),
			slowest: Math.max(...ends.map(({took}) => took)),
		};
	} finally {
		await server.close();
		await upstream.close();
	}
};
