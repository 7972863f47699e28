import test, {type ExecutionContext} from 'ava';
import {type Body, bearer, createApi, registerPerson} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

const path = '/v1/cron-jobs';
const unknownId = '01890000-0000-7000-8000-000000000000';
const minimal = {name: 'Back up', schedule: '0 3 * * *', command: './backup.sh'};

const start = async (t: ExecutionContext, env: Record<string, string> = {}) => {
	const server = await startTestServer({env});
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	const [mine, theirs] = [me.api, other.api];
	const made = async (fields: Body = {}): Promise<Body> => {
		const {status, body, text} = await mine.post(path, {...minimal, ...fields});
		t.is(status, 201, text);
		return body;
	};
	const signedInAgain = async () => {
		const {email, password} = me;
		return api.with(bearer((await api.post('/v1/auth/login', {email, password})).body.access_token));
	};
	return {server, api, mine, theirs, made, signedInAgain};
};

const executionsOf = async (mine: Body, {id}: Body) => (await mine.get(`/v1/cron-executions?job_id=${id}`)).body.data;

test('[JOB-001 JOB-003 JOB-005] name, schedule and command make a job with every field; it has not run yet', async (t) => {
	const {made} = await start(t);
	const job = await made();
	const fields =
		'id name schedule schedule_cron command working_dir timeout_seconds retry_config notification_config environment tags agent_id agent_name is_enabled last_run_at next_run_at';
	for (const field of fields.split(' ')) t.true(field in job, field);
	t.like(job, {...minimal, schedule_cron: '0 3 * * *', last_run_at: null, agent_id: null, agent_name: null});
});

test('[JOB-014 JOB-093 JOB-144] defaults: 300 seconds, forbid, enabled, UTC; next_run_at is null while disabled', async (t) => {
	const {made} = await start(t);
	const job = await made();
	t.like(job, {timeout_seconds: 300, concurrency: 'forbid', is_enabled: true, timezone: 'UTC'});
	t.deepEqual(job.retry_config, {max_retries: 0, intervals: [30, 60, 300]});
	t.regex(job.next_run_at, /T03:00:00\.000Z$/);
	t.like(await made({is_enabled: false}), {is_enabled: false, next_run_at: null});
});

test('[JOB-012 JOB-011 JOB-080] words and expressions are echoed as sent, and answered as a canonical expression', async (t) => {
	const {made} = await start(t);
	t.like(await made({schedule: 'Every weekday at 9am'}), {
		schedule: 'Every weekday at 9am',
		schedule_cron: '0 9 * * 1-5',
	});
	t.like(await made({schedule: '0 9 * * MON-FRI'}), {schedule: '0 9 * * MON-FRI', schedule_cron: '0 9 * * 1-5'});
});

test('[JOB-013 JOB-083] everything that a job is made of is echoed', async (t) => {
	const {made} = await start(t);
	const fields = {
		timezone: 'Europe/Berlin',
		concurrency: 'replace',
		working_dir: '/srv',
		timeout_seconds: 3600,
		retry_config: {max_retries: 2, intervals: [5]},
		notification_config: {on_failure: {enabled: true}, on_success: {enabled: false}},
		environment: {STAGE: 'live', TOKEN: '{{env.TOKEN}}'},
		tags: ['backup', 'nightly'],
	};
	t.like(await made(fields), fields);
	t.is((await made()).timezone, 'UTC');
});

test('[JOB-006 JOB-007 JOB-008] name, schedule and command are required', async (t) => {
	const {mine} = await start(t);
	for (const field of ['name', 'schedule', 'command'] as const) {
		const {[field]: _left, ...body} = minimal;
		const reply = await mine.post(path, body);
		t.is(reply.status, 400);
		t.is(reply.body.error.details[0].path, field);
	}
});

const refusals: readonly (readonly [string, Body])[] = [
	['schedule', {schedule: 'every now and then'}],
	['schedule', {schedule: '0 0 31 2 *'}],
	['schedule', {schedule: '* * * * * *'}],
	['name', {name: 7}],
	['tags', {tags: 'backup'}],
	['environment', {environment: ['A']}],
	['timezone', {timezone: 'Europe/Atlantis'}],
	['timeout_seconds', {timeout_seconds: 3601}],
	['timeout_seconds', {timeout_seconds: 0}],
	['retry_config.max_retries', {retry_config: {max_retries: 11}}],
	['notification_config.on_retry', {notification_config: {on_retry: {enabled: true}}}],
	['agent_id', {agent_id: unknownId}],
	['colour', {colour: 'red'}],
];

