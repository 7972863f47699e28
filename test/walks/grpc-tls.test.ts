import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {connectGrpc} from '@signalbox/rpc';
import test, {type ExecutionContext} from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {createCommandLine, end} from '../support/command-line.ts';
import {failureOf, logIn} from '../support/grpc.ts';
import {until} from '../support/mcp/until.ts';
import {makeCertificate} from '../support/self-signed-certificate.ts';
import {runServer} from '../support/server-process.ts';

/** The server as operators run it, with a certificate for gRPC, and the file of who vouches for that. */
const start = async (t: ExecutionContext) => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-tls-'));
	t.teardown(() => rm(directory, {recursive: true, force: true}));
	const {certificate, key} = makeCertificate();
	const [cert_file, key_file] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
	await writeFile(cert_file, certificate);
	await writeFile(key_file, key, {mode: 0o600});
	const server = await runServer(directory, {GRPC_TLS_CERT: cert_file, GRPC_TLS_KEY: key_file});
	t.teardown(() => server.end('SIGTERM'));
	const person = await registerPerson(createApi(server.origin), 'ada');
	return {...server, certificate, cert_file, person};
};

test('[AGT-038] a server with a certificate speaks TLS to those who trust it, and to nobody else', async (t) => {
	const {grpcUrl, certificate, person} = await start(t);
	t.regex(grpcUrl, /^https:\/\/127\.0\.0\.1:\d+$/);
	const connect = (settings: {url: string; ca?: string; apiKey?: string}) => {
		const {peer, close} = connectGrpc(settings);
		t.teardown(close);
		return peer;
	};
	const trusting = connect({url: grpcUrl, ca: certificate});
	const {api_key, user_id} = await logIn(trusting, person);
	t.like(await connect({url: grpcUrl, ca: certificate, apiKey: api_key}).whoAmI({}), {user_id});
	for (const settings of [
		{url: grpcUrl},
		{url: grpcUrl, ca: makeCertificate().certificate},
		{url: grpcUrl.replace('https:', 'http:')},
	])
		t.is(await failureOf(logIn(connect(settings), person)), 'unavailable', JSON.stringify(settings));
});

test('[AGT-034 AGT-041] the command line and its agent work over TLS with an authority that the system does not know', async (t) => {
	const {origin, grpcUrl, cert_file, person} = await start(t);
	const {open, run} = await createCommandLine(t, {SIGNALBOX_URL: origin, SIGNALBOX_GRPC_URL: grpcUrl});
	const words = `login --email ${person.email} --password-stdin`;
	const trusted = {NODE_EXTRA_CA_CERTS: cert_file};
	t.is((await run(words, `${person.password}\n`)).code, 4);
	const login = await run(words, `${person.password}\n`, trusted);
	t.is(login.code, 0, login.stderr);
	const job = {name: 'nightly', schedule: '@yearly', command: 'echo done'};
	const {id} = (await person.api.post('/v1/cron-jobs', job)).body;
	const agent = open('agent run --allow-root', trusted);
	const {id: run_id} = (await person.api.post(`/v1/cron-jobs/${id}/run`)).body;
	const ended = await until(async () => {
		const {body} = await person.api.get(`/v1/cron-executions/${run_id}`);
		return body.completed_at !== null && body;
	}, 'the agent runs the job');
	t.like(ended, {status: 'success', output: 'done\n'});
	t.is(await end(agent, 'SIGTERM'), 0);
});
