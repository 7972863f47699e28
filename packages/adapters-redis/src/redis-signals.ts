import {randomUUID} from 'node:crypto';
import type {DomainEvent, SharedSignals, Signals} from '@signalbox/core';
import {bareError, type RedisConnection} from './connect-redis.ts';

export type RedisSignalsNeeds = Readonly<{
	redis: RedisConnection;
	/** Signals of this process, which nothing else publishes to. */
	local: Signals;
	/** Which events others are told of. Default: all. */
	crosses?: (event: DomainEvent) => boolean;
	onError(error: Error): void;
}>;

type Message = Readonly<{origin: string; event: DomainEvent}>;

/**
 * Signals through publish and subscribe: others hear at once. While there is no connection what is published stays in its
 * process, and what others publish is lost here.
 */
export const createRedisSignals = ({
	redis: {commands, messages, prefix},
	local,
	crosses = () => true,
	onError,
}: RedisSignalsNeeds): SharedSignals => {
	const self = randomUUID();
	const channel = `${prefix}:signals`;
	const failed = (error: unknown): void => onError(bareError(error));
	const send = (event: DomainEvent): void => {
		const message: Message = {origin: self, event};
		void commands.publish(channel, JSON.stringify(message)).catch(failed);
	};
	const hear = (_: string, text: string): void => {
		try {
			const {origin, event} = JSON.parse(text) as Message;
			if (origin !== self) local.publish(event);
		} catch (error) {
			failed(error);
		}
	};
	const listen = (): Promise<unknown> => messages.subscribe(channel).catch(failed);
	return {
		publish: (event) => {
			local.publish(event);
			if (commands.status === 'ready' && crosses(event)) send(event);
		},
		subscribe: local.subscribe,
		start: async () => {
			messages.on('message', hear);
			// Before that it would be sent ahead of what makes the connection ready, which then never is.
			if (messages.status === 'ready') await listen();
			else messages.once('ready', listen);
		},
		close: async () => {
			messages.off('ready', listen);
			messages.off('message', hear);
		},
	};
};
