import {
	type AgentPeer,
	createLink,
	type ExecutionSpec,
	type OutputChunk,
	RpcError,
	type ServingSettings,
} from '@signalbox/rpc';
import type {ExecutionContext} from 'ava';
import {type AgentNeeds, runAgent} from '../../src/agent/agent.ts';
import {type AttemptResult, type AttemptSpec, type OutputStream, WithdrawnError} from '../../src/agent/attempt.ts';
import type {RecoveredAttempt} from '../../src/agent/recover-attempts.ts';
import type {CommandRunner} from '../../src/agent/run-command.ts';
import {createSettableClock} from '../manual-clock.ts';

const absent = async (): Promise<never> => {
	throw new RpcError('unsupported', 'This server answers no such call.');
};

export const apiKey = 'sbx_anne0000_secret';

const caller = {
	user_id: 'anne',
	team_id: 'team',
	team_ids: ['team'],
	plan: 'self_hosted',
	credential: {kind: 'api_key', id: 'key', scopes: ['agent']},
} as const;

export const specOf = (execution_id: string, changes: Partial<ExecutionSpec> = {}): ExecutionSpec => ({
	execution_id,
	job_id: 'j1',
	job_name: 'Nightly',
	attempt: 1,
	lease_token: `lease-${execution_id}`,
	command: 'true',
	working_dir: '',
	environment: {},
	timeout_ms: 60_000,
	kill_grace_ms: 10_000,
	scheduled_for_ms: 0,
	triggered_by: 'scheduled',
	mask: [],
	...changes,
});

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
	new Promise((resolve) => {
		if (signal?.aborted) resolve();
		signal?.addEventListener('abort', () => resolve());
	});

/** No hint, until the signal aborts. */
const silence = (signal: AbortSignal | undefined): AsyncIterable<never> => ({
	[Symbol.asyncIterator]: () => ({next: async () => ({done: true, value: await aborted(signal)})}),
});

const registered = {
	agent_id: 'agent-1',
	session_id: 'session-1',
	is_default: true,
	heartbeat_interval_ms: 10_000,
	offline_ms: 30_000,
	lease_ttl_ms: 60_000,
	lost_ms: 120_000,
	long_poll_ms: 30_000,
	chunk_max_bytes: 65_536,
	output_max_bytes: 1_048_576,
	keep: [],
	kill: [],
};

/** Hands out work as it is offered. */
const createQueue = () => {
	const waiting: ExecutionSpec[] = [];
	let offered = Promise.withResolvers<void>();
	const lease: AgentPeer['lease'] = async ({max}, options) => {
		while (waiting.length === 0 && !options?.signal?.aborted)
			await Promise.race([offered.promise, aborted(options?.signal)]);
		return {executions: options?.signal?.aborted ? [] : waiting.splice(0, max)};
	};
	const offer = (...specs: ExecutionSpec[]): void => {
		waiting.push(...specs);
		offered.resolve();
		offered = Promise.withResolvers();
	};
	return {lease, offer};
};

/** Takes output as a server does: what is there already is not added twice, and nothing behind a gap. */
const createOutput = () => {
	const taken: OutputChunk[] = [];
	const size = (): number => taken.reduce((sum, {data}) => sum + data.length, 0);
	const appendOutput: AgentPeer['appendOutput'] = async (chunks) => {
		for await (const chunk of chunks) if (chunk.offset === size()) taken.push(chunk);
		return {accepted_offset: size(), stop: false};
	};
	const printed = (stream: 'STDOUT' | 'STDERR' = 'STDOUT'): string =>
		Buffer.concat(taken.filter((each) => each.stream === stream).map(({data}) => data)).toString();
	return {appendOutput, printed};
};

const namesOf = <Calls extends object>(calls: Calls) => Object.keys(calls) as (keyof Calls)[];

type Answer = (...all: unknown[]) => unknown;

/** The same calls, each handed to `answer` with its name. */
const redirect = <Calls extends object>(calls: Calls, answer: (name: keyof Calls, all: unknown[]) => unknown): Calls =>
	Object.fromEntries(namesOf(calls).map((name) => [name, (...all: unknown[]) => answer(name, all)])) as Calls;

/** Everybody with the key, until it is revoked. */
const createServing = (peer: AgentPeer) => {
	let isKeyValid = true;
	const settings: ServingSettings = {
		login: () => ({login: absent, startBrowserLogin: absent, completeBrowserLogin: absent}),
		authenticated: () => ({whoAmI: absent, revokeCurrentKey: absent, ...peer}),
		authenticate: async (shown) => (shown.apiKey === apiKey && isKeyValid ? caller : undefined),
	};
	const revokeKey = (): void => {
		isKeyValid = false;
	};
	return {settings, revokeKey};
};

