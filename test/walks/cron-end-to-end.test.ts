import {mkdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startAgentHost} from '../support/agent-process.ts';
import type {Api, Body} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';

const runOnce = async (t: ExecutionContext, mine: Api, fields: Body): Promise<Body> => {
	const minimal = {name: 'Job', schedule: '@yearly', is_enabled: false};
	const job = await mine.post('/v1/cron-jobs', {...minimal, ...fields});
	t.is(job.status, 201, job.text);
	return (await mine.post(`/v1/cron-jobs/${job.body.id}/run`)).body;
};

const whenEnded = (mine: Api, id: string): Promise<Body> =>
	until(async () => {
		const {body} = await mine.get(`/v1/cron-executions/${id}`);
		return body.completed_at !== null && body;
	}, 'the run ends');

test('[JOB-036 JOB-040 JOB-041] a command runs on the host of the agent, in its folder, with its variables', async (t) => {
	const {mine, folder} = await startAgentHost(t);
	const working_dir = join(folder, 'work');
	await mkdir(working_dir);
	await mine.post('/v1/environment', {key: 'TOKEN', value: 'a long secret'});
	const {id} = await runOnce(t, mine, {
		command: 'pwd; echo "$GREETING"; echo "token: $TOKEN" >&2; exit 3',
		environment: {GREETING: 'grüße; $(id)', TOKEN: '{{env.TOKEN}}'},
		working_dir,
	});
	const run = await whenEnded(mine, id);
	t.like(run, {status: 'failed', exit_code: 3, triggered_by: 'manual', truncated: false});
	t.true(run.output.includes(`${working_dir}\n`));
	t.true(run.output.includes('grüße; $(id)\n'));
	t.false(run.output.includes('a long secret'));
});

test('[JOB-039 JOB-108] a command that takes longer than its timeout is ended', async (t) => {
	const {mine} = await startAgentHost(t);
	const {id} = await runOnce(t, mine, {command: 'echo begun; exec sleep 600', timeout_seconds: 1});
	t.like(await whenEnded(mine, id), {status: 'timeout', output: 'begun\n', exit_code: null});
});

test('[JOB-109] a command that runs is killed when a person cancels its run', async (t) => {
	const {mine, folder} = await startAgentHost(t);
	const left = join(folder, 'left');
	const command = `trap 'echo ended > "${left}"; exit' TERM; echo begun; while :; do sleep 0.1; done`;
	const {id} = await runOnce(t, mine, {command});
	await until(async () => (await mine.get(`/v1/cron-executions/${id}`)).body.output === 'begun\n', 'it has begun');
	t.is((await mine.post(`/v1/cron-executions/${id}/cancel`)).body.status, 'canceled');
	await until(() => realpath(left).catch(() => undefined), 'the command is told to end');
	t.is((await mine.get(`/v1/cron-executions/${id}`)).body.status, 'canceled');
});

test('what is due by its schedule reaches the host without anybody asking for it', async (t) => {
	const {server, mine} = await startAgentHost(t);
	await until(async () => (await mine.get('/v1/agents')).body.data.length === 1, 'the agent registers');
	await mine.post('/v1/cron-jobs', {name: 'Tick', schedule: 'every minute', command: 'echo tick'});
	server.advance(61_000);
	const run = await until(async () => {
		const [newest] = (await mine.get('/v1/cron-executions')).body.data;
		return newest?.status === 'success' && newest;
	}, 'the tick runs');
	t.like(run, {triggered_by: 'scheduled', output: 'tick\n', exit_code: 0});
});
