import test, {type ExecutionContext} from 'ava';
import {type Api, type Body, createApi, registerPerson} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

const path = '/v1/cron/chains';
const unknownId = '01890000-0000-7000-8000-000000000000';

const addJob = async (api: Api, name = 'Back up'): Promise<string> =>
	(await api.post('/v1/cron-jobs', {name, schedule: '0 3 * * *', command: './backup.sh', is_enabled: false})).body.id;

const addEndpoint = async (api: Api): Promise<string> =>
	(await api.post('/v1/webhook/endpoints', {name: 'Hook', destination_url: 'https://example.com/hook'})).body.id;

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	const [mine, theirs] = [me.api, other.api];
	const job = await addJob(mine);
	const minimal = {name: 'Nightly', trigger_type: 'manual', steps: [{cron_job_id: job, step_order: 0}]};
	const made = async (fields: Body = {}): Promise<Body> => {
		const {status, body, text} = await mine.post(path, {...minimal, ...fields});
		t.is(status, 201, text);
		return body;
	};
	/** The fields that a refusal names. */
	const refused = async (fields: Body): Promise<readonly string[]> => {
		const {status, body, text} = await mine.post(path, {...minimal, ...fields});
		t.is(status, 400, text);
		return body.error.details.map((detail: Body) => detail.path);
	};
	const signedInAgain = async () => {
		const {access_token} = (await api.post('/v1/auth/login', {email: me.email, password: me.password})).body;
		return api.with({authorization: `Bearer ${access_token}`});
	};
	return {server, api, me, mine, theirs, job, minimal, made, refused, signedInAgain};
};

const runsOf = async (api: Api, {id}: Body, query = ''): Promise<Body> =>
	(await api.get(`${path}/${id}/executions${query}`)).body;

test('[CHN-001 CHN-002 CHN-026] name, trigger_type and steps make a chain with every field, enabled', async (t) => {
	const {made, job} = await start(t);
	const chain = await made();
	const fields = 'id name description trigger_type trigger_schedule trigger_endpoint_id is_enabled steps'.split(' ');
	for (const field of fields) t.true(field in chain, field);
	t.like(chain, {name: 'Nightly', trigger_type: 'manual', is_enabled: true, next_run_at: null});
	t.deepEqual(chain.steps, [{cron_job_id: job, step_order: 0, condition_type: 'on_success', timeout_seconds: 3600}]);
});

test('[CHN-003 CHN-004 CHN-008] name, trigger_type and steps are required', async (t) => {
	const {mine, minimal} = await start(t);
	for (const field of ['name', 'trigger_type', 'steps'] as const) {
		const {[field]: _left, ...body} = minimal;
		const reply = await mine.post(path, body);
		t.is(reply.status, 400);
		t.is(reply.body.error.details[0].path, field);
	}
});

test('[CHN-005 CHN-006 CHN-007] the trigger is schedule, manual or webhook, and a schedule is one of a job', async (t) => {
	const {made, refused} = await start(t);
	t.deepEqual(await refused({trigger_type: 'email'}), ['trigger_type']);
	t.deepEqual(await refused({trigger_type: 'schedule'}), ['trigger_schedule']);
	t.deepEqual(await refused({trigger_type: 'schedule', trigger_schedule: null}), ['trigger_schedule']);
	for (const trigger_schedule of ['every blue moon', '61 * * * *', '0 0 31 2 *'])
		t.deepEqual(await refused({trigger_type: 'schedule', trigger_schedule}), ['trigger_schedule']);
	const chain = await made({trigger_type: 'schedule', trigger_schedule: 'every day at 2:30am'});
	t.like(chain, {trigger_type: 'schedule', trigger_schedule: 'every day at 2:30am'});
	t.regex(chain.next_run_at, /T02:30:00\.000Z$/);
});

test('[CHN-009 CHN-011 CHN-012] there are steps, each with a job and its order', async (t) => {
	const {refused, job} = await start(t);
	t.deepEqual(await refused({steps: []}), ['steps']);
	t.deepEqual(await refused({steps: [{step_order: 0}]}), ['steps.0.cron_job_id']);
	t.deepEqual(await refused({steps: [{cron_job_id: job}]}), ['steps.0.step_order']);
	const hundredAndOne = Array.from({length: 101}, (_, step_order) => ({cron_job_id: job, step_order}));
	t.deepEqual(await refused({steps: hundredAndOne}), ['steps']);
});

