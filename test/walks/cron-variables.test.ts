import test, {type ExecutionContext} from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {rowsOf, tablesOf} from '../support/data-directory.ts';
import {connect, logIn} from '../support/grpc.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination} from '../support/webhooks.ts';

const secret = 'hush-hush-7f3a9c';

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const me = await registerPerson(createApi(server.baseUrl));
	await me.api.post('/v1/environment', {key: 'V', value: secret});
	const peer = connect(t, server, (await logIn(connect(t, server), me)).api_key);
	const session = await peer.register({
		...{agent_id: '', name: 'db-1', hostname: 'db-1', os: 'linux', arch: 'x64', version: '1.0.0'},
		...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
	});
	const lease = async (fields: Body) => {
		const job = {name: 'Back up', schedule: '@yearly', is_enabled: false, ...fields};
		const {id} = (await me.api.post('/v1/cron-jobs', job)).body;
		await me.api.post(`/v1/cron-jobs/${id}/run`);
		return until(async () => (await peer.lease({...session, max: 1})).executions[0], 'the run');
	};
	return {server, mine: me.api, peer, lease};
};

const everywhere = {command: 'echo {{env.V}}', working_dir: '/srv/{{ env.V }}', environment: {TOKEN: '{{env.V}}'}};

test('[ENV-055 ENV-056 ENV-057] variables resolve in the command, the folder and the environment that an agent is given', async (t) => {
	const {lease} = await start(t);
	const spec = await lease(everywhere);
	t.like(spec, {command: `echo ${secret}`, working_dir: `/srv/${secret}`, environment: {TOKEN: secret}});
});

/** Every value of every row, as text. */
const everythingStored = async (directory: string): Promise<string> => {
	const tables = await tablesOf(directory);
	const rows = await Promise.all(tables.map((table) => rowsOf(directory, `SELECT * FROM ${table}`)));
	return rows
		.flat()
		.flatMap((row) => Object.values(row))
		.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
		.join('\n');
};

test('[ENV-064] what a variable resolved to is in no row, no log and no answer', async (t) => {
	const {server, mine, peer, lease} = await start(t);
	const spec = await lease(everywhere);
	const hold = {execution_id: spec.execution_id, lease_token: spec.lease_token};
	await peer.start({...hold, started_at_ms: 0});
	const ended = {signal: '', error: '', finished_at_ms: 0, duration_ms: 12, stdout_bytes: 0, stderr_bytes: 0};
	await peer.finish({...hold, ...ended, outcome: 'EXITED', exit_code: 0, truncated: false});
	const destination = await openDestination(t);
	const fields = {name: 'Orders', destination_url: `${destination.url}/{{env.V}}`};
	const endpoint = (await mine.post('/v1/webhook/endpoints', fields)).body;
	const sent = await fetch(`${server.baseUrl}/wh/${endpoint.slug}`, {method: 'POST', body: '{}'});
	const {event_id} = (await sent.json()) as Body;
	const event = await until(async () => {
		const {body, text} = await mine.get(`/v1/webhook/events/${event_id}`);
		return body.delivery_status === 'delivered' && text;
	}, 'the delivery');
	t.true(destination.received[0]?.url.endsWith(secret));
	const execution = (await mine.get(`/v1/cron-executions/${spec.execution_id}`)).text;
	const stored = await everythingStored(server.dataDir);
	t.true(stored.includes('{{env.V}}') && stored.includes(event_id));
	for (const text of [event, execution, stored, server.logs().join('\n')]) t.false(text.includes(secret));
});
