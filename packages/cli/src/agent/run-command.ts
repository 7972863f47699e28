import {setTimeout as pause} from 'node:timers/promises';
import {
	AlreadyStartedError,
	type AttemptKey,
	type AttemptResult,
	type AttemptSpec,
	attemptName,
	defaultDrainMs,
	defaultKillGraceMs,
	type OutputSink,
	type OutputStream,
	tagName,
	WithdrawnError,
} from './attempt.ts';
import {type Capture, captureOutput, type OutputLimits} from './capture-output.ts';
import {enforcePolicy, type HostPolicy} from './host-policy.ts';
import {type Journal, type JournalEntry, openJournal} from './journal.ts';
import {maskText} from './mask-secrets.ts';
import {closeOutput, type OutputPipes} from './output-pipes.ts';
import {sendSignal} from './processes.ts';
import {type RecoveredAttempt, recoverAttempts} from './recover-attempts.ts';
import {findWorkingDir, type StartedProcess, startProcess} from './start-process.ts';
import {stopProcesses} from './stop-processes.ts';
import {untilAborted} from './until-aborted.ts';

const longestTimerMs = 2 ** 31 - 1;

export type CommandRunnerNeeds = Readonly<{
	/** Absolute path of a folder that only the agent's account can change; made if need be. */
	stateFolder: string;
	/** What commands inherit: see `accountEnvironment`. */
	environment: Readonly<Record<string, string>>;
	policy: HostPolicy;
	/** Milliseconds to go on reading output that somebody holds open after the command's exit. Default 5000. */
	drainMs?: number;
	/** Default: the first 256 KiB and the last 768 KiB of each stream. */
	limits?: OutputLimits;
}>;

/** An attempt that was taken. */
export type RunningCommand = Readonly<{
	/**
	 * How it ended, once its output has been passed on. Whatever keeps it from starting is a result too (`SPAWN_ERROR`).
	 * @throws AlreadyStartedError when this host runs, or ran, the attempt and has not forgotten it.
	 * @throws WithdrawnError when the barrier did not let it run: the host has forgotten it.
	 */
	result: Promise<AttemptResult>;
	/** Ends it: TERM to its group, KILL after that many milliseconds (default: as in its spec). Nothing when it has ended. */
	cancel(grace_ms?: number): void;
}>;

/**
 * Asked once the host is ready; the command runs only after it said true. One that throws keeps the command from running as
 * well, and leaves it in the journal. Its signal aborts when the attempt is canceled.
 */
export type Barrier = (signal: AbortSignal) => Promise<boolean>;

/** Runs the attempts of one host. */
export type CommandRunner = Readonly<{
	/** Without a barrier the command runs at once. */
	start(spec: AttemptSpec, sink: OutputSink, barrier?: Barrier): RunningCommand;
	/**
	 * Ends what an agent that died has left, and says how its attempts ended: `AGENT_RESTARTED`, or the result that it had no
	 * time to report. To be called once, before the first start. What a living agent runs in the same folder is left alone.
	 */
	recover(): Promise<readonly RecoveredAttempt[]>;
	/** To be called once the server has taken the report of an attempt. */
	forget(key: AttemptKey): Promise<void>;
}>;

/** Why and how an attempt is ended before it ends by itself. */
type Stop = Readonly<{outcome: 'TIMED_OUT' | 'CANCELED'; grace_ms: number}>;

/** Everything that one attempt is about; `stop` is aborted with a `Stop`. */
type Attempt = CommandRunnerNeeds &
	Readonly<{journal: Journal; spec: AttemptSpec; sink: OutputSink; barrier: Barrier; stop: AbortController}>;

const graceOf = ({kill_grace_ms = defaultKillGraceMs}: AttemptSpec): number => kill_grace_ms;

const environmentOf = ({environment, spec}: Attempt): Readonly<Record<string, string>> => ({
	...environment,
	...spec.environment,
	[tagName]: attemptName(spec),
});

/** Starts the shell, which waits until the journal knows it. */
const prepare = async (attempt: Attempt, entry: JournalEntry): Promise<StartedProcess> => {
	const {spec, policy, journal, environment} = attempt;
	const working_dir = await findWorkingDir(spec.working_dir || environment.HOME || '/');
	enforcePolicy(policy, {...spec, real_working_dir: working_dir});
	const started = await startProcess({
		command: spec.command,
		script: journal.scriptOf(spec),
		working_dir,
		environment: environmentOf(attempt),
	});
	try {
		await journal.lead(entry, started.pid);
		return started;
	} catch (error) {
		sendSignal(-started.pid, 'SIGKILL');
		closeOutput(started.output);
		throw error;
	}
};

/** Reads both streams from now on. */
const captureBoth = ({output}: StartedProcess, {spec, sink, limits}: Attempt) => {
	const capture = (stream: OutputStream): Capture => {
		const captured = captureOutput({mask: spec.mask, ...(limits && {limits}), pass: (bytes) => sink(stream, bytes)});
		output[stream].read(captured.push);
		return captured;
	};
	return {stdout: capture('stdout'), stderr: capture('stderr')};
};

