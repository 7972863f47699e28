import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {type AgentHost, startAgentHost} from '../support/agent-process.ts';
import type {Api, Body} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';

type Scenario = Readonly<{
	name: string;
	steps: readonly Readonly<{does: string; on?: string; timeout?: number}>[];
	cancel?: number;
	status: string;
	then: readonly string[];
	errors?: readonly (string | null)[];
	end_to_end?: true;
}>;

const folder = new URL('../scenarios/chains/', import.meta.url);
const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
const scenarios: readonly Scenario[] = texts.flatMap((text) => JSON.parse(text));

const retried = {retry_config: {max_retries: 1, intervals: [1]}};

/** What makes a real job do what a scenario says. `marker` is a file of its own. */
const jobs: Readonly<Record<string, (marker: string) => Body>> = {
	succeed: () => ({command: 'true'}),
	succeed_disabled: () => ({command: 'true', is_enabled: false}),
	fail: () => ({command: 'exit 3'}),
	hang: () => ({command: 'exec sleep 600'}),
	cancel_run: () => ({command: 'exec sleep 600'}),
	unresolved: () => ({command: 'echo {{env.NOBODY_SET_IT}}'}),
	job_deleted: () => ({command: 'true'}),
	retry_then_succeed: (marker) => ({...retried, command: `test -e "${marker}" || { touch "${marker}"; exit 1; }`}),
	retry_then_fail: () => ({...retried, command: 'exit 1'}),
};

let made = 0;

const addJob = async ({mine, folder: host}: AgentHost, does: string): Promise<string> => {
	made += 1;
	const settings = jobs[does]?.(join(host, `marker-${made}`));
	if (settings === undefined) throw new Error(`no real job does ${does}: it cannot be walked end to end`);
	const {body} = await mine.post('/v1/cron-jobs', {name: does, schedule: '@yearly', ...settings});
	return body.id;
};

const addChain = async (host: AgentHost, steps: Scenario['steps'], fields: Body = {}): Promise<Body> => {
	const ids = await Promise.all(steps.map(({does}) => addJob(host, does)));
	const body = {
		...{name: 'Chain', trigger_type: 'manual', ...fields},
		steps: steps.map(({on, timeout}, step_order) => ({
			...{cron_job_id: ids[step_order], step_order, condition_type: on, timeout_seconds: timeout},
		})),
	};
	const {status, body: chain, text} = await host.mine.post('/v1/cron/chains', body);
	if (status !== 201) throw new Error(text);
	return chain;
};

const read = async (mine: Api, {id}: Body): Promise<Body> => (await mine.get(`/v1/cron/chain-executions/${id}`)).body;
const readRun = async (mine: Api, id: string): Promise<Body> => (await mine.get(`/v1/cron-executions/${id}`)).body;

/** Waits until the command of that step runs. @returns its run. */
const whenRunning = (mine: Api, execution: Body, order: number): Promise<string> =>
	until(async () => {
		const {steps} = await read(mine, execution);
		const {execution_id} = steps[order];
		return execution_id !== null && (await readRun(mine, execution_id)).status === 'running' && execution_id;
	}, `step ${order} runs`);

const whenOver = (mine: Api, execution: Body): Promise<Body> =>
	until(async () => {
		const now = await read(mine, execution);
		return now.status !== 'running' && now;
	}, 'the chain is over');

const runsOf = async (mine: Api, {steps}: Body): Promise<readonly Body[]> => {
	const ids: string[] = steps.flatMap(({execution_id}: Body) => execution_id ?? []);
	return Promise.all(ids.map((id) => readRun(mine, id)));
};

const walk = async (host: AgentHost, scenario: Scenario): Promise<Body> => {
	const {mine} = host;
	const chain = await addChain(host, scenario.steps);
	for (const [order, {does}] of scenario.steps.entries())
		if (does === 'job_deleted') await mine.delete(`/v1/cron-jobs/${chain.steps[order].cron_job_id}`);
	const execution = (await mine.post(`/v1/cron/chains/${chain.id}/run`)).body;
	const own = scenario.steps.findIndex(({does}) => does === 'cancel_run');
	if (own >= 0) await mine.post(`/v1/cron-executions/${await whenRunning(mine, execution, own)}/cancel`);
	if (scenario.cancel !== undefined) {
		await whenRunning(mine, execution, scenario.cancel);
		await mine.post(`/v1/cron/chain-executions/${execution.id}/cancel`);
	}
	return whenOver(mine, execution);
};

