import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import type {AttemptSpec, OutputStream} from '../../src/agent/attempt.ts';
import {findTagged, sendSignal} from '../../src/agent/processes.ts';
import type {CommandRunner, CommandRunnerNeeds, RunningCommand} from '../../src/agent/run-command.ts';

/** A folder that is gone after the test. */
export const temporaryFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-agent-'));
	t.teardown(() => rm(folder, {recursive: true, force: true}));
	return folder;
};

/** Environment in which tests find sh's programs. */
export const plainEnvironment = {PATH: '/usr/bin:/bin', HOME: tmpdir()};

/** A spec that runs `command` for a minute at most. */
export const specOf = (command: string, changes: Partial<AttemptSpec> = {}): AttemptSpec => ({
	execution_id: crypto.randomUUID(),
	attempt: 1,
	lease_token: 'lease',
	command,
	working_dir: '',
	environment: {},
	timeout_ms: 60_000,
	mask: [],
	...changes,
});

/** What came back from an agent's process: an answer, or a piece of output. */
type Message =
	| Readonly<{reply: number; value?: unknown; error?: Error}>
	| Readonly<{run: number; stream: OutputStream; bytes: Uint8Array}>;

type Listener = Readonly<{resolve: (value: unknown) => void; reject: (error: Error) => void}>;

/** An agent in a process of its own: it can be killed, and threads of tests must not share the pipes that it opens. */
export type AgentProcess = Readonly<{
	process: ChildProcess;
	ask(call: string, request: object): Promise<unknown>;
	/** Hands pieces of output of a run to `take`. */
	listen(run: number, take: (stream: OutputStream, bytes: Uint8Array) => void): void;
}>;

const program = fileURLToPath(new URL('agent-program.ts', import.meta.url));

/** Starts one; `killAgent` ends it. @param environment - what it has besides what this process has. */
const startAgent = (environment: NodeJS.ProcessEnv = {}): AgentProcess => {
	const child = fork(program, {
		serialization: 'advanced',
		execArgv: ['--conditions=@signalbox/source'],
		env: {...process.env, ...environment},
	});
	const waiting = new Map<number, Listener>();
	const takers = new Map<number, (stream: OutputStream, bytes: Uint8Array) => void>();
	child.on('message', (message: Message) => {
		if ('run' in message) return takers.get(message.run)?.(message.stream, message.bytes);
		const {resolve, reject} = waiting.get(message.reply) as Listener;
		return message.error ? reject(message.error) : resolve(message.value);
	});
	const ask = (call: string, request: object): Promise<unknown> =>
		new Promise((resolve, reject) => {
			const reply = waiting.size;
			waiting.set(reply, {resolve, reject});
			child.send({call, request, reply});
		});
	return {process: child, ask, listen: (run, take) => void takers.set(run, take)};
};

/** Ends an agent as a crash does. */
export const killAgent = async ({process: child}: AgentProcess): Promise<void> => {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill('SIGKILL');
	await exited;
};

/** An agent for one test. */
export const startOwnAgent = (t: ExecutionContext, environment?: NodeJS.ProcessEnv): AgentProcess => {
	const agent = startAgent(environment);
	t.teardown(() => killAgent(agent));
	return agent;
};

let shared: AgentProcess | undefined;

/** The agent of all tests of a file that need not kill it. */
const sharedAgent = (): AgentProcess => {
	shared ??= startAgent();
	return shared;
};

test.after.always(async () => {
	if (shared) await killAgent(shared);
});

let numbers = 0;
const nextNumber = (): number => {
	numbers += 1;
	return numbers;
};

/** What a command printed so far. */
const collectOutput = () => {
	const pieces: Record<OutputStream, Uint8Array[]> = {stdout: [], stderr: []};
	const textOf = (stream: OutputStream): string => Buffer.concat(pieces[stream]).toString();
	return {
		take: (stream: OutputStream, bytes: Uint8Array): void => void pieces[stream].push(bytes),
		stdout: () => textOf('stdout'),
		stderr: () => textOf('stderr'),
	};
};

/** Processes of an attempt that live. */
export const survivorsOf = ({execution_id, attempt}: AttemptSpec) => findTagged(`${execution_id}.${attempt}`);

export type HostNeeds = Partial<CommandRunnerNeeds> & Readonly<{agent?: AgentProcess}>;

/** A host with an agent. What its commands leave behind is ended after the test. */
export const startHost = async (t: ExecutionContext, {agent = sharedAgent(), ...needs}: HostNeeds = {}) => {
	const stateFolder = needs.stateFolder ?? join(await temporaryFolder(t), 'state');
	const host = nextNumber();
	await agent.ask('open', {host, needs: {environment: plainEnvironment, ...needs, stateFolder}});
	const start = (command: string, {barrier, ...changes}: Partial<AttemptSpec> & {barrier?: boolean} = {}) => {
		const spec = specOf(command, changes);
		const output = collectOutput();
		const run = nextNumber();
		agent.listen(run, output.take);
		t.teardown(async () => {
			for (const pid of await survivorsOf(spec)) sendSignal(pid, 'SIGKILL');
		});
		return {
			spec,
			output,
			result: agent.ask('start', {host, run, spec, barrier}) as RunningCommand['result'],
			cancel: (grace_ms?: number) => agent.ask('cancel', {run, grace_ms}),
			survivors: () => survivorsOf(spec),
			printed: (text: string) => until(() => output.stdout().includes(text), `the command printing ${text}`),
		};
	};
	const run = async (command: string, changes: Partial<AttemptSpec> = {}) => {
		const {result, output, spec} = start(command, changes);
		return {spec, result: await result, stdout: output.stdout(), stderr: output.stderr()};
	};
	const recover = () => agent.ask('recover', {host}) as ReturnType<CommandRunner['recover']>;
	const forget = (key: AttemptSpec) => agent.ask('forget', {host, key});
	return {stateFolder, start, run, recover, forget};
};