test('[CHN-010 CHN-031] description is optional; timezone is an IANA name that the schedule follows', async (t) => {
	const {made, refused} = await start(t);
	t.like(await made(), {description: null, timezone: 'UTC'});
	const scheduled = {trigger_type: 'schedule', trigger_schedule: 'every day at 9am', timezone: 'Asia/Tokyo'};
	const chain = await made({...scheduled, description: 'Back up'});
	t.like(chain, {...scheduled, description: 'Back up'});
	t.regex(chain.next_run_at, /T00:00:00\.000Z$/);
	t.deepEqual(await refused({timezone: 'Mars/Olympus'}), ['timezone']);
});

test('[CHN-013 CHN-014] a step runs on_success, on_failure or always, by default on_success', async (t) => {
	const {made, refused, job} = await start(t);
	const conditions = ['on_success', 'on_failure', 'always'];
	const steps = conditions.map((condition_type, step_order) => ({cron_job_id: job, step_order, condition_type}));
	t.deepEqual(
		(await made({steps})).steps.map((step: Body) => step.condition_type),
		conditions,
	);
	t.is((await made()).steps[0].condition_type, 'on_success');
	const never = [{cron_job_id: job, step_order: 0, condition_type: 'never'}];
	t.deepEqual(await refused({steps: never}), ['steps.0.condition_type']);
});

test('[CHN-015 CHN-016] the time of a step is 1 to 86,400 seconds, by default 3600', async (t) => {
	const {made, refused, job} = await start(t);
	const timed = (timeout_seconds: unknown) => ({steps: [{cron_job_id: job, step_order: 0, timeout_seconds}]});
	for (const seconds of [1, 86_400]) t.is((await made(timed(seconds))).steps[0].timeout_seconds, seconds);
	t.is((await made()).steps[0].timeout_seconds, 3600);
	for (const seconds of [0, -1, 86_401, 1.5, '60', null])
		t.deepEqual(await refused(timed(seconds)), ['steps.0.timeout_seconds']);
});

test("[CHN-018] a job that is not the caller's is refused, and so is one that is not there", async (t) => {
	const {refused, theirs, job} = await start(t);
	const steps = [job, await addJob(theirs), unknownId, 'x'].map((cron_job_id, step_order) => ({
		cron_job_id,
		step_order,
	}));
	t.deepEqual(await refused({steps}), ['steps.1.cron_job_id', 'steps.2.cron_job_id', 'steps.3.cron_job_id']);
});

test('[CHN-019 CHN-020 CHN-021] each order stands once and is not negative; gaps are closed', async (t) => {
	const {made, refused, mine} = await start(t);
	const jobs = [await addJob(mine, 'first'), await addJob(mine, 'second'), await addJob(mine, 'third')];
	const ordered = (...orders: readonly number[]) => ({
		steps: orders.map((step_order, index) => ({cron_job_id: jobs[index], step_order})),
	});
	t.deepEqual(await refused(ordered(0, 1, 0)), ['steps.2.step_order']);
	t.deepEqual(await refused(ordered(-1)), ['steps.0.step_order']);
	t.deepEqual(await refused(ordered(0.5)), ['steps.0.step_order']);
	t.deepEqual(
		(await made(ordered(70, 7, 9))).steps.map((step: Body) => [step.step_order, step.cron_job_id]),
		[
			[0, jobs[1]],
			[1, jobs[2]],
			[2, jobs[0]],
		],
	);
});

test('[CHN-022] the same job may stand in two steps', async (t) => {
	const {made, job} = await start(t);
	const steps = [0, 1].map((step_order) => ({cron_job_id: job, step_order}));
	t.is((await made({steps})).steps.length, 2);
});