test('[JOB-009 JOB-010 JOB-015] what does not hold is 400 and is named, on create and on update; nothing changes', async (t) => {
	const {mine, made} = await start(t);
	const job = await made({timeout_seconds: 3600});
	for (const [field, body] of refusals) {
		for (const reply of [await mine.post(path, {...minimal, ...body}), await mine.put(`${path}/${job.id}`, body)]) {
			t.is(reply.status, 400, JSON.stringify(body));
			t.is(reply.body.error.details[0].path, field);
		}
	}
	t.deepEqual((await mine.get(path)).body.data, [job]);
});

test('[JOB-140 JOB-141 JOB-142] long commands, long values and many variables are 400', async (t) => {
	const {mine, made} = await start(t);
	const kib = (count: number) => 'x'.repeat(count * 1024);
	const many = (count: number) => Object.fromEntries(Array.from({length: count}, (_, index) => [`V${index}`, '']));
	await made({command: kib(64), environment: {...many(99), V: kib(32)}});
	for (const body of [{command: kib(65)}, {environment: {V: kib(33)}}, {environment: many(101)}])
		t.is((await mine.post(path, {...minimal, ...body})).status, 400);
});

test('[JOB-143 JOB-128 JOB-135] NUL, 11 retries and unknown notices are 400', async (t) => {
	const {mine} = await start(t);
	for (const body of [
		{command: 'a\0b'},
		{environment: {A: 'a\0b'}},
		{retry_config: {max_retries: 11}},
		{notification_config: {on_failure: {enabled: true, colour: 'red'}}},
	])
		t.is((await mine.post(path, {...minimal, ...body})).status, 400);
});

test('[JOB-017] one job more than the plan has is 403', async (t) => {
	const {mine, made} = await start(t, {SIGNALBOX_DEFAULT_PLAN: 'free'});
	for (let count = 0; count < 5; count += 1) await made();
	const reply = await mine.post(path, minimal);
	t.is(reply.status, 403);
	t.is(reply.body.error.code, 'plan_limit_reached');
});

test("[JOB-018 JOB-019 JOB-021] the list holds the caller's own jobs, newest first, 20 at a time", async (t) => {
	const {mine, theirs, made} = await start(t);
	await theirs.post(path, minimal);
	const ids: string[] = [];
	for (let count = 0; count < 21; count += 1) ids.unshift((await made()).id);
	const {body} = await mine.get(path);
	t.like(body, {total: 21, limit: 20, offset: 0});
	t.deepEqual(
		body.data.map(({id}: Body) => id),
		ids.slice(0, 20),
	);
	t.deepEqual(
		(await mine.get(`${path}?offset=20`)).body.data.map(({id}: Body) => id),
		ids.slice(20),
	);
});

test('[JOB-020 JOB-022 JOB-023] the list takes a limit up to 100, enabled and tag', async (t) => {
	const {mine, made} = await start(t);
	const [on, off] = [await made({tags: ['a', 'b']}), await made({tags: ['b'], is_enabled: false})];
	const ids = async (query: string) => (await mine.get(`${path}?${query}`)).body.data.map(({id}: Body) => id);
	t.deepEqual(await ids('enabled=true'), [on.id]);
	t.deepEqual(await ids('enabled=false'), [off.id]);
	t.deepEqual(await ids('tag=a'), [on.id]);
	t.deepEqual(await ids('tag=b&enabled=false'), [off.id]);
	t.is((await mine.get(`${path}?limit=100`)).status, 200);
	for (const query of ['limit=101', 'enabled=yes', 'colour=red'])
		t.is((await mine.get(`${path}?${query}`)).status, 400);
});

test('[JOB-024 JOB-025] next answers when each enabled job runs, soonest first', async (t) => {
	const {mine, theirs, made} = await start(t);
	await theirs.post(path, minimal);
	await made({is_enabled: false});
	const [yearly, often] = [await made({schedule: '@yearly'}), await made({schedule: 'every hour'})];
	const {body} = await mine.get(`${path}/next`);
	t.deepEqual(body, {
		data: [often, yearly].map(({id, name, next_run_at}) => ({job_id: id, name, next_run_at})),
		...{total: 2, limit: 1000, offset: 0},
	});
	t.is((await mine.get(`${path}/next?limit=1001`)).status, 400);
});

