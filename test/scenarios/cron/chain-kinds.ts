import type {Api, Body} from '../../support/api.ts';

type Does = 'succeed' | 'fail' | 'succeed_in_retry';

/** A chain whose end is known beforehand: whenever a server dies, it ends like that. */
export type ChainKind = Readonly<{
	name: string;
	steps: readonly Readonly<{does: Does; on: 'on_success' | 'on_failure' | 'always'}>[];
	/** Of the execution, and of each step. */
	ends: readonly string[];
	/** How many commands each step starts. */
	commands: readonly number[];
}>;

export const chainKinds: readonly ChainKind[] = [
	{
		name: 'four that succeed',
		steps: [
			{does: 'succeed', on: 'on_success'},
			{does: 'succeed', on: 'on_success'},
			{does: 'succeed', on: 'always'},
			{does: 'succeed', on: 'on_success'},
		],
		ends: ['completed', 'success', 'success', 'success', 'success'],
		commands: [1, 1, 1, 1],
	},
	{
		name: 'a failure that is handled',
		steps: [
			{does: 'succeed', on: 'on_success'},
			{does: 'fail', on: 'on_success'},
			{does: 'succeed', on: 'on_success'},
			{does: 'succeed', on: 'on_failure'},
			{does: 'succeed', on: 'always'},
		],
		ends: ['failed', 'success', 'failed', 'skipped', 'success', 'success'],
		commands: [1, 1, 0, 1, 1],
	},
	{
		name: 'a retry that succeeds',
		steps: [
			{does: 'succeed_in_retry', on: 'on_success'},
			{does: 'succeed', on: 'on_failure'},
			{does: 'succeed', on: 'on_success'},
		],
		ends: ['completed', 'success', 'skipped', 'success'],
		commands: [2, 0, 1],
	},
	{
		name: 'a failure that nothing follows',
		steps: [
			{does: 'fail', on: 'on_success'},
			{does: 'succeed', on: 'on_success'},
		],
		ends: ['failed', 'failed', 'skipped'],
		commands: [1, 0],
	},
];

/** Each puts down that it was started: a line with the tag of the attempt. */
const noting = (command: string): string => `echo "$SIGNALBOX_RUN" >> "$STARTS"; sleep 0.05; ${command}`;

const jobs: Readonly<Record<Does, Body>> = {
	succeed: {command: noting('true')},
	fail: {command: noting('exit 3')},
	succeed_in_retry: {
		command: noting('case "$SIGNALBOX_RUN" in *.1) exit 1;; esac'),
		retry_config: {max_retries: 1, intervals: [1]},
	},
};

const create = async (api: Api, path: string, body: Body): Promise<Body> => {
	const made = await api.post(path, body);
	if (made.status !== 201) throw new Error(made.text);
	return made.body;
};

/** Adds a chain of each kind. @param starts the file that their commands write to. @returns the ids of the chains. */
export const makeChains = async (api: Api, starts: string): Promise<readonly string[]> => {
	const ids = new Map<string, string>();
	for (const [name, settings] of Object.entries(jobs)) {
		const common = {name, schedule: '@yearly', is_enabled: false, environment: {STARTS: starts}};
		ids.set(name, (await create(api, '/v1/cron-jobs', {...common, ...settings})).id);
	}
	const chains = chainKinds.map(({name, steps}) => ({
		...{name, trigger_type: 'manual'},
		steps: steps.map(({does, on}, step_order) => ({step_order, cron_job_id: ids.get(does), condition_type: on})),
	}));
	return Promise.all(chains.map(async (chain) => (await create(api, '/v1/cron/chains', chain)).id));
};
