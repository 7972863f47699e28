import type {Instant, NumberedLiveEvent} from '@signalbox/core';
import {defineTable, instant, json, nullable, number, text} from '../table.ts';

export const liveEvents = defineTable<NumberedLiveEvent>('live_events', {
	seq: number,
	team_id: nullable(text()),
	user_id: nullable(text()),
	type: text(),
	data: json(),
	occurred_at: instant,
});

/** With when it was recorded, which nobody is told. */
export const recordedEvents = defineTable<NumberedLiveEvent & Readonly<{recorded_at: Instant}>>('live_events', {
	seq: number,
	team_id: nullable(text()),
	user_id: nullable(text()),
	type: text(),
	data: json(),
	occurred_at: instant,
	recorded_at: instant,
});

export type Listener = Readonly<{audience_id: string; since_seq: number | null; until_at: Instant}>;

export const listeners = defineTable<Listener>('live_listeners', {
	audience_id: text(),
	since_seq: nullable(number),
	until_at: instant,
});

export type Progress = Readonly<{name: string; newest: number; forgotten: number}>;

export const progress = defineTable<Progress>('live_progress', {name: text(), newest: number, forgotten: number});