test('[JOB-026 JOB-027 JOB-028] get, change in part, delete for good', async (t) => {
	const {mine, made} = await start(t);
	const job = await made({tags: ['a'], environment: {A: '1'}});
	const url = `${path}/${job.id}`;
	t.deepEqual((await mine.get(url)).body, job);
	const changed = (await mine.put(url, {name: 'Renamed', schedule: 'every hour'})).body;
	t.like(changed, {name: 'Renamed', schedule: 'every hour', schedule_cron: '0 * * * *', command: job.command});
	t.deepEqual([changed.tags, changed.environment], [['a'], {A: '1'}]);
	t.is((await mine.delete(url)).status, 204);
	t.is((await mine.get(url)).status, 404);
});

test('[JOB-030 JOB-031] disabled, no tick runs a job; enabled again, one does', async (t) => {
	const {server, mine, made} = await start(t);
	const job = await made({schedule: 'every minute'});
	const other = await made({schedule: 'every minute', concurrency: 'allow'});
	const disabled = await mine.post(`${path}/${job.id}/disable`);
	t.is(disabled.status, 200);
	t.like(disabled.body, {is_enabled: false, next_run_at: null});
	// A minute may have begun before it was disabled.
	const isLater = ({scheduled_for}: Readonly<{scheduled_for: string}>) => scheduled_for > disabled.body.updated_at;
	server.advance(61_000);
	await until(async () => (await executionsOf(mine, other)).some(isLater), 'the other job runs');
	t.deepEqual((await executionsOf(mine, job)).filter(isLater), []);
	t.like((await mine.post(`${path}/${job.id}/enable`)).body, {is_enabled: true});
	server.advance(61_000);
	const [execution] = await until(async () => {
		const found = await executionsOf(mine, job);
		return found.length > 0 && found;
	}, 'the job runs');
	t.like(execution, {status: 'pending', triggered_by: 'scheduled', attempt: 1});
});

test('[HTTP-010 JOB-032 JOB-033] run answers 201 with a pending manual run, whatever the schedule says, disabled too', async (t) => {
	const {mine, made} = await start(t);
	const {id} = await made({is_enabled: false});
	const reply = await mine.post(`${path}/${id}/run`);
	t.is(reply.status, 201);
	t.like(reply.body, {job_id: id, job_name: minimal.name, status: 'pending', triggered_by: 'manual', retry_of: null});
	t.deepEqual((await mine.get(`/v1/cron-executions/${reply.body.id}`)).body, reply.body);
});

test('[JOB-034 JOB-035] without credentials everything is 401; an unknown job, or one of others, is 404', async (t) => {
	const {api, mine, theirs, made} = await start(t);
	const {id} = await made();
	const calls = (caller: Body, of: string) => [
		caller.get(`${path}/${of}`),
		caller.put(`${path}/${of}`, {name: 'Mine'}),
		caller.delete(`${path}/${of}`),
		...['enable', 'disable', 'run'].map((verb) => caller.post(`${path}/${of}/${verb}`)),
	];
	for (const reply of await Promise.all([...calls(mine, unknownId), ...calls(theirs, id)])) t.is(reply.status, 404);
	const open = [api.get(path), api.post(path, minimal), api.get(`${path}/next`), api.post(`${path}/explain`, {})];
	for (const reply of await Promise.all([...open, ...calls(api, id)])) t.is(reply.status, 401);
	t.is((await mine.get(`${path}/${id}`)).body.name, minimal.name);
});

test('[JOB-088] explain says what a schedule means, and its next five runs, or why it is none', async (t) => {
	const {mine} = await start(t);
	const reply = await mine.post(`${path}/explain`, {schedule: 'every weekday at 9am', timezone: 'Asia/Tokyo'});
	t.is(reply.status, 200);
	t.is(reply.body.schedule_cron, '0 9 * * 1-5');
	t.true(reply.body.description.length > 0);
	t.is(reply.body.next_runs.length, 5);
	for (const run of reply.body.next_runs) t.regex(run, /T00:00:00\.000Z$/);
	const eight = await mine.post(`${path}/explain`, {schedule: '@daily', count: 8});
	t.is(eight.body.next_runs.length, 8);
	t.is((await mine.post(`${path}/explain`, {schedule: '@daily', count: 51})).body.error.details[0].path, 'count');
	const refused = await mine.post(`${path}/explain`, {schedule: 'every 7 minutes'});
	t.is(refused.status, 400);
	t.is(refused.body.error.details[0].path, 'schedule');
});

