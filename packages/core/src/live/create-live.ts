import type {DomainEvent, Ports} from '../ports/index.ts';
import {announcedCallLog, announcedIntake, announcedNotifications, announcedSignals} from './announced-stores.ts';
import {type Audit, createAudit} from './audit.ts';
import {createListeners} from './listeners.ts';
import {newsOf} from './news.ts';
import {createNotifications, type Notifications} from './notifications.ts';
import {createRecorder, type Recorder} from './recorder.ts';
import {createLiveStream, type LiveStream} from './stream.ts';
import {createWakeUps} from './wake-ups.ts';

/** Kept for those who were away. Seconds. */
const keptSeconds = 3600;
const purgedAtOnce = 2000;

/** What people see happen, and what they are told. */
export type Live = Readonly<{
	audit: Audit;
	notifications: Notifications;
	stream: LiveStream;
	/** Begins to record what happens in this process for those who look on: before, nothing is. */
	start(): void;
	/** Records what waits, and no more. */
	stop(): Promise<void>;
	/** Deletes what is too old to go on from. Run it about once a minute. @returns how many events went. */
	purge(signal?: AbortSignal): Promise<number>;
}>;

/** Ports that tell of what goes through them. */
type Announced = Pick<Ports, 'signals' | 'callLog' | 'intake' | 'notifications'>;

const purge = async ({liveEvents}: Pick<Ports, 'liveEvents'>, signal?: AbortSignal): Promise<number> => {
	let count = 0;
	while (!signal?.aborted) {
		const purged = await liveEvents.purge(keptSeconds, purgedAtOnce);
		count += purged;
		if (purged < purgedAtOnce) break;
	}
	return count;
};

/** Wires what is live. What the others do through `announced` is told. */
export const createLive = (ports: Ports): Readonly<{live: Live; announced: Announced}> => {
	const listeners = createListeners(ports);
	const wakeUps = createWakeUps(ports);
	const ending = new AbortController();
	let recorder: Recorder | undefined;
	let keeping: Promise<void> | undefined;
	const tell: Recorder['tell'] = (news) => recorder?.tell(news);
	const hear = (event: DomainEvent): void => {
		const news = recorder && newsOf(ports, event);
		if (news) tell(news);
	};
	return {
		live: {
			audit: createAudit(ports),
			notifications: createNotifications(ports),
			stream: createLiveStream({...ports, alarmFor: wakeUps.alarmFor}),
			start: () => {
				recorder ??= createRecorder({...ports, listeners});
				keeping ??= listeners.keep(ending.signal, wakeUps.ringAll);
			},
			stop: async () => {
				ending.abort();
				await recorder?.close();
				await keeping;
			},
			purge: (signal) => purge(ports, signal),
		},
		announced: {
			signals: announcedSignals(ports.signals, hear),
			callLog: announcedCallLog(ports.callLog, tell),
			intake: announcedIntake(ports.intake, tell),
			notifications: announcedNotifications(ports.notifications, tell),
		},
	};
};
