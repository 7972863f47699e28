/** Names one attempt of an execution. The same two never run twice on a host. */
export type AttemptKey = Readonly<{execution_id: string; attempt: number}>;

/** What to run, as the server resolved it. */
export type AttemptSpec = AttemptKey &
	Readonly<{
		/** Proves to the server who reports the result; kept in the journal for reports after a restart. */
		lease_token: string;
		/** Text of a script for `sh`. */
		command: string;
		/** Empty: the home folder of the agent's account. */
		working_dir: string;
		environment: Readonly<Record<string, string>>;
		/** Milliseconds from the start of the command until it is stopped. */
		timeout_ms: number;
		/** Milliseconds between TERM and KILL when it is stopped. Default 10,000. */
		kill_grace_ms?: number;
		/** Secret values that must not stand in the output. */
		mask: readonly string[];
	}>;

export type Outcome = 'EXITED' | 'SIGNALED' | 'TIMED_OUT' | 'CANCELED' | 'SPAWN_ERROR' | 'AGENT_RESTARTED';

/** Milliseconds between TERM and KILL where nobody says otherwise. */
export const defaultKillGraceMs = 10_000;

/** Milliseconds to go on reading output that somebody holds open after the exit of the command. */
export const defaultDrainMs = 5000;

/** How an attempt ended. */
export type AttemptResult = Readonly<{
	outcome: Outcome;
	/** Of `sh`; also of one that ended by itself after it was told to stop. */
	exit_code?: number;
	/** Which signal ended `sh`, like `SIGKILL`. */
	signal?: string;
	/** Why it did not start, or what is unknown about it; for people, without secrets. */
	error?: string;
	/** Milliseconds from the start of the command to its exit; 0 when it did not start. */
	duration_ms: number;
	/** Bytes that the command printed, also those that were left out. */
	stdout_bytes: number;
	stderr_bytes: number;
	/** Whether output was left out. */
	truncated: boolean;
}>;

export type OutputStream = 'stdout' | 'stderr';

/**
 * Takes output as valid UTF-8, whole characters at a time, secrets masked: at most 1 MiB of each stream and a line about
 * what was left out. Must not throw.
 */
export type OutputSink = (stream: OutputStream, bytes: Uint8Array) => void;

/** A host or its policy does not let an attempt run. The message is for people. */
export class CannotStartError extends Error {}

/** The attempt is, or was, run by this host: there is nothing to report of a second start. */
export class AlreadyStartedError extends Error {}

/** The attempt was prepared, and was not to run: nothing of it ran, and the host has forgotten it. */
export class WithdrawnError extends Error {}

/** What every process of an attempt has in its environment, so that it is found wherever it went. */
export const tagName = 'SIGNALBOX_RUN';

const safeId = /^[A-Za-z0-9-]{1,64}$/;

/**
 * The name of an attempt in files and tags.
 * @throws CannotStartError for an id that is no id: it comes from the server and becomes a part of a path.
 */
export const attemptName = ({execution_id, attempt}: AttemptKey): string => {
	if (!safeId.test(execution_id) || !Number.isSafeInteger(attempt) || attempt < 0)
		throw new CannotStartError('execution_id and attempt: not an id and a whole number');
	return `${execution_id}.${attempt}`;
};
