import type {AgentReport, Caller, Clock, Core, ExecutionHold, ExecutionSpec, Signals} from '@signalbox/core';
import {type AgentPeer, type Cancel, type OutputChunk, RpcError, type Running} from '@signalbox/rpc';
import {refusalOf, requireAgentScope} from './still-agent.ts';
import {watchHints} from './watch-hints.ts';

export type AgentPeerNeeds = Readonly<{
	core: Pick<Core, 'accounts' | 'cron'>;
	clock: Clock;
	signals: Pick<Signals, 'subscribe'>;
}>;

const longPollMs = 30_000;
/** Signals may be lost, and do not tell of what becomes due by itself. */
const lookEveryMs = 1000;
const chunkMaxBytes = 64 * 1024;
const outputMaxBytes = 2 * 1024 * 1024;
/** Core keeps a little more than what agents are told, for what they put in the place of the rest. */
const mostOutput = outputMaxBytes + 4096;

const holdsOf = (running: readonly Running[]): readonly ExecutionHold[] =>
	running.map(({execution_id, lease_token}) => ({execution_id, lease_token}));

/** The agent knows how long it lets a command end. */
const cancelOf = (execution_id: string): Cancel => ({execution_id, reason: 'canceled', grace_ms: 0});

const specOf = ({scheduled_for, mask, environment, ...spec}: ExecutionSpec) => ({
	...spec,
	environment: {...environment},
	mask: [...mask],
	scheduled_for_ms: Date.parse(scheduled_for),
});

const streams = {STDOUT: 'stdout', STDERR: 'stderr'} as const;

const streamOf = ({stream}: OutputChunk): 'stdout' | 'stderr' => {
	if (stream === 'STDOUT' || stream === 'STDERR') return streams[stream];
	throw new RpcError('invalid', 'stream: must be STDOUT or STDERR.');
};

/** Looks at once, then whenever something may have become due, until there is work or the time is over. */
const createLease =
	({core, clock, signals}: AgentPeerNeeds, admitted: Caller): AgentPeer['lease'] =>
	async ({max, ...session}, {signal} = {}) => {
		let caller = admitted;
		let due = new AbortController();
		const unsubscribe = signals.subscribe((event) => {
			if (event.type === 'cron.execution.due' && event.user_id === caller.user_id) due.abort();
		});
		try {
			const until = Date.parse(clock.now()) + longPollMs;
			for (;;) {
				const specs = await core.cron.agentWork.lease(caller, session, max);
				if (specs.length > 0 || max === 0 || signal?.aborted || Date.parse(clock.now()) >= until)
					return {executions: specs.map(specOf)};
				await clock.sleep(lookEveryMs, signal ? AbortSignal.any([signal, due.signal]) : due.signal);
				if (due.signal.aborted) due = new AbortController();
				// A command holds secrets: whoever lost their key while they waited gets none.
				caller = await core.accounts.authentication.renew(caller);
			}
		} finally {
			unsubscribe();
		}
	};

/** Hints as they come. @throws unauthenticated or forbidden, also later, once the caller would not be let in any more. */
const createWatch = (needs: AgentPeerNeeds, caller: Caller): AgentPeer['watch'] =>
	async function* (_session, {signal} = {}) {
		requireAgentScope(caller);
		const over = new AbortController();
		const open = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
		let refusal: unknown;
		void refusalOf(needs, caller, open).then((refused) => {
			refusal = refused;
			over.abort();
		});
		try {
			yield* watchHints(needs.signals, caller.user_id, open);
			if (refusal !== undefined) throw refusal;
		} finally {
			over.abort();
		}
	};

/** Each byte of a stream comes once, so that one call, which counts once, asks for no end of work: what is sent again comes in another. */
const createAppend =
	({core}: AgentPeerNeeds, caller: Caller): AgentPeer['appendOutput'] =>
	async (chunks) => {
		let accepted_offset = 0;
		let next: number | undefined;
		for await (const chunk of chunks) {
			const {execution_id, lease_token, offset, data} = chunk;
			if (next !== undefined && offset !== next) break;
			const output = {execution_id, lease_token, stream: streamOf(chunk), offset, data};
			const accepted = await core.cron.agentWork.append(caller, output);
			if (accepted === undefined) return {accepted_offset, stop: true};
			accepted_offset = accepted;
			if (accepted > mostOutput) return {accepted_offset, stop: true};
			next = offset + data.length;
			// Behind a gap nothing is taken: the agent begins again from there.
			if (accepted < next || data.length === 0) break;
		}
		return {accepted_offset, stop: false};
	};

const createRegister =
	({core}: AgentPeerNeeds, caller: Caller): AgentPeer['register'] =>
	async ({running, boot_id: _boot, protocol_version, ...agent}) => {
		if (protocol_version !== 1)
			throw new RpcError('unsupported', 'This server speaks version 1 of the protocol: use an agent that does.');
		const {times, keep, kill, ...registered} = await core.cron.agentWork.register(caller, agent, holdsOf(running));
		return {
			...registered,
			heartbeat_interval_ms: times.heartbeat * 1000,
			offline_ms: times.offline * 1000,
			lease_ttl_ms: times.lease * 1000,
			lost_ms: times.lost * 1000,
			long_poll_ms: longPollMs,
			chunk_max_bytes: chunkMaxBytes,
			output_max_bytes: outputMaxBytes,
			keep: [...keep],
			kill: [...kill],
		};
	};

/** What agents that work for a caller ask. */
export const createAgentPeer = (needs: AgentPeerNeeds, caller: Caller): AgentPeer => {
	const {agentWork} = needs.core.cron;
	return {
		register: createRegister(needs, caller),
		watch: createWatch(needs, caller),
		lease: createLease(needs, caller),
		start: async ({execution_id, lease_token}) => {
			const proceed = await agentWork.start(caller, {execution_id, lease_token});
			return {proceed, reason: proceed ? '' : 'It has ended, or another agent has it.'};
		},
		heartbeat: async ({running, draining: is_draining, ...session}) => {
			const state = {is_draining, running: holdsOf(running)};
			const {canceled, lost} = await agentWork.heartbeat(caller, session, state);
			return {server_time_ms: Date.parse(needs.clock.now()), cancel: canceled.map(cancelOf), lost: [...lost]};
		},
		appendOutput: createAppend(needs, caller),
		finish: async ({execution_id, lease_token, outcome, exit_code = null, ...ended}) => {
			const {signal, error, duration_ms, truncated} = ended;
			// The domain refuses what is none of its outcomes.
			const report = {outcome: outcome.toLowerCase() as AgentReport['outcome'], exit_code, signal, error};
			const hold = {execution_id, lease_token};
			return {accepted: await agentWork.finish(caller, hold, {...report, duration_ms, truncated})};
		},
		deregister: async (session) => {
			await agentWork.deregister(caller, session);
			return {};
		},
	};
};
