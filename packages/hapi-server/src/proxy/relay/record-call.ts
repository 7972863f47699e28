import {
	type CallLog,
	type CallStatus,
	type Clock,
	compileBodyRedaction,
	type Ids,
	type McpCallEntry,
	type McpServerRecord,
	maskHeaders,
	millisecondsBetween,
} from '@signalbox/core';
import type {Exchange} from '../exchange.ts';
import {isKnownMethod} from '../mcp-methods.ts';
import {type McpRequest, toolNameOf} from '../message.ts';
import type {ProxyMetrics} from '../proxy-observers.ts';

export type CallOutcome = Readonly<{
	status: CallStatus;
	/** The upstream's, or what we answered when it gave none. */
	status_code: number;
	error_message: string;
	response_body: Uint8Array;
}>;

/** One JSON-RPC request on its way into the log. */
export type CallRecord = Readonly<{
	id: string | number;
	/** Notes what the gate decided; the row will say so. */
	note(facts: Partial<Facts>): void;
	/** It is the call that this approval lets run: its row has the approval's id. `done` is called once that is written. */
	runBy(approval_id: string, done: () => void): void;
	/** Writes the row; resolves when it is durable. Only the first outcome counts. */
	settle(outcome: CallOutcome): Promise<void>;
	isSettled(): boolean;
}>;

export type CallRecorder = Readonly<{
	/** @param bytes the request as it was sent. */
	begin(
		exchange: Exchange,
		server: McpServerRecord,
		call: Readonly<{request: McpRequest; bytes: Uint8Array}>,
	): CallRecord;
}>;

type RecorderNeeds = Readonly<{callLog: CallLog; clock: Clock; ids: Ids; metrics: ProxyMetrics}>;

/** What an upstream says about an error may quote the body: where bodies are not kept whole, neither is that. */
const messageOf = ({log_bodies}: McpServerRecord, {status, error_message}: CallOutcome): string =>
	status === 'success' || log_bodies.mode === 'full' ? error_message : 'The call failed; its bodies are not kept.';

/**
 * Clients repeat parts of the body as headers (MCP 2026-07-28): where bodies are not kept whole, neither are those. What a
 * tool is called stands in the log anyway.
 */
const repeatsBody =
	({log_bodies}: McpServerRecord, {method}: McpRequest) =>
	(name: string): boolean =>
		log_bodies.mode !== 'full' && (name.startsWith('mcp-param-') || (name === 'mcp-name' && method !== 'tools/call'));

/** Lists show these whole: a client that sends megabytes of a name gets the beginning of it logged. */
const loggedNameCharacters = 1280;

const named = (text: string): string => text.slice(0, loggedNameCharacters).toWellFormed();

type Facts = Readonly<{approval_id: string | null; cost_cents: number}>;

type Begun = Readonly<{
	exchange: Exchange;
	server: McpServerRecord;
	request: McpRequest;
	bytes: Uint8Array;
	facts: Facts;
}>;

type Settled = Readonly<{id: string; now: string}>;

const entryOf = (
	{exchange, server, request, bytes, facts}: Begun,
	outcome: CallOutcome,
	settled: Settled,
): McpCallEntry => {
	const redact = compileBodyRedaction(server.log_bodies);
	return {
		id: settled.id,
		mcp_server_id: server.id,
		team_id: server.team_id,
		method: named(request.method),
		tool_name: named(toolNameOf(request) ?? ''),
		request_body: redact(bytes),
		response_body: redact(outcome.response_body),
		status: outcome.status,
		status_code: outcome.status_code,
		error_message: messageOf(server, outcome),
		duration_ms: Math.max(0, millisecondsBetween(exchange.started_at, settled.now)),
		source_ip: exchange.source_ip,
		headers: maskHeaders(exchange.request.headers, repeatsBody(server, request)),
		approval_id: facts.approval_id,
		cost_cents: facts.cost_cents,
		created_at: exchange.started_at,
	};
};

const free: Facts = {approval_id: null, cost_cents: 0};

type Execution = Readonly<{id: string; done(): void}>;

class BegunCall implements CallRecord, Begun {
	readonly exchange: Exchange;
	readonly server: McpServerRecord;
	readonly request: McpRequest;
	readonly bytes: Uint8Array;
	facts = free;
	readonly #needs: RecorderNeeds;
	#execution: Execution | undefined;
	#written: Promise<void> | undefined;

	constructor(needs: RecorderNeeds, {exchange, server, request, bytes}: Omit<Begun, 'facts'>) {
		this.#needs = needs;
		this.exchange = exchange;
		this.server = server;
		this.request = request;
		this.bytes = bytes;
	}

	get id(): string | number {
		return this.request.id;
	}

	note(noted: Partial<Facts>): void {
		this.facts = {...this.facts, ...noted};
	}

	runBy(id: string, done: () => void): void {
		this.#execution = {id, done};
	}

	settle(outcome: CallOutcome): Promise<void> {
		this.#written ??= this.#write(outcome);
		return this.#written;
	}

	isSettled(): boolean {
		return this.#written !== undefined;
	}

	#write(outcome: CallOutcome): Promise<void> {
		const execution = this.#execution;
		return execution === undefined ? this.#append(outcome, undefined) : this.#end(outcome, execution);
	}

	async #end(outcome: CallOutcome, {id, done}: Execution): Promise<void> {
		try {
			await this.#append(outcome, id);
		} finally {
			done();
		}
	}

	#append(outcome: CallOutcome, id: string | undefined): Promise<void> {
		const {callLog, clock, ids, metrics} = this.#needs;
		const entry = entryOf(this, outcome, {id: id ?? ids.next(), now: clock.now()});
		const method = isKnownMethod(this.request.method) ? this.request.method : 'other';
		metrics.observeCall({method, status: entry.status, duration_ms: entry.duration_ms});
		return callLog.append(entry);
	}
}

export const createCallRecorder = (needs: RecorderNeeds): CallRecorder => ({
	begin: (exchange, server, {request, bytes}) => new BegunCall(needs, {exchange, server, request, bytes}),
});

/** Gives every call that has none yet the same outcome. */
export const settleAll = async (calls: readonly CallRecord[], outcome: CallOutcome): Promise<void> => {
	await Promise.all(calls.filter((call) => !call.isSettled()).map((call) => call.settle(outcome)));
};
