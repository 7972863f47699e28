import type {AgentEvent, AgentPeer, Cancel, RegisterRequest, RegisterResponse} from '@signalbox/rpc';
import {RpcError} from '@signalbox/rpc';
import type {Clock} from '../clock.ts';
import type {AgentState} from './agent-state.ts';
import {createExecutions, type Executions} from './executions.ts';
import {createNap, type Nap} from './nap.ts';
import {isPassing, persist} from './persist.ts';
import type {CommandRunner} from './run-command.ts';
import {untilAborted} from './until-aborted.ts';

/** What people see of the host. */
export type HostFacts = Readonly<Pick<RegisterRequest, 'name' | 'hostname' | 'os' | 'arch' | 'version' | 'boot_id'>>;

export type AgentNeeds = Readonly<{
	peer: AgentPeer;
	runner: CommandRunner;
	state: Pick<AgentState, 'readId' | 'keepId'>;
	clock: Clock;
	host: HostFacts;
	/** Commands at the same time, at most. */
	capacity: number;
	/** Milliseconds that commands have to end by themselves once the agent drains. */
	drainMs: number;
	/** Takes no new work; the agent ends once what runs has ended. */
	drain: AbortSignal;
	/** Ends what runs at once. */
	interrupt: AbortSignal;
	/** Takes a line for people. */
	log(line: string): void;
}>;

/** One run of an agent. */
type Run = AgentNeeds &
	Readonly<{
		executions: Executions;
		/** Aborted once the agent takes no new work. */
		draining: AbortController;
		/** Aborted when nothing is left to do, or to be hoped for. */
		ended: AbortController;
		/** Aborted when calls about executions are given up. */
		givenUp: AbortController;
		/** Between two polls, and until there is room for more. */
		leaseNap: Nap;
		session: {current: RegisterResponse};
		/** Since when the server may not have heard the agent, on the clock's `elapsed`. */
		silence: {since: number; isTold: boolean};
	}>;

const protocolVersion = 1;
/** Polls that come back empty sooner are spread: a server that answers at once is not asked without end. */
const shortPollMs = 1000;
/** For reports, once every command has ended and the time to drain is over. */
const reportMs = 10_000;
const leaveMs = 5000;

/** Where a server, or one of another version, sends no number. */
const orDefault = (answer: RegisterResponse): RegisterResponse => ({
	...answer,
	heartbeat_interval_ms: answer.heartbeat_interval_ms || 10_000,
	offline_ms: answer.offline_ms || 30_000,
	lost_ms: answer.lost_ms || 120_000,
	chunk_max_bytes: answer.chunk_max_bytes || 65_536,
});

const idsOf = ({current: {agent_id, session_id}}: Run['session']) => ({agent_id, session_id});

/** A server that hears nothing gives up what runs here, and may have it run again: it is ended, so that no two run at once. */
const noteSilence = (run: Run): void => {
	const {session, executions, silence, clock, log} = run;
	const {offline_ms, lost_ms} = session.current;
	const silentMs = clock.elapsed() - silence.since;
	if (silentMs >= offline_ms && !silence.isTold) {
		silence.isTold = true;
		log(`The server does not answer for ${Math.round(silentMs / 1000)} seconds: this agent counts as offline.`);
	}
	if (silentMs >= lost_ms) for (const {execution_id} of executions.running()) executions.lose(execution_id);
};

/** Makes a call by which the server hears the agent. */
const beHeard = async <Answer>(run: Run, call: () => Promise<Answer>): Promise<Answer> => {
	const since = run.clock.elapsed();
	try {
		const answer = await call();
		Object.assign(run.silence, {since, isTold: false});
		return answer;
	} catch (error) {
		if (isPassing(error)) noteSilence(run);
		throw error;
	}
};

