import {readFileSync} from 'node:fs';
import type {AttemptKey, AttemptSpec, OutputSink} from '../../src/agent/attempt.ts';
import {defaultPolicy} from '../../src/agent/host-policy.ts';
import {
	type CommandRunner,
	type CommandRunnerNeeds,
	createCommandRunner,
	type RunningCommand,
} from '../../src/agent/run-command.ts';

/** What a test may ask of an agent in a process of its own. `host` and `run` are numbers that the test gives. */
export type Calls = {
	open(request: {host: number; needs: Omit<CommandRunnerNeeds, 'policy'> & Partial<CommandRunnerNeeds>}): unknown;
	start(request: {host: number; run: number; spec: AttemptSpec; barrier?: boolean}): RunningCommand['result'];
	cancel(request: {run: number; grace_ms?: number}): unknown;
	forget(request: {host: number; key: AttemptKey}): unknown;
	recover(request: {host: number}): ReturnType<CommandRunner['recover']>;
	peakMemory(request: object): number;
};

const hosts = new Map<number, CommandRunner>();
const runs = new Map<number, RunningCommand>();

const hostOf = (host: number): CommandRunner => hosts.get(host) as CommandRunner;

const calls: Calls = {
	open: async ({host, needs}) => {
		hosts.set(host, await createCommandRunner({policy: defaultPolicy(), ...needs}));
	},
	start: ({host, run, spec, barrier = true}) => {
		const sink: OutputSink = (stream, bytes) => tell({run, stream, bytes});
		const running = hostOf(host).start(spec, sink, async () => barrier);
		runs.set(run, running);
		return running.result;
	},
	cancel: ({run, grace_ms}) => runs.get(run)?.cancel(grace_ms),
	forget: ({host, key}) => hostOf(host).forget(key),
	recover: ({host}) => hostOf(host).recover(),
	// Not maxRSS: a process begins with that of the one that started it.
	peakMemory: () => 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]),
};

/** Whoever started this may have ended. */
const tell = (message: object): void => {
	if (process.connected) process.send?.(message);
};

process.on('disconnect', async () => {
	for (const {cancel} of runs.values()) cancel(0);
	await Promise.allSettled([...runs.values()].map(({result}) => result));
	process.exit(1);
});

type Message = {call: keyof Calls; request: never; reply: number};

process.on('message', async ({call, request, reply}: Message) => {
	try {
		tell({reply, value: await calls[call](request)});
	} catch (error) {
		tell({reply, error});
	}
});
