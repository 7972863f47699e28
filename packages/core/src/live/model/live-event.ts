import {z} from 'zod';
import type {Instant} from '../../values/instant.ts';

export const liveEventTypeSchema = z.enum([
	'approval.pending',
	'approval.decided',
	'mcp.call',
	'webhook.event',
	'webhook.delivery',
	'cron.execution',
	'chain.execution',
	'notification',
]);
export type LiveEventType = z.infer<typeof liveEventTypeSchema>;

/** What the live stream tells: enough to show or change a row of a list, never a body, an argument or an output. */
export type LiveEvent = Readonly<{
	type: LiveEventType;
	/** Who of that team looks on is told; null: only the user is. */
	team_id: string | null;
	/** The user who is told in whatever team; null: only the team is. */
	user_id: string | null;
	data: Readonly<Record<string, unknown>>;
	occurred_at: Instant;
}>;

/** An event by its place: whoever has seen a number never sees a lower one appear. */
export type NumberedLiveEvent = LiveEvent & Readonly<{seq: number}>;
