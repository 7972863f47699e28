import {defineTable, instant, number, text} from '../table.ts';

export type ClaimRow = Readonly<{middleware_id: string; digest: string; endpoint_id: string; expires_at: string}>;

export const claims = defineTable<ClaimRow>('webhook_claims', {
	middleware_id: text(),
	digest: text(),
	endpoint_id: text(),
	expires_at: instant,
});

/** How many events a user got in a UTC month. */
export type EventCount = Readonly<{user_id: string; month: string; events: number}>;

export const eventCounts = defineTable<EventCount>('webhook_event_counts', {
	user_id: text(),
	month: text(),
	events: number,
});