/** Waits until nobody holds the output open, or for so long, and lets go of it. */
const drain = async ({stdout, stderr}: OutputPipes, ms: number): Promise<void> => {
	const enough = new AbortController();
	await Promise.race([Promise.all([stdout.closed, stderr.closed]), pause(ms, undefined, {signal: enough.signal})]);
	enough.abort();
	closeOutput({stdout, stderr});
};

/** Settles at the exit of the shell; when it was told to stop, once everything that it started has ended as well. */
const awaitEnd = async ({exited, pid}: StartedProcess, {spec, stop}: Attempt) => {
	const exit = await Promise.race([exited, untilAborted(stop.signal)]);
	if (exit !== undefined) return {exit};
	const {outcome, grace_ms}: Stop = stop.signal.reason;
	await stopProcesses({group: pid, tag: attemptName(spec), grace_ms});
	return {exit: await exited, outcome};
};

/** Lets the shell run the command, unless it was canceled meanwhile. @returns how it ended, and after how long. */
const runToEnd = async (started: StartedProcess, attempt: Attempt) => {
	const {spec, stop} = attempt;
	const startedAt = performance.now();
	if (!stop.signal.aborted) started.release();
	const timeOut = (): void => stop.abort({outcome: 'TIMED_OUT', grace_ms: graceOf(spec)} satisfies Stop);
	const timer = setTimeout(timeOut, Math.min(spec.timeout_ms, longestTimerMs));
	const {exit, outcome} = await awaitEnd(started, attempt);
	clearTimeout(timer);
	return {
		outcome: outcome ?? (exit.signal === null ? ('EXITED' as const) : ('SIGNALED' as const)),
		...(exit.code !== null && {exit_code: exit.code}),
		...(exit.signal !== null && {signal: exit.signal}),
		duration_ms: Math.round(performance.now() - startedAt),
	};
};

const follow = async (started: StartedProcess, attempt: Attempt): Promise<AttemptResult> => {
	const captures = captureBoth(started, attempt);
	const end = await runToEnd(started, attempt);
	await drain(started.output, attempt.drainMs ?? defaultDrainMs);
	const [stdout, stderr] = [captures.stdout.end(), captures.stderr.end()];
	return {
		...end,
		stdout_bytes: stdout.bytes,
		stderr_bytes: stderr.bytes,
		truncated: stdout.truncated || stderr.truncated,
	};
};

const spawnError = (error: unknown, {mask}: AttemptSpec): AttemptResult => ({
	outcome: 'SPAWN_ERROR',
	error: maskText((error as Error).message, mask),
	duration_ms: 0,
	stdout_bytes: 0,
	stderr_bytes: 0,
	truncated: false,
});

/** Ends the shell that waits to run the command. */
const endWaiting = async ({pid, exited, output}: StartedProcess): Promise<void> => {
	sendSignal(-pid, 'SIGKILL');
	await exited;
	closeOutput(output);
};

/** One that is canceled meanwhile passes, to be ended as such. */
const passBarrier = async (started: StartedProcess, {barrier, stop, journal, spec}: Attempt): Promise<void> => {
	try {
		if ((await barrier(stop.signal)) || stop.signal.aborted) return;
	} catch (error) {
		if (stop.signal.aborted) return;
		await endWaiting(started);
		throw error;
	}
	await endWaiting(started);
	await journal.remove(spec);
	throw new WithdrawnError(`${attemptName(spec)}: was not to run`);
};

const startAndFollow = async (started: StartedProcess, attempt: Attempt): Promise<AttemptResult> => {
	await passBarrier(started, attempt);
	return follow(started, attempt);
};

const runAttempt = async (attempt: Attempt): Promise<AttemptResult> => {
	const {journal, spec} = attempt;
	const {execution_id, attempt: number, lease_token} = spec;
	const entry = await journal.begin({execution_id, attempt: number, lease_token, kill_grace_ms: graceOf(spec)});
	const started = await prepare(attempt, entry).catch((error: unknown) => spawnError(error, spec));
	const result = 'outcome' in started ? started : await startAndFollow(started, attempt);
	// A result that a full disk keeps out of the journal is reported all the same.
	await journal.settle(entry, result).catch(() => undefined);
	return result;
};

/**
 * Runs commands of a server on this host, each attempt once: a journal in the state folder knows it before its command runs,
 * until `forget`.
 * @throws Error when others could change the state folder.
 */
export const createCommandRunner = async (needs: CommandRunnerNeeds): Promise<CommandRunner> => {
	const journal = await openJournal(needs.stateFolder);
	return {
		start: (spec, sink, barrier = async () => true) => {
			const stop = new AbortController();
			return {
				result: runAttempt({...needs, journal, spec, sink, barrier, stop}).catch((error: unknown) => {
					if (error instanceof AlreadyStartedError || error instanceof WithdrawnError) throw error;
					return spawnError(error, spec);
				}),
				cancel: (grace_ms = graceOf(spec)) => stop.abort({outcome: 'CANCELED', grace_ms} satisfies Stop),
			};
		},
		recover: () => recoverAttempts(journal),
		forget: journal.remove,
	};
};