let shared: AgentHost;
const teardowns: (() => unknown)[] = [];

test.before(async () => {
	shared = await startAgentHost({teardown: (end: () => unknown) => void teardowns.unshift(end)});
});

test.after.always(async () => {
	for (const end of teardowns) await end();
});

const walked = scenarios.filter(({end_to_end}) => end_to_end);

for (const scenario of walked) {
	test.serial(`[CHN-054 CHN-081 CHN-082] with a real agent, one after the other: ${scenario.name}`, async (t) => {
		const execution = await walk(shared, scenario);
		const statuses = execution.steps.map((step: Body) => step.status);
		t.deepEqual([execution.status, ...statuses], [scenario.status, ...scenario.then]);
		const errors = execution.steps.map((step: Body) => step.error);
		if (scenario.errors !== undefined) t.deepEqual(errors, [...scenario.errors]);
		const runs = await runsOf(shared.mine, execution);
		for (const {status} of runs) t.false(['pending', 'running'].includes(status));
		const ran = runs.filter(({started_at}) => started_at !== null);
		for (const [index, {started_at}] of ran.slice(1).entries()) t.true(ran[index]?.completed_at <= started_at);
	});
}

test('twelve scenarios and more are walked, with every way to end', (t) => {
	t.true(walked.length >= 12);
	t.deepEqual([...new Set(walked.map(({status}) => status))].sort(), ['canceled', 'completed', 'failed']);
});

test.serial(
	'[CHN-083] a cancel reaches the command that runs within a second, and nothing runs after it',
	async (t) => {
		const host = shared;
		const {mine} = host;
		const [left, never] = [join(host.folder, 'left'), join(host.folder, 'never')];
		const trapped = `trap 'date > "${left}"; exit' TERM; echo begun; while :; do sleep 0.05; done`;
		const commands = [trapped, `touch "${never}"`];
		const jobIds = await Promise.all(
			commands.map(
				async (command) => (await mine.post('/v1/cron-jobs', {name: 'Job', schedule: '@yearly', command})).body.id,
			),
		);
		const steps = jobIds.map((cron_job_id, step_order) => ({cron_job_id, step_order, condition_type: 'always'}));
		const chain = (await mine.post('/v1/cron/chains', {name: 'Chain', trigger_type: 'manual', steps})).body;
		const execution = (await mine.post(`/v1/cron/chains/${chain.id}/run`)).body;
		await until(
			async () => (await readRun(mine, execution.steps[0].execution_id)).output === 'begun\n',
			'the command has begun',
		);
		const canceledAt = performance.now();
		await mine.post(`/v1/cron/chain-executions/${execution.id}/cancel`);
		await until(
			() =>
				readFile(left).then(
					() => true,
					() => false,
				),
			'the command is told to end',
		);
		const took = performance.now() - canceledAt;
		t.log(`${Math.round(took)} ms`);
		t.true(took < 1000, `${took} ms`);
		t.false((await readdir(host.folder)).includes('never'));
		t.like(await read(mine, execution), {status: 'canceled'});
	},
);

test.serial('[CHN-095] a chain that is deleted while it runs has its command ended', async (t) => {
	const host = shared;
	const chain = await addChain(host, [{does: 'hang'}, {does: 'succeed', on: 'always'}]);
	const execution = (await host.mine.post(`/v1/cron/chains/${chain.id}/run`)).body;
	const run = await whenRunning(host.mine, execution, 0);
	t.is((await host.mine.delete(`/v1/cron/chains/${chain.id}`)).status, 204);
	t.is((await readRun(host.mine, run)).status, 'canceled');
	t.is((await host.mine.get(`/v1/cron-executions?job_id=${chain.steps[1].cron_job_id}`)).body.total, 0);
});
