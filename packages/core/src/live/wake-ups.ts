import type {LiveAudience, Ports} from '../ports/index.ts';

/** Milliseconds that a lost signal can delay somebody who looks on. */
const lookEveryMs = 5000;

/** Rings when there may be something to read. */
export type Alarm = Readonly<{
	/** To be taken before one looks: what comes up meanwhile rings it. */
	next(): Readonly<{wait(signal: AbortSignal): Promise<void>}>;
	end(): void;
}>;

export type WakeUps = Readonly<{
	alarmFor(audience: LiveAudience): Alarm;
	/** Rings all of them. */
	ringAll(): void;
}>;

type Sleeper = Readonly<{ids: readonly string[]; ring(): void}>;

const createAlarm = (clock: Ports['clock'], join: (ring: () => void) => () => void): Alarm => {
	let rung = new AbortController();
	const end = join(() => rung.abort());
	return {
		next: () => {
			rung = new AbortController();
			const current = rung.signal;
			return {wait: (signal) => clock.sleep(lookEveryMs, AbortSignal.any([current, signal]))};
		},
		end,
	};
};

export const createWakeUps = ({signals, clock}: Pick<Ports, 'signals' | 'clock'>): WakeUps => {
	const sleepers = new Set<Sleeper>();
	signals.subscribe((event) => {
		if (event.type !== 'live.recorded' || sleepers.size === 0) return;
		const ids = new Set(event.ids);
		for (const sleeper of sleepers) if (sleeper.ids.some((id) => ids.has(id))) sleeper.ring();
	});
	return {
		alarmFor: ({team_id, user_id}) =>
			createAlarm(clock, (ring) => {
				const sleeper = {ids: [team_id, user_id], ring};
				sleepers.add(sleeper);
				return () => sleepers.delete(sleeper);
			}),
		ringAll: () => {
			for (const {ring} of sleepers) ring();
		},
	};
};
