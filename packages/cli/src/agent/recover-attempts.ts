import {type AttemptResult, attemptName} from './attempt.ts';
import type {Journal, JournalEntry} from './journal.ts';
import {isStillAlive, readBootId} from './processes.ts';
import {stopProcesses} from './stop-processes.ts';

/** An attempt of an agent that died, with how it ended. */
export type RecoveredAttempt = Pick<JournalEntry, 'execution_id' | 'attempt' | 'lease_token'> &
	Readonly<{result: AttemptResult}>;

const restarted: AttemptResult = {
	outcome: 'AGENT_RESTARTED',
	error: 'the agent was restarted while the command ran; what was left of it was ended',
	duration_ms: 0,
	stdout_bytes: 0,
	stderr_bytes: 0,
	truncated: false,
};

/** What of its output had not reached the server has died with the agent. */
const withoutOutput = (result: AttemptResult): AttemptResult => ({
	...result,
	truncated: result.truncated || result.stdout_bytes + result.stderr_bytes > 0,
});

const endOrphans = async ({leader, kill_grace_ms, ...key}: JournalEntry): Promise<void> => {
	const group = leader !== undefined && (await isStillAlive(leader)) ? leader.pid : undefined;
	await stopProcesses({...(group !== undefined && {group}), tag: attemptName(key), grace_ms: kill_grace_ms});
};

/** What lived before the machine started anew has ended; a living agent looks after its own. */
const isAbandoned = async ({agent, boot_id}: JournalEntry, current: string | undefined): Promise<boolean> =>
	boot_id !== current || !(await isStillAlive(agent));

/**
 * Finds the attempts of agents that died, and ends what still runs of them: the group whose leader has the start time that the
 * journal knows, and every process with the attempt's tag. Where processes have no start times (not Linux) nothing is ended.
 */
export const recoverAttempts = async (journal: Journal): Promise<readonly RecoveredAttempt[]> => {
	const bootId = await readBootId();
	const recover = async (entry: JournalEntry): Promise<RecoveredAttempt | undefined> => {
		if (!(await isAbandoned(entry, bootId))) return undefined;
		const {execution_id, attempt, lease_token} = entry;
		const result = entry.result === undefined ? restarted : withoutOutput(entry.result);
		if (entry.result === undefined && entry.boot_id === bootId) await endOrphans(entry);
		await journal.settle(entry, result);
		return {execution_id, attempt, lease_token, result};
	};
	return (await Promise.all((await journal.takeOver()).map(recover))).filter((each) => each !== undefined);
};