const register = async (run: Run, signal: AbortSignal): Promise<void> => {
	const {peer, state, host, capacity, executions, clock, log, session} = run;
	const agent_id = await state.readId();
	const call = (): Promise<RegisterResponse> => {
		const running = [...executions.running()];
		const request = {agent_id, ...host, capacity, running, protocol_version: protocolVersion};
		return beHeard(run, () => peer.register(request, {signal}));
	};
	const failed = ({message}: Error): void => log(`Not registered yet, trying again: ${message}`);
	session.current = orDefault(await persist(call, {clock, signal, failed}));
	if (session.current.agent_id !== agent_id) await state.keepId(session.current.agent_id);
	for (const id of session.current.kill) executions.lose(id);
	log(`Registered as agent ${session.current.agent_id}`);
};

const cancelOne = ({executions, log}: Run, {execution_id, reason, grace_ms}: Cancel): void => {
	log(`${execution_id}: canceled${reason && `, ${reason}`}`);
	executions.cancel(execution_id, grace_ms > 0 ? grace_ms : undefined);
};

/** The session is over when the server was told of a later one, or knows the agent no longer. */
const isSessionOver = (error: unknown): boolean =>
	error instanceof RpcError && (error.kind === 'conflict' || error.kind === 'missing');

const heartbeat = async (run: Run): Promise<void> => {
	const {peer, executions, draining, ended} = run;
	const {signal} = ended;
	try {
		const state = {running: [...executions.running()], draining: draining.signal.aborted};
		const call = () => peer.heartbeat({...idsOf(run.session), ...state}, {signal});
		const {cancel, lost} = await beHeard(run, call);
		for (const each of cancel) cancelOne(run, each);
		for (const id of lost) executions.lose(id);
	} catch (error) {
		if (isSessionOver(error)) await register(run, signal);
		else if (!isPassing(error)) throw error;
	}
};

/** Lets pass what a call throws that was given up. */
const unless =
	(signal: AbortSignal) =>
	(error: unknown): void => {
		if (!signal.aborted) throw error;
	};

/** That it drains an agent says at once: people see it, and whoever looks for an agent looks elsewhere. */
const keepAlive = async (run: Run): Promise<void> => {
	const {clock, session, draining, ended} = run;
	for (;;) {
		const {signal} = draining.signal.aborted ? ended : draining;
		await clock.sleep(session.current.heartbeat_interval_ms, signal);
		if (ended.signal.aborted) return;
		await heartbeat(run).catch(unless(ended.signal));
	}
};

/** One poll. A stale session leases nothing: the next heartbeat learns that, and registers. */
const poll = async (run: Run, max: number): Promise<void> => {
	const {peer, clock, executions, draining, leaseNap, log} = run;
	const {signal} = draining;
	const since = clock.elapsed();
	const call = () => peer.lease({...idsOf(run.session), max}, {signal});
	const failed = ({message}: Error): void => log(`No work can be asked for, trying again: ${message}`);
	const leased = await persist(call, {clock, signal, failed}).catch((error: unknown) => {
		if (isSessionOver(error)) return {executions: []};
		throw error;
	});
	// Deregistering frees what comes too late.
	if (signal.aborted) return;
	for (const spec of leased.executions) executions.take(spec);
	const spent = clock.elapsed() - since;
	if (leased.executions.length === 0 && spent < shortPollMs) await leaseNap.sleep(shortPollMs - spent);
};

const takeWork = async (run: Run): Promise<void> => {
	const {draining, executions, capacity, leaseNap} = run;
	while (!draining.signal.aborted) {
		const room = capacity - executions.running().length;
		await (room > 0 ? poll(run, room) : leaseNap.sleep());
	}
};

const hear = (run: Run, event: AgentEvent): void => {
	if (event.$case === 'wake') run.leaseNap.wake();
	else if (event.$case === 'cancel') cancelOne(run, event.value);
	else run.draining.abort();
};

