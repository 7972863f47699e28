import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {type Api, createApi, type Person, registerPerson} from './api.ts';
import {bareEnvironment} from './bare-environment.ts';
import {connect, logIn} from './grpc.ts';
import {startTestServer, type TestServer} from './server.ts';

const program = fileURLToPath(new URL('agent-program.ts', import.meta.url));

/** Runs an agent until the returned function ends it. Arguments: as `agent-program.ts` takes them. */
const runAgent = (...args: readonly string[]): (() => Promise<void>) => {
	const child = spawn(process.execPath, ['--conditions=@signalbox/source', program, ...args], {
		env: bareEnvironment(),
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const ended = once(child, 'exit');
	return async () => {
		child.kill('SIGTERM');
		await ended;
	};
};

export type AgentHost = Readonly<{server: TestServer; person: Person; mine: Api; folder: string}>;

/** A server, by default one that ends with it, an agent that logged in there, and a folder that its commands may use. */
export const startAgentHost = async (
	t: Pick<ExecutionContext, 'teardown'>,
	shared?: TestServer,
): Promise<AgentHost> => {
	const server = shared ?? (await startTestServer());
	const person = await registerPerson(createApi(server.baseUrl), 'ada');
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-agent-')));
	const {api_key} = await logIn(connect(t as ExecutionContext, server), person);
	const end = runAgent(server.grpcUrl, api_key, join(folder, 'state'));
	t.teardown(async () => {
		await end();
		if (shared === undefined) await server.close();
		await rm(folder, {recursive: true, force: true});
	});
	return {server, person, mine: person.api, folder};
};
