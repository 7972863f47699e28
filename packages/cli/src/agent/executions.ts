import type {AgentPeer, ExecutionSpec, FinishRequest, Running} from '@signalbox/rpc';
import type {Clock} from '../clock.ts';
import {type AttemptKey, type AttemptResult, type AttemptSpec, WithdrawnError} from './attempt.ts';
import {isLockedOut, persist} from './persist.ts';
import type {RecoveredAttempt} from './recover-attempts.ts';
import type {Barrier, CommandRunner, RunningCommand} from './run-command.ts';
import {type OutputSender, sendOutput} from './send-output.ts';

export type ExecutionsNeeds = Readonly<{
	peer: AgentPeer;
	runner: CommandRunner;
	clock: Clock;
	/** Bytes in one chunk of output, at most. */
	chunkMaxBytes(): number;
	/** Calls of executions are given up; what ended meanwhile stays in the journal for the next agent. */
	givenUp: AbortSignal;
	/** Told of each execution that needs nothing more. */
	settled(): void;
	log(line: string): void;
}>;

/** What this agent has leased, from the lease until the server has the report. */
export type Executions = Readonly<{
	take(spec: ExecutionSpec): void;
	/** Reports what an agent that died has left. */
	report(recovered: RecoveredAttempt): void;
	/** Leased ones whose report the server does not have yet. */
	running(): readonly Running[];
	/** Ends a command; the end is reported. */
	cancel(execution_id: string, grace_ms?: number): void;
	/** Ends a command that is no longer this agent's; nothing is reported. */
	lose(execution_id: string): void;
	/** Ends all, since the agent ends. */
	interrupt(): void;
	/** Settles once what was taken up to now has ended on this host. */
	ended(): Promise<void>;
	/** Settles once nothing is left to do of what was taken up to now. */
	done(): Promise<void>;
}>;

/** How it came that an attempt was ended by this agent. */
type Fate = 'lost' | 'interrupted';

type Execution = Readonly<{
	spec: ExecutionSpec;
	command: RunningCommand;
	output: OutputSender;
	fate: {current: Fate | undefined};
}>;

const attemptSpec = ({timeout_ms, kill_grace_ms, ...spec}: ExecutionSpec): AttemptSpec => ({
	...spec,
	timeout_ms: timeout_ms || Number.MAX_SAFE_INTEGER,
	...(kill_grace_ms > 0 && {kill_grace_ms}),
});

const finishRequest = (
	{execution_id, lease_token}: Pick<RecoveredAttempt, 'execution_id' | 'lease_token'>,
	result: AttemptResult,
	now: string,
): FinishRequest => ({
	execution_id,
	lease_token,
	...{signal: '', error: '', finished_at_ms: Date.parse(now)},
	...result,
});

/** A command that was ended because its agent ends was not canceled by anybody. */
const resultOf = (result: AttemptResult, fate: Fate | undefined): AttemptResult =>
	fate === 'interrupted' && result.outcome === 'CANCELED'
		? {...result, outcome: 'AGENT_RESTARTED', error: 'the agent was stopped while the command ran'}
		: result;

type Hold = AttemptKey & Readonly<{lease_token: string}>;

/** Until the server has it, or refuses it. */
const finish = async ({peer, runner, clock, givenUp, log}: ExecutionsNeeds, key: Hold, result: AttemptResult) => {
	const request = finishRequest(key, result, clock.now());
	try {
		const call = () => peer.finish(request, {signal: givenUp});
		const {accepted} = await persist(call, {clock, signal: givenUp});
		if (!accepted) log(`${key.execution_id}: the server had given it up, its end counts no more`);
	} catch (error) {
		if (givenUp.aborted || isLockedOut(error)) return;
		log(`${key.execution_id}: the server refused the report: ${(error as Error).message}`);
	}
	await runner.forget(key);
};

const barrierOf =
	({peer, clock, givenUp, log}: ExecutionsNeeds, {execution_id, lease_token}: ExecutionSpec): Barrier =>
	async (canceled) => {
		const signal = AbortSignal.any([givenUp, canceled]);
		const request = {execution_id, lease_token, started_at_ms: Date.parse(clock.now())};
		try {
			const {proceed, reason} = await persist(() => peer.start(request, {signal}), {clock, signal});
			if (!proceed) log(`${execution_id}: not to be started: ${reason}`);
			return proceed;
		} catch (error) {
			// Whether the server let it start is not known: the journal keeps it.
			if (signal.aborted) throw error;
			log(`${execution_id}: not to be started: ${(error as Error).message}`);
			return false;
		}
	};

const finishTaken = async (needs: ExecutionsNeeds, {spec, command, output, fate}: Execution): Promise<void> => {
	try {
		const result = await command.result;
		if (fate.current === 'lost') return await needs.runner.forget(spec);
		needs.log(`${spec.execution_id}: ended, ${result.outcome}`);
		await output.end();
		await finish(needs, spec, resultOf(result, fate.current));
	} catch (error) {
		if (!(error instanceof WithdrawnError)) needs.log((error as Error).message);
	} finally {
		output.abandon();
	}
};

const begin = (needs: ExecutionsNeeds, spec: ExecutionSpec): Execution => {
	const {peer, clock, givenUp, runner} = needs;
	const {execution_id, lease_token} = spec;
	const chunkMaxBytes = needs.chunkMaxBytes();
	const output = sendOutput({peer, clock, execution_id, lease_token, chunkMaxBytes, signal: givenUp});
	return {
		spec,
		output,
		command: runner.start(attemptSpec(spec), output.push, barrierOf(needs, spec)),
		fate: {current: undefined},
	};
};

const nameOf = ({spec: {execution_id, lease_token}, output}: Execution): Running => ({
	execution_id,
	lease_token,
	output_offset: output.offset(),
});

export const createExecutions = (needs: ExecutionsNeeds): Executions => {
	const {log} = needs;
	const taken = new Map<string, Execution>();
	const open = new Set<Promise<void>>();
	const follow = (work: Promise<void>): void => {
		const followed = work.catch((error: Error) => log(error.message)).finally(() => open.delete(followed));
		open.add(followed);
	};
	const release = ({spec}: Execution): void => {
		taken.delete(spec.execution_id);
		needs.settled();
	};
	return {
		take: (spec) => {
			if (taken.has(spec.execution_id)) return;
			log(`${spec.execution_id}: ${spec.job_name}, attempt ${spec.attempt}`);
			const execution = begin(needs, spec);
			taken.set(spec.execution_id, execution);
			follow(finishTaken(needs, execution).finally(() => release(execution)));
		},
		report: (recovered) => follow(finish(needs, recovered, recovered.result)),
		running: () => [...taken.values()].map(nameOf),
		cancel: (execution_id, grace_ms) => taken.get(execution_id)?.command.cancel(grace_ms),
		lose: (execution_id) => {
			const execution = taken.get(execution_id);
			if (execution === undefined || execution.fate.current === 'lost') return;
			log(`${execution_id}: the server has given it up, it is ended`);
			execution.fate.current = 'lost';
			execution.output.abandon();
			execution.command.cancel();
		},
		interrupt: () => {
			for (const {fate, command} of taken.values()) {
				fate.current ??= 'interrupted';
				command.cancel();
			}
		},
		ended: async () => void (await Promise.allSettled([...taken.values()].map(({command}) => command.result))),
		done: async () => void (await Promise.all(open)),
	};
};