/** Without hints work comes later, but it comes: nothing that goes wrong here matters. */
const followHints = async (run: Run): Promise<void> => {
	const {peer, clock, session, ended} = run;
	while (!ended.signal.aborted) {
		try {
			for await (const event of peer.watch(idsOf(session), {signal: ended.signal})) hear(run, event);
		} catch {}
		await clock.sleep(session.current.heartbeat_interval_ms, ended.signal);
	}
};

/** Settles with the work, or after that time, or when the signal aborts. */
const within = async (work: Promise<unknown>, {clock}: Run, limit: Readonly<{ms: number; signal?: AbortSignal}>) => {
	const over = new AbortController();
	const signal = limit.signal ? AbortSignal.any([over.signal, limit.signal]) : over.signal;
	await Promise.race([work, clock.sleep(limit.ms, signal)]);
	over.abort();
};

/** Lets what runs end, ends what does not, and lets the reports reach the server as long as that may be hoped for. */
const windDown = async (run: Run): Promise<void> => {
	const {executions, drainMs, interrupt, draining, givenUp, ended, log} = run;
	await untilAborted(draining.signal);
	const count = executions.running().length;
	log(count === 0 ? 'No new work is taken.' : `No new work is taken; ${count} still running.`);
	await within(executions.done(), run, {ms: drainMs, signal: interrupt});
	executions.interrupt();
	await executions.ended();
	await within(executions.done(), run, {ms: reportMs});
	givenUp.abort();
	await executions.done();
	ended.abort();
};

const leave = async (run: Run): Promise<void> => {
	const given = new AbortController();
	const left = run.peer.deregister(idsOf(run.session), {signal: given.signal}).catch(() => undefined);
	await within(left, run, {ms: leaveMs});
	given.abort();
};

const startRun = (needs: AgentNeeds): Run => {
	const [draining, ended, givenUp] = [new AbortController(), new AbortController(), new AbortController()];
	const leaseNap = createNap(needs.clock);
	const session = {current: {} as RegisterResponse};
	const chunkMaxBytes = (): number => session.current.chunk_max_bytes;
	const executions = createExecutions({...needs, chunkMaxBytes, givenUp: givenUp.signal, settled: leaseNap.wake});
	const stop = (): void => draining.abort();
	draining.signal.addEventListener('abort', leaseNap.wake, {once: true});
	needs.drain.addEventListener('abort', stop, {once: true});
	needs.interrupt.addEventListener('abort', stop, {once: true});
	if (needs.drain.aborted || needs.interrupt.aborted) stop();
	const silence = {since: needs.clock.elapsed(), isTold: false};
	return {...needs, executions, draining, ended, givenUp, leaseNap, session, silence};
};

/** After what no waiting mends: what runs is ended, and its reports are left to the journal. */
const abandon = async (run: Run): Promise<void> => {
	run.draining.abort();
	run.givenUp.abort();
	run.executions.interrupt();
	await run.executions.done();
	run.ended.abort();
};

const work = async (run: Run): Promise<void> => {
	const {draining} = run;
	const leftovers = await run.runner.recover();
	await register(run, draining.signal).catch(unless(draining.signal));
	if (run.session.current.agent_id === undefined) return;
	for (const each of leftovers) run.executions.report(each);
	await Promise.all([keepAlive(run), takeWork(run).catch(unless(draining.signal)), followHints(run), windDown(run)]);
	await leave(run);
};

/**
 * Works for a server until it is told to drain: registers, takes what the server has for it within its capacity, runs each
 * attempt once, brings output and results back, and says every few seconds that it lives and what it runs. It follows the
 * numbers that the server sends. What passes (a server that restarts, a lost connection) is waited out; what cannot be
 * reported stays in the journal for the next agent.
 * @throws RpcError for what does not pass, like a key that is no longer valid; what runs has been ended then.
 */
export const runAgent = async (needs: AgentNeeds): Promise<void> => {
	const run = startRun(needs);
	try {
		await work(run);
	} catch (error) {
		await abandon(run);
		throw error;
	}
};
