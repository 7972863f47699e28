import {millisecondsBetween} from '../../values/instant.ts';
import {fillTemplate, limitFilling, referencesIn} from '../../values/template.ts';
import type {ExecutionSpec} from '../model/agent-report.ts';
import type {LeasedExecution} from '../model/execution.ts';
import type {CronJobRecord} from '../model/job.ts';

/** What each key of a job's templates stands for now. */
export type JobValues = ReadonlyMap<string, string>;

/** Shorter ones would mask what has nothing to do with them. Characters. */
const shortestMasked = 6;

const killGraceMilliseconds = 10_000;

type Templates = Pick<CronJobRecord, 'command' | 'working_dir' | 'environment'>;

/** The keys that a job refers to, each once. */
export const jobKeys = ({command, working_dir, environment}: Templates): readonly string[] => [
	...new Set([command, working_dir, ...Object.values(environment)].flatMap(referencesIn)),
];

const tooLong = () => new RangeError('The command is longer than 1 MiB once its variables are in it.');

const createFill = (values: JobValues): ((text: string) => string) => {
	// More than that, no system starts.
	const limited = limitFilling(tooLong);
	return (text) => fillTemplate(text, (key) => limited(key, values.get(key) ?? ''));
};

/** Its id alone: nothing that a sender wrote reaches a command. */
const eventVariable = ({step}: LeasedExecution): Readonly<Record<string, string>> =>
	typeof step?.event_id === 'string' ? {SIGNALBOX_EVENT_ID: step.event_id} : {};

/** What the job allows, or what is left of its step. Milliseconds, at least one. */
const timeoutOf = ({job, step, leased_at}: LeasedExecution): number => {
	const ofJob = job.timeout_seconds * 1000;
	return step === null ? ofJob : Math.max(1, Math.min(ofJob, millisecondsBetween(leased_at, step.deadline_at)));
};

/**
 * What an agent is to run. @param values of every key of `jobKeys`.
 * @throws RangeError when it becomes too long.
 */
export const executionSpec = (leased: LeasedExecution, values: JobValues): ExecutionSpec => {
	const {execution, job, lease_token} = leased;
	const fill = createFill(values);
	const {id: execution_id, job_id, job_name, attempt, scheduled_for, triggered_by} = execution;
	return {
		...{execution_id, job_id, job_name, attempt, lease_token, scheduled_for, triggered_by},
		command: fill(job.command),
		working_dir: fill(job.working_dir),
		environment: {
			...Object.fromEntries(Object.entries(job.environment).map(([name, text]) => [name, fill(text)])),
			...eventVariable(leased),
		},
		timeout_ms: timeoutOf(leased),
		kill_grace_ms: killGraceMilliseconds,
		mask: [...new Set(values.values())].filter((value) => value.length >= shortestMasked),
	};
};
