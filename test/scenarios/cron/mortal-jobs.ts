import type {Api, Body} from '../../support/api.ts';

/** What a job does, beside putting down that it was started, and how its run may end where nobody dies. */
export type MortalJob = Readonly<{command: string; settings: Body; ends: 'success' | 'failed' | 'timeout'}>;

/** Every start is a line with the tag of the attempt. */
const noting = (command: string): string => `echo "$SIGNALBOX_RUN" >> "$STARTS"; echo begun; ${command}`;

const retry_config = {max_retries: 2, intervals: [1]};
const napping = (random: () => number): string => `sleep ${(random() * 1.5).toFixed(2)}`;

/** A process that leaves the group of the command, and ends by itself in no time that a test takes. */
const escaping = 'setsid sleep 3600 & exec sleep 3600';

const kinds: readonly ((random: () => number) => MortalJob)[] = [
	(random) => ({command: `${napping(random)}; echo done`, settings: {}, ends: 'success'}),
	(random) => ({command: `${napping(random)}; echo done`, settings: {retry_config}, ends: 'success'}),
	(random) => ({command: `${napping(random)}; exit 3`, settings: {retry_config}, ends: 'failed'}),
	() => ({command: 'echo done', settings: {retry_config}, ends: 'success'}),
	() => ({command: 'seq 1 20000; echo done', settings: {}, ends: 'success'}),
	() => ({
		command: escaping,
		settings: {timeout_seconds: 1, retry_config: {...retry_config, max_retries: 1}},
		ends: 'timeout',
	}),
];

/** Jobs of every kind that only run when asked for, and how each may end, by their id. */
export const makeJobs = async (
	api: Api,
	{starts, random, count}: Readonly<{starts: string; random: () => number; count: number}>,
): Promise<ReadonlyMap<string, MortalJob>> => {
	const jobs = new Map<string, MortalJob>();
	for (let number = 0; number < count; number += 1) {
		const job = kinds[number % kinds.length]?.(random);
		if (job === undefined) throw new Error('there are kinds');
		const common = {name: `job ${number}`, schedule: '@yearly', is_enabled: false, environment: {STARTS: starts}};
		const made = await api.post('/v1/cron-jobs', {...common, ...job.settings, command: noting(job.command)});
		if (made.status !== 201) throw new Error(made.text);
		jobs.set(made.body.id, job);
	}
	return jobs;
};
