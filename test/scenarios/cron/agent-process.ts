import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {type Api, createApi, registerPerson} from '../../support/api.ts';
import {bareEnvironment} from '../../support/bare-environment.ts';
import {connect, logIn} from '../../support/grpc.ts';
import {startTestServer, type TestServer} from '../../support/server.ts';

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

export type AgentHost = Readonly<{server: TestServer; mine: Api; folder: string}>;

/** A server, an agent that logged in there, and a folder that its commands may use. */
export const startAgentHost = async (t: Pick<ExecutionContext, 'teardown'>): Promise<AgentHost> => {
	const server = await startTestServer();
	const person = await registerPerson(createApi(server.baseUrl), 'ada');
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-agent-')));
	const {api_key} = await logIn(connect(t as ExecutionContext, server), person);
	const end = runAgent(server.grpcUrl, api_key, join(folder, 'state'));
	t.teardown(async () => {
		await end();
		await server.close();
		await rm(folder, {recursive: true, force: true});
	});
	return {server, mine: person.api, folder};
};