test('[CHN-023 CHN-024 CHN-025] a webhook trigger names an endpoint of the caller, on create and on update', async (t) => {
	const {made, refused, mine, theirs} = await start(t);
	const [endpoint, foreign] = [await addEndpoint(mine), await addEndpoint(theirs)];
	t.deepEqual(await refused({trigger_type: 'webhook'}), ['trigger_endpoint_id']);
	for (const trigger_endpoint_id of [foreign, unknownId, 'x'])
		t.deepEqual(await refused({trigger_type: 'webhook', trigger_endpoint_id}), ['trigger_endpoint_id']);
	const linked = {trigger_type: 'webhook', trigger_endpoint_id: endpoint};
	t.like(await made(linked), linked);
	const {id} = await made();
	t.is((await mine.put(`${path}/${id}`, {trigger_type: 'webhook'})).status, 400);
	t.is((await mine.put(`${path}/${id}`, {...linked, trigger_endpoint_id: foreign})).status, 400);
	t.like((await mine.put(`${path}/${id}`, linked)).body, linked);
});

test('[CHN-097] a chain whose endpoint is deleted stays, linked to none, and can still be changed', async (t) => {
	const {made, mine} = await start(t);
	const endpoint = await addEndpoint(mine);
	const chain = await made({trigger_type: 'webhook', trigger_endpoint_id: endpoint});
	await mine.delete(`/v1/webhook/endpoints/${endpoint}`);
	t.like((await mine.get(`${path}/${chain.id}`)).body, {trigger_type: 'webhook', trigger_endpoint_id: null});
	t.is((await mine.put(`${path}/${chain.id}`, {name: 'Still there'})).status, 200);
	t.is((await mine.put(`${path}/${chain.id}`, {trigger_endpoint_id: null})).status, 400);
});

test('[CHN-032 CHN-033] all chains of the user are listed, newest first, and no one else sees them', async (t) => {
	const {made, mine, theirs} = await start(t);
	const [first, second] = [await made(), await made({name: 'Second'})];
	t.deepEqual((await mine.get(path)).body, {data: [second, first]});
	t.deepEqual((await theirs.get(path)).body, {data: []});
	t.deepEqual((await mine.get(`${path}/${first.id}`)).body, first);
	t.is((await theirs.get(`${path}/${first.id}`)).status, 404);
});

test('[CHN-027 CHN-034] PUT without steps changes what it names and keeps the steps', async (t) => {
	const {made, mine} = await start(t);
	const chain = await made({trigger_type: 'schedule', trigger_schedule: 'every hour'});
	const changed = {name: 'Other', description: 'New', is_enabled: false, timezone: 'Europe/Berlin'};
	const {status, body} = await mine.put(`${path}/${chain.id}`, changed);
	t.is(status, 200);
	t.deepEqual(body, {...chain, ...changed, next_run_at: null, updated_at: body.updated_at});
	t.not((await mine.put(`${path}/${chain.id}`, {is_enabled: true})).body.next_run_at, null);
	for (const bad of [
		{name: ''},
		{colour: 'red'},
		{is_enabled: 'yes'},
		{trigger_schedule: 'soon'},
		{trigger_schedule: null},
	])
		t.is((await mine.put(`${path}/${chain.id}`, bad)).status, 400, JSON.stringify(bad));
});

test('[CHN-035 CHN-036] PUT with steps puts them in the place of all, or changes nothing', async (t) => {
	const {made, mine, theirs, job} = await start(t);
	const chain = await made({steps: [0, 1, 2].map((step_order) => ({cron_job_id: job, step_order}))});
	const put = (steps: readonly Body[]) => mine.put(`${path}/${chain.id}`, {name: 'Changed', steps});
	const foreign = {cron_job_id: await addJob(theirs), step_order: 1};
	for (const steps of [[], [{cron_job_id: job, step_order: 0}, foreign]]) t.is((await put(steps)).status, 400);
	t.deepEqual((await mine.get(`${path}/${chain.id}`)).body, chain);
	const [other, timeout_seconds] = [await addJob(mine, 'other'), 60];
	const wanted = {cron_job_id: other, step_order: 0, condition_type: 'always', timeout_seconds};
	t.deepEqual((await put([wanted])).body.steps, [wanted]);
	t.deepEqual((await mine.get(`${path}/${chain.id}`)).body.steps, [wanted]);
});

