import type {Caller, McpServerRecord} from '@signalbox/core';
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
	 * Detaches the held call that a `notifications/cancelled` names. False when there is none, or when several clients
	 * without a session hold one under that id: then it cannot be told whose is meant.
	 */
	cancel(sender: Sender, message: Message): boolean;
}>;

const keyOf = ({server, caller, exchange}: Sender, id: unknown): string =>
	JSON.stringify([server.id, caller?.user_id ?? null, exchange.request.headers['mcp-session-id'] ?? null, id]);

export const createHeldCalls = (): HeldCalls => {
	const held = new Map<string, Set<Exchange>>();
	return {
		add: (sender, id) => {
			const key = keyOf(sender, id);
			const exchanges = held.get(key) ?? new Set();
			held.set(key, exchanges.add(sender.exchange));
			return () => {
				exchanges.delete(sender.exchange);
				if (exchanges.size === 0 && held.get(key) === exchanges) held.delete(key);
			};
		},
		cancel: (sender, message) => {
			if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return false;
			const id = isObject(message.params) ? message.params.requestId : undefined;
			const [only, ...others] = held.get(keyOf(sender, id)) ?? [];
			if (only === undefined || others.length > 0) return false;
			only.leave('cancelled');
			return true;
		},
	};
};