test('what is being written is checked, and is no mistake as long as it is no schedule yet', async (t) => {
	const {mine} = await start(t);
	const check = (schedule: string, more: object = {}) => mine.post(`${path}/check`, {schedule, ...more});
	const unfinished = await check('every 7 minutes');
	t.is(unfinished.status, 200);
	t.is(unfinished.body.meaning, null);
	t.regex(unfinished.body.problem, /7 does not divide 60/);
	const asked = {schedule: 'every weekday at 9am', timezone: 'Asia/Tokyo', count: 2};
	const {body: meaning} = await mine.post(`${path}/explain`, asked);
	t.deepEqual((await check(asked.schedule, asked)).body, {problem: null, meaning});
	t.is((await check('@daily', {timezone: 'Mars/Olympus'})).body.error.details[0].path, 'timezone');
});

test('[JOB-029 JOB-122 JOB-123] a run is canceled once, retried by a person, and goes with its job', async (t) => {
	const {mine, theirs, made} = await start(t);
	const job = await made({is_enabled: false});
	const {id} = (await mine.post(`${path}/${job.id}/run`)).body;
	const url = `/v1/cron-executions/${id}`;
	t.is((await mine.post(`${url}/retry`)).status, 409);
	t.is((await theirs.post(`${url}/cancel`)).status, 404);
	t.like((await mine.post(`${url}/cancel`)).body, {status: 'canceled'});
	t.is((await mine.post(`${url}/cancel`)).status, 409);
	const retry = await mine.post(`${url}/retry`);
	t.is(retry.status, 201);
	t.like(retry.body, {status: 'pending', triggered_by: 'retry', attempt: 2, retry_of: id});
	t.is((await executionsOf(mine, job)).length, 2);
	await mine.delete(`${path}/${job.id}`);
	for (const gone of [id, retry.body.id]) t.is((await mine.get(`/v1/cron-executions/${gone}`)).status, 404);
});

test('[JOB-104 JOB-119] an execution has every field; the list is 50 at a time, at most 100', async (t) => {
	const {mine, made} = await start(t);
	const {body} = await mine.post(`${path}/${(await made()).id}/run`);
	const fields =
		'id job_id job_name status exit_code duration_ms triggered_by attempt retry_of scheduled_for output error started_at completed_at missed_count truncated';
	t.deepEqual(Object.keys(body).sort(), fields.split(' ').sort());
	t.like((await mine.get('/v1/cron-executions')).body, {total: 1, limit: 50, offset: 0});
	t.is((await mine.get('/v1/cron-executions?limit=101')).status, 400);
	t.deepEqual((await mine.get('/v1/cron-executions?offset=1&limit=100')).body.data, []);
});

test('[JOB-115 JOB-116 JOB-117] executions are listed by job, status and trigger', async (t) => {
	const {mine, made} = await start(t);
	const [one, two] = [await made(), await made()];
	const runs = await Promise.all([one, two].map(async ({id}) => (await mine.post(`${path}/${id}/run`)).body.id));
	await mine.post(`/v1/cron-executions/${runs[1]}/cancel`);
	const ids = async (query: string) =>
		(await mine.get(`/v1/cron-executions?${query}`)).body.data.map(({id}: Body) => id);
	t.deepEqual(await ids(`job_id=${one.id}`), [runs[0]]);
	t.deepEqual(await ids('status=canceled'), [runs[1]]);
	t.deepEqual(await ids('triggered_by=manual&status=pending'), [runs[0]]);
	t.deepEqual(await ids('triggered_by=scheduled'), []);
	for (const query of ['status=done', 'triggered_by=me', 'from=yesterday'])
		t.is((await mine.get(`/v1/cron-executions?${query}`)).status, 400);
});

test('[JOB-118] executions are listed by when they were scheduled for: from, but before to', async (t) => {
	const {mine, made} = await start(t);
	const {id, scheduled_for} = (await mine.post(`${path}/${(await made()).id}/run`)).body;
	const later = new Date(Date.parse(scheduled_for) + 1).toISOString();
	const ids = async (query: string) =>
		(await mine.get(`/v1/cron-executions?${query}`)).body.data.map((run: Body) => run.id);
	t.deepEqual(await ids(`from=${scheduled_for}&to=${later}`), [id]);
	t.deepEqual(await ids(`from=${later}`), []);
	t.deepEqual(await ids(`to=${scheduled_for}`), []);
});

test('[JOB-102] a run that nobody leased in time fails as agent_offline', async (t) => {
	const {server, mine, made, signedInAgain} = await start(t);
	const job = await made({is_enabled: false});
	const {id} = (await mine.post(`${path}/${job.id}/run`)).body;
	server.advance(3_601_000);
	const again = await signedInAgain();
	const run = await until(async () => {
		const {body} = await again.get(`/v1/cron-executions/${id}`);
		return body.status !== 'pending' && body;
	}, 'the run ends');
	t.like(run, {status: 'failed', error: 'agent_offline'});
});