test('[CHN-037] DELETE removes a chain with its executions, for good', async (t) => {
	const {made, mine, theirs} = await start(t);
	const chain = await made();
	const {id} = (await mine.post(`${path}/${chain.id}/run`)).body;
	t.is((await theirs.delete(`${path}/${chain.id}`)).status, 404);
	t.is((await mine.delete(`${path}/${chain.id}`)).status, 204);
	t.is((await mine.get(`${path}/${chain.id}`)).status, 404);
	t.is((await mine.get(`/v1/cron/chain-executions/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${chain.id}`)).status, 404);
});

test('[HTTP-010 CHN-038 CHN-079] run answers 201 with an execution that runs its first step', async (t) => {
	const {made, mine, job} = await start(t);
	const chain = await made();
	const {status, body} = await mine.post(`${path}/${chain.id}/run`);
	t.is(status, 201);
	const fields =
		'id chain_id chain_name status triggered_by trigger_event_id current_step steps started_at completed_at canceled_by';
	t.deepEqual(Object.keys(body).sort(), fields.split(' ').sort());
	t.like(body, {
		...{chain_id: chain.id, chain_name: 'Nightly', status: 'running', triggered_by: 'manual', trigger_event_id: null},
		...{current_step: 0, completed_at: null, canceled_by: null},
	});
	const [step] = body.steps;
	t.like((await mine.get(`/v1/cron-executions/${step.execution_id}`)).body, {job_id: job, status: 'pending'});
});

test('[CHN-080 CHN-088 JOB-114] an execution shows its steps; another one starts beside it; its runs are by the chain', async (t) => {
	const {made, mine, job} = await start(t);
	const chain = await made({steps: [0, 1].map((step_order) => ({cron_job_id: job, step_order, timeout_seconds: 60}))});
	const [one, two] = [await mine.post(`${path}/${chain.id}/run`), await mine.post(`${path}/${chain.id}/run`)];
	const [first, second] = one.body.steps;
	t.deepEqual(second, {
		...{step_order: 1, cron_job_id: job, job_name: 'Back up', condition_type: 'on_success', timeout_seconds: 60},
		...{status: 'pending', execution_id: null, started_at: null, completed_at: null, error: null},
	});
	t.like(first, {status: 'running', completed_at: null, error: null});
	t.not(first.started_at, null);
	t.deepEqual([two.status, two.body.status], [201, 'running']);
	const {data} = (await mine.get('/v1/cron-executions?triggered_by=chain')).body;
	t.is(data.length, 2);
});

test('[CHN-039 CHN-040 CHN-042] executions come newest first, 20 a page, from an offset on', async (t) => {
	const {made, mine} = await start(t);
	const chain = await made();
	const ids: string[] = [];
	for (let runs = 0; runs < 22; runs += 1) ids.unshift((await mine.post(`${path}/${chain.id}/run`)).body.id);
	const first = await runsOf(mine, chain);
	t.like(first, {total: 22, limit: 20, offset: 0});
	t.deepEqual(
		first.data.map((each: Body) => each.id),
		ids.slice(0, 20),
	);
	const rest = await runsOf(mine, chain, '?offset=20');
	t.deepEqual(
		rest.data.map((each: Body) => each.id),
		ids.slice(20),
	);
});

test('[CHN-041] limit is 1 to 100', async (t) => {
	const {made, mine} = await start(t);
	const {id} = await made();
	for (const limit of [1, 100]) t.is((await mine.get(`${path}/${id}/executions?limit=${limit}`)).status, 200);
	for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'page=2'])
		t.is((await mine.get(`${path}/${id}/executions?${query}`)).status, 400, query);
});

test('[CHN-043 CHN-044] an execution is read, and canceled at once', async (t) => {
	const {made, me, mine, theirs} = await start(t);
	const chain = await made();
	const started = (await mine.post(`${path}/${chain.id}/run`)).body;
	const one = `/v1/cron/chain-executions/${started.id}`;
	t.deepEqual((await mine.get(one)).body, started);
	for (const refused of [await theirs.get(one), await theirs.post(`${one}/cancel`)]) t.is(refused.status, 404);
	const {status, body} = await mine.post(`${one}/cancel`);
	t.is(status, 200);
	t.like(body, {status: 'canceled', canceled_by: me.id, current_step: null});
	t.is(body.steps[0].status, 'canceled');
	t.deepEqual((await mine.get(one)).body, body);
	t.is((await mine.get(`/v1/cron-executions/${started.steps[0].execution_id}`)).body.status, 'canceled');
});

