import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import {unresolvedMessage} from '../values/unresolved-message.ts';
import {announceRun} from './announce-run.ts';
import type {ExecutionSpec} from './model/agent-report.ts';
import type {LeasedExecution} from './model/execution.ts';
import type {CronJobRecord} from './model/job.ts';
import {endingOf} from './rules/execution-ending.ts';
import {executionSpec, type JobValues, jobKeys} from './rules/execution-spec.ts';

export type LeasingNeeds = Pick<Ports, 'signals' | 'ids' | 'secrets' | 'teams' | 'executionLeases'> &
	Pick<Resolver, 'lookUp'>;

export type Leaseholder = Readonly<{user_id: string; agent_id: string; session_id: string; lease_seconds: number}>;

const tokenBytes = 32;

/** A command that cannot be made of a job. The message names keys, never a value. */
class Unresolved extends Error {
	override readonly name = 'Unresolved';
}

/**
 * Leases up to `max` runs as commands that can be run. One whose variables do not resolve fails here, and is not tried again:
 * another one takes its place.
 */
export const leaseSpecs = async (
	needs: LeasingNeeds,
	holder: Leaseholder,
	max: number,
): Promise<readonly ExecutionSpec[]> => {
	const specs: ExecutionSpec[] = [];
	for (;;) {
		const tokens = Array.from({length: max - specs.length}, () => needs.secrets.random(tokenBytes));
		const leased = await needs.executionLeases.lease({...holder, tokens});
		const made = await Promise.all(leased.map((each) => specOrFail(needs, each)));
		specs.push(...made.filter((spec) => spec !== undefined));
		if (made.every((spec) => spec !== undefined)) return specs;
	}
};

const specOrFail = async (needs: LeasingNeeds, leased: LeasedExecution): Promise<ExecutionSpec | undefined> => {
	try {
		return executionSpec(leased, await valuesFor(needs, leased.job));
	} catch (error) {
		if (!(error instanceof Unresolved || error instanceof RangeError)) throw error;
		await fail(needs, leased, error.message);
		return undefined;
	}
};

/** What the job's templates stand for now. @throws Unresolved */
const valuesFor = async (needs: LeasingNeeds, job: CronJobRecord): Promise<JobValues> => {
	const keys = jobKeys(job);
	if (keys.length === 0) return new Map();
	// Whoever left a team runs commands of their own choice, and must not have its variables put into them.
	if ((await needs.teams.get(job.user_id, job.team_id)) === undefined)
		throw new Unresolved(
			`The variables ${keys.join(', ')} are of a team that you are no longer in: save the job again.`,
		);
	const found = await needs.lookUp(job, 'cron', keys);
	const unresolved = [...found.values()].flatMap((each) => ('because' in each ? [unresolvedMessage(each)] : []));
	if (unresolved.length > 0) throw new Unresolved(unresolved.join(' '));
	return new Map([...found].flatMap(([key, each]) => ('value' in each ? [[key, each.value] as const] : [])));
};

const fail = async (needs: LeasingNeeds, leased: LeasedExecution, error: string): Promise<void> => {
	const {execution, job, lease_token} = leased;
	const result = {status: 'failed', exit_code: null, duration_ms: null, error, truncated: false} as const;
	const ending = endingOf(execution, job, {result, never_began: 'unresolved_template', retry_id: needs.ids.next()});
	const hold = {execution_id: execution.id, lease_token};
	if (await needs.executionLeases.finish(execution.user_id, hold, ending))
		announceRun(needs, {...execution, status: 'failed'});
};
