import type {Body} from '../../support/api.ts';
import type {MortalJob} from './mortal-jobs.ts';

/** What is wrong between what commands did and what the server knows of their runs. Empty: nothing. */
export type Faults = Readonly<{
	/** Runs that have not ended. */
	stuck: readonly string[];
	/** Attempts whose command was started more than once. */
	repeated: readonly string[];
	/** Starts of attempts that the server had not let start. */
	unknown: readonly string[];
	/** Runs that ended otherwise than their command ends, and not as `agent_lost`. */
	astray: readonly string[];
	/** Runs with the end of a command that was never started. */
	invented: readonly string[];
	/** Ended attempts that are followed by another number of retries than they should. */
	unfollowed: readonly string[];
	/** Successes whose output is not what the command prints, or its beginning where the run says that some is missing. */
	garbled: readonly string[];
	/** Attempts of agents that were killed which still ran after the next agent had registered, or at the end. */
	survivors: readonly string[];
	/** What was left in the state folder beside the agent's id. */
	left: readonly string[];
}>;

export const noFaults: Faults = {
	...{stuck: [], repeated: [], unknown: [], astray: [], invented: [], unfollowed: [], garbled: []},
	...{survivors: [], left: []},
};

export type Evidence = Readonly<{
	/** All runs, with their whole output. */
	executions: readonly Body[];
	jobs: ReadonlyMap<string, MortalJob>;
	/** Tags, one for each start of a command. */
	starts: readonly string[];
	survivors: readonly string[];
	left: readonly string[];
}>;

const isFinal = ({completed_at}: Body): boolean => completed_at !== null;
const isLost = ({error}: Body): boolean => error === 'agent_lost';

const idsWhere = (executions: readonly Body[], is: (execution: Body) => boolean): readonly string[] =>
	executions.filter(is).map(({id, status, error}) => `${id} ${status} ${error ?? ''}`);

const numbers = Array.from({length: 20_000}, (_, index) => `${index + 1}\n`).join('');

const printedBy = ({command}: MortalJob): string => `begun\n${command.includes('seq') ? numbers : ''}done\n`;

const isPrintedBy = (job: MortalJob, {output, truncated}: Body): boolean =>
	truncated ? printedBy(job).startsWith(output) : output === printedBy(job);

const attemptsOf = ({settings}: MortalJob): number => 1 + (settings.retry_config?.max_retries ?? 0);

export const auditKills = ({executions, jobs, starts, survivors, left}: Evidence): Faults => {
	const jobOf = ({job_id}: Body): MortalJob => jobs.get(job_id) as MortalJob;
	const startsOf = Map.groupBy(starts, (tag) => tag);
	const tagOf = ({id, attempt}: Body): string => `${id}.${attempt}`;
	const mayStart = new Set(executions.filter(({started_at}) => started_at !== null).map(tagOf));
	const retriesOf = Map.groupBy(executions, ({retry_of}) => retry_of);
	const expectedRetries = (run: Body): number =>
		run.status !== 'success' && run.attempt < attemptsOf(jobOf(run)) ? 1 : 0;
	return {
		stuck: idsWhere(executions, (run) => !isFinal(run)),
		repeated: [...startsOf].filter(([, lines]) => lines.length > 1).map(([tag]) => tag),
		unknown: [...startsOf.keys()].filter((tag) => !mayStart.has(tag)),
		astray: idsWhere(executions, (run) => isFinal(run) && !isLost(run) && run.status !== jobOf(run).ends),
		invented: idsWhere(executions, (run) => isFinal(run) && !isLost(run) && !startsOf.has(tagOf(run))),
		unfollowed: idsWhere(executions, (run) => (retriesOf.get(run.id)?.length ?? 0) !== expectedRetries(run)),
		garbled: idsWhere(executions, (run) => run.status === 'success' && !isPrintedBy(jobOf(run), run)),
		survivors,
		left,
	};
};