test('[CHN-047] what is canceled is not canceled again, and nothing changes', async (t) => {
	const {made, mine} = await start(t);
	const {id} = (await mine.post(`${path}/${(await made()).id}/run`)).body;
	const first = await mine.post(`/v1/cron/chain-executions/${id}/cancel`);
	const second = await mine.post(`/v1/cron/chain-executions/${id}/cancel`);
	t.deepEqual([second.status, second.body.error.code], [409, 'conflict']);
	t.deepEqual((await mine.get(`/v1/cron/chain-executions/${id}`)).body, first.body);
});

test('[CHN-045 CHN-046] what is completed or failed is not canceled, and nothing changes', async (t) => {
	const {made, mine, job} = await start(t);
	const skipped = await made({steps: [{cron_job_id: job, step_order: 0, condition_type: 'on_failure'}]});
	const completed = (await mine.post(`${path}/${skipped.id}/run`)).body;
	t.like(completed, {status: 'completed', current_step: null});
	const chain = await made();
	await mine.delete(`/v1/cron-jobs/${job}`);
	const {id} = (await mine.post(`${path}/${chain.id}/run`)).body;
	const read = async () => (await mine.get(`/v1/cron/chain-executions/${id}`)).body;
	await until(async () => (await read()).status === 'failed');
	for (const before of [completed, await read()]) {
		t.is((await mine.post(`/v1/cron/chain-executions/${before.id}/cancel`)).status, 409);
		t.deepEqual((await mine.get(`/v1/cron/chain-executions/${before.id}`)).body, before);
	}
});

test('[CHN-048] without valid credentials every endpoint answers 401', async (t) => {
	const {api, made, minimal} = await start(t);
	const {id} = await made();
	const execution = `/v1/cron/chain-executions/${unknownId}`;
	const replies = [
		...[await api.post(path, minimal), await api.get(path), await api.get(`${path}/${id}`)],
		...[await api.put(`${path}/${id}`, {name: 'x'}), await api.delete(`${path}/${id}`)],
		...[await api.post(`${path}/${id}/run`), await api.get(`${path}/${id}/executions`)],
		...[await api.get(execution), await api.post(`${execution}/cancel`)],
	];
	t.deepEqual([...new Set(replies.map(({status}) => status))], [401]);
});

test('[CHN-049 CHN-050] what is not there, or is somebody else’s, is 404', async (t) => {
	const {made, mine, theirs} = await start(t);
	const foreign = (await made()).id;
	for (const [api, id] of [
		[mine, unknownId],
		[theirs, foreign],
	] as const) {
		const one = `${path}/${id}`;
		const replies = [
			...[await api.get(one), await api.put(one, {name: 'x'}), await api.delete(one)],
			...[await api.post(`${one}/run`), await api.get(`${one}/executions`)],
		];
		t.deepEqual([...new Set(replies.map(({status}) => status))], [404]);
	}
	const execution = `/v1/cron/chain-executions/${unknownId}`;
	t.deepEqual([(await mine.get(execution)).status, (await mine.post(`${execution}/cancel`)).status], [404, 404]);
});

test('[CHN-051 CHN-028 CHN-030] a schedule starts it at its time, unless it is disabled; run starts it all the same', async (t) => {
	const {server, made, signedInAgain} = await start(t);
	const scheduled = {trigger_type: 'schedule', trigger_schedule: 'every hour'};
	const [enabled, disabled] = [await made(scheduled), await made({...scheduled, is_enabled: false})];
	server.advance(3601_000);
	const mine = await signedInAgain();
	await until(async () => (await runsOf(mine, enabled)).total === 1);
	t.like((await runsOf(mine, enabled)).data[0], {triggered_by: 'schedule', trigger_event_id: null});
	t.is((await runsOf(mine, disabled)).total, 0);
	t.is((await mine.post(`${path}/${disabled.id}/run`)).status, 201);
});
