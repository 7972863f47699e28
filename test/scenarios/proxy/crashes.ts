import {setTimeout as pause} from 'node:timers/promises';
import {until} from '../../support/mcp/until.ts';
import {startCountingUpstream} from './counting-upstream.ts';
import {type Audit, attendedCalls, auditCalls, type Faults, storedApprovals} from './durable-calls.ts';
import {callHeaders, type Load, numberedCall, responseIn, type Seen, startLoad} from './interrupted-load.ts';
import {type InterruptedServer, startInterruptedServer} from './interrupted-server.ts';

type Interruption = Omit<Audit, 'faults'> & Readonly<{answered: number; refused: number; cut: number}>;

export type CrashReport = Interruption &
	Readonly<{
		/** With the approvals that were left over and could neither be used nor decided. */
		faults: Faults & Readonly<{stuck: readonly string[]}>;
		/** Approvals that were left over: granted ones that an identical call used, and pending ones that were decided. */
		used: number;
		decided: number;
	}>;

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

/** An identical call uses what was granted: at once, and once. */
const useGrant = async (server: InterruptedServer, number: number, executions: (number: number) => number) => {
	const url = `${server.origin()}/p/${server.slugs.held}`;
	const answer = await fetch(url, {method: 'POST', headers: callHeaders, body: numberedCall(number)});
	return responseIn(await answer.text())?.result?.isError !== true && executions(number) === 1;
};

/** After the last start: every approval is decided, or decidable, and what was granted and never ran is usable. */
const settleLeftovers = async (server: InterruptedServer, executions: (number: number) => number) => {
	await until(() => attendedCalls(server.database) === 0, 'the recovery of what died', 60_000);
	const stuck: string[] = [];
	const left = storedApprovals(server.database);
	const granted = left.filter(({status, is_consumed}) => status === 'approved' && !is_consumed);
	for (const {id, number} of granted) if (!(await useGrant(server, number, executions))) stuck.push(id);
	const pending = left.filter(({status}) => status === 'pending');
	for (const {id} of pending) {
		const {status} = await server.api().post(`/v1/mcp/approvals/${id}/reject`, {});
		if (status !== 200) stuck.push(id);
	}
	return {used: granted.length, decided: pending.length, stuck};
};

/** Kills a loaded server that many times, at moments that nobody chose, and starts it again each time. Takes 15 seconds more. */
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
		const {stuck, ...leftovers} = await settleLeftovers(server, upstream.executions);
		await server.end('SIGTERM');
		const audit = auditCalls(server.database, load.seen, upstream.executions);
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
		const audit = auditCalls(server.database, load.seen, upstream.executions);
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