/** Whom an agent talks to: it keeps what it is told, and answers as a test says. */
export const createScriptedServer = () => {
	const told: {[Name in keyof AgentPeer]: Parameters<AgentPeer[Name]>[0][]} = {
		...{register: [], watch: [], lease: [], start: [], heartbeat: [], appendOutput: [], finish: [], deregister: []},
	};
	const {lease, offer} = createQueue();
	const {appendOutput, printed} = createOutput();
	const usual: AgentPeer = {
		register: async () => registered,
		watch: (_request, options) => silence(options?.signal),
		lease,
		start: async () => ({proceed: true, reason: ''}),
		heartbeat: async () => ({server_time_ms: 0, cancel: [], lost: []}),
		appendOutput,
		finish: async () => ({accepted: true}),
		deregister: async () => ({}),
	};
	/** What differs from the usual answers. */
	const answers: {-readonly [Name in keyof AgentPeer]?: AgentPeer[Name]} = {};
	const noting = redirect(usual, (name, all) => {
		(told[name] as unknown[]).push(all[0]);
		return ((answers[name] ?? usual[name]) as Answer)(...all);
	});
	const {settings, revokeKey} = createServing(noting);
	let link = createLink(settings);
	return {
		...{told, answers, usual, settings, offer, printed, revokeKey},
		/** What an agent calls; it goes on with the server after a restart. */
		peer: redirect(usual, (name, all) => (link.connect(apiKey)[name] as Answer)(...all)),
		stop: () => link.stop(),
		startAgain: () => {
			link = createLink(settings);
		},
	};
};

const success: AttemptResult = {
	outcome: 'EXITED',
	exit_code: 0,
	duration_ms: 5,
	stdout_bytes: 0,
	stderr_bytes: 0,
	truncated: false,
};

type Command = Readonly<{
	spec: AttemptSpec;
	/** Milliseconds of grace of each cancel. */
	cancels: (number | undefined)[];
	print(text: string, stream?: OutputStream): void;
	end(changes?: Partial<AttemptResult>): void;
}>;

/** A host whose commands print and end when a test says so; `leftovers` are those of an agent that died. */
export const createScriptedHost = (leftovers: readonly RecoveredAttempt[] = []) => {
	/** Commands that run, or ran. */
	const commands = new Map<string, Command>();
	const forgotten: string[] = [];
	const withdrawn: string[] = [];
	/** Whether a canceled command ends. */
	const habits = {isStubborn: false};
	const runner: CommandRunner = {
		start: (spec, sink, barrier = async () => true) => {
			const [ended, canceled] = [Promise.withResolvers<AttemptResult>(), new AbortController()];
			const command: Command = {
				spec,
				cancels: [],
				print: (text, stream = 'stdout') => sink(stream, Buffer.from(text)),
				end: (changes) => ended.resolve({...success, ...changes}),
			};
			const run = async (): Promise<AttemptResult> => {
				const mayRun = (await barrier(canceled.signal).catch(() => canceled.signal.aborted)) || canceled.signal.aborted;
				if (!mayRun) {
					withdrawn.push(spec.execution_id);
					throw new WithdrawnError('was not to run');
				}
				if (!canceled.signal.aborted) commands.set(spec.execution_id, command);
				return ended.promise;
			};
			return {
				result: run(),
				cancel: (grace_ms) => {
					command.cancels.push(grace_ms);
					canceled.abort();
					if (!habits.isStubborn) command.end({outcome: 'CANCELED'});
				},
			};
		},
		recover: async () => leftovers,
		forget: async ({execution_id}) => void forgotten.push(execution_id),
	};
	const command = (id: string): Command => {
		const found = commands.get(id);
		if (found === undefined) throw new Error(`${id} does not run`);
		return found;
	};
	return {runner, commands, command, forgotten, withdrawn, habits};
};

type World = Readonly<{leftovers?: readonly RecoveredAttempt[]}> & Partial<AgentNeeds>;

/** An agent at work between a scripted server and a scripted host. */
export const startAgent = async (t: ExecutionContext, {leftovers, ...needs}: World = {}) => {
	const server = createScriptedServer();
	const host = createScriptedHost(leftovers);
	const clock = createSettableClock();
	const [drain, interrupt] = [new AbortController(), new AbortController()];
	const ids: string[] = [''];
	const log: string[] = [];
	const start = () =>
		runAgent({
			peer: server.peer,
			runner: host.runner,
			state: {readId: async () => ids.at(-1) ?? '', keepId: async (id) => void ids.push(id)},
			clock,
			host: {name: 'builder', hostname: 'host', os: 'linux', arch: 'x64', version: '1.2.3', boot_id: 'b1'},
			capacity: 2,
			drainMs: 60_000,
			drain: drain.signal,
			interrupt: interrupt.signal,
			log: (line) => void log.push(line),
			...needs,
		});
	const agent = {ended: false, error: undefined as unknown};
	const begin = async (): Promise<void> => {
		start().then(
			() => Object.assign(agent, {ended: true}),
			(error: unknown) => Object.assign(agent, {ended: true, error}),
		);
		await clock.advance(0);
	};
	t.teardown(async () => {
		interrupt.abort();
		for (const {end} of host.commands.values()) end();
		await clock.advance(200_000);
	});
	const offer = async (...specs: ExecutionSpec[]): Promise<void> => {
		server.offer(...specs);
		await clock.advance(0);
	};
	return {server, host, clock, drain, interrupt, ids, log, agent, begin, offer};
};
