import {signal} from '@preact/signals';
import {ApiError} from '@signalbox/client-sdk';
import {client, onTried} from '../session/client.ts';
import {sessionEnded} from '../session/session.ts';

/** What the stream tells of. */
export type LiveTopic =
	| 'approval.pending'
	| 'approval.decided'
	| 'mcp.call'
	| 'webhook.event'
	| 'webhook.delivery'
	| 'cron.execution'
	| 'chain.execution'
	| 'notification';

type Listener = Readonly<{topics: readonly LiveTopic[]; hear: () => void}>;

const listeners = new Set<Listener>();
/** However much happens, what is shown is read again this often at most. Milliseconds. */
const pace = 400;
const told = new Set<LiveTopic>();
let timer: ReturnType<typeof setTimeout> | undefined;

const tellAll = (): void => {
	timer = undefined;
	const topics = new Set(told);
	told.clear();
	for (const listener of listeners) if (listener.topics.some((topic) => topics.has(topic))) listener.hear();
};

/** Something of that kind happened. */
const tell = (topic: LiveTopic): void => {
	told.add(topic);
	if (timer === undefined) timer = setTimeout(tellAll, pace);
};

/** Calls back, a few times a second at most, when something of these kinds happened. @returns what ends that. */
export const listen = (topics: readonly LiveTopic[], hear: () => void): (() => void) => {
	if (topics.length === 0) return () => undefined;
	const listener = {topics, hear};
	listeners.add(listener);
	return () => listeners.delete(listener);
};

const allTopics: readonly LiveTopic[] = [
	'approval.pending',
	'approval.decided',
	'mcp.call',
	'webhook.event',
	'webhook.delivery',
	'cron.execution',
	'chain.execution',
	'notification',
];
/** Something may have happened that nobody told of. */
const tellOfEverything = (): void => {
	for (const topic of allTopics) tell(topic);
};

/** Whether the server was not there when it was last asked: what is shown may be old. */
export const isCutOff = signal(false);

const follow = async (signal: AbortSignal): Promise<void> => {
	for await (const {type} of client.stream({signal})) {
		if (type === 'open' || type === 'reset') tellOfEverything();
		else tell(type);
	}
};

/** Listens to what happens while somebody is signed in. @returns what ends that. */
export const startLive = (): (() => void) => {
	const ending = new AbortController();
	onTried((isThere) => {
		isCutOff.value = !isThere && !ending.signal.aborted;
	});
	follow(ending.signal).catch((error) => {
		if (error instanceof ApiError && error.status === 401) sessionEnded();
	});
	return () => {
		ending.abort();
		isCutOff.value = false;
	};
};
