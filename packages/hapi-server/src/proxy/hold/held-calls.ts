import {type Caller, callerKeyOf, type McpServerRecord, type Secrets, type Signals} from '@signalbox/core';
import type {Exchange} from '../exchange.ts';
import {isObject, type Message} from '../message.ts';

/** Who sent a message, as far as one client can be told from another. */
type Sender = Readonly<{
	server: McpServerRecord;
	caller: Caller | undefined;
	exchange: Exchange;
}>;

/** The calls that wait for a person in this process, so that a client can take its own one back. */
export type HeldCalls = Readonly<{
	/** Answers the function that forgets it. */
	add(sender: Sender, id: string | number): () => void;
	/**
	 * Detaches the held call that a `notifications/cancelled` names. False when there is none here, which other processes
	 * are then told, or when several clients without a session hold one under that id: then it cannot be told whose is meant.
	 */
	cancel(sender: Sender, message: Message): boolean;
	/** Hears no more of other processes. */
	close(): void;
}>;

type Needs = Readonly<{signals: Signals; secrets: Pick<Secrets, 'digest'>}>;

/** The calls of this process. */
const createPlaces = () => {
	const held = new Map<string, Set<Exchange>>();
	return {
		add: (key: string, exchange: Exchange) => {
			const exchanges = held.get(key) ?? new Set();
			held.set(key, exchanges.add(exchange));
			return () => {
				exchanges.delete(exchange);
				if (exchanges.size === 0 && held.get(key) === exchanges) held.delete(key);
			};
		},
		cancel: (key: string): 'none' | 'one' | 'several' => {
			const [only, ...others] = held.get(key) ?? [];
			if (only === undefined) return 'none';
			if (others.length > 0) return 'several';
			only.leave('cancelled');
			return 'one';
		},
	};
};

/** Clients count the ids of their requests alike: what has neither a session nor a name is told apart by its address. */
const clientOf = ({caller, exchange}: Sender): readonly unknown[] => {
	const session = exchange.request.headers['mcp-session-id'] ?? null;
	return [callerKeyOf(caller), session, session === null && caller === undefined ? exchange.source_ip : null];
};

export const createHeldCalls = ({signals, secrets}: Needs): HeldCalls => {
	const places = createPlaces();
	const keyOf = (sender: Sender, id: unknown): string =>
		secrets.digest(JSON.stringify([sender.server.id, clientOf(sender), id]));
	const close = signals.subscribe((event) => {
		if (event.type === 'mcp.call.cancelled') places.cancel(event.held_key);
	});
	return {
		add: (sender, id) => places.add(keyOf(sender, id), sender.exchange),
		cancel: (sender, message) => {
			const {id: mcp_server_id, team_id, approval_config} = sender.server;
			if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return false;
			const id = isObject(message.params) ? message.params.requestId : undefined;
			const held_key = keyOf(sender, id);
			const canceled = places.cancel(held_key);
			if (canceled === 'none' && approval_config.enabled)
				signals.publish({type: 'mcp.call.cancelled', mcp_server_id, team_id, held_key});
			return canceled === 'one';
		},
		close,
	};
};
