import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';
import {deliverySchema, deliveryStatusSchema} from './delivery.ts';
import type {HeaderField, ReferencingBytes, ReferencingText} from './message.ts';
import {type CompactTrace, traceSchema} from './trace.ts';

/** Of events that go nowhere. */
export const restingStatusSchema = z.enum(['filtered', 'duplicate', 'unmatched', 'pipeline_error']);
export type RestingStatus = z.infer<typeof restingStatusSchema>;

export const eventStatusSchema = z.enum([...deliveryStatusSchema.options, ...restingStatusSchema.options]);
export type EventStatus = z.infer<typeof eventStatusSchema>;

export const webhookEventSchema = z.object({
	id: recordId,
	endpoint_id: recordId,
	method: z.string(),
	path: z.string(),
	query: z.string(),
	headers: z.record(z.string(), z.string()),
	body: z.string(),
	source_ip: z.string(),
	delivery_status: eventStatusSchema,
	/** Of the latest attempt. */
	status_code: z.int().nullable(),
	response_body: z.string().nullable(),
	retry_count: z.int(),
	next_retry_at: instantText.nullable(),
	delivered_at: instantText.nullable(),
	created_at: instantText,
	trace: traceSchema,
	deliveries: z.array(deliverySchema),
});
/** A webhook that came in, and what became of it. */
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** An event on its way into the store. */
export type NewEvent = Readonly<{
	id: string;
	endpoint_id: string;
	team_id: string;
	user_id: string;
	method: string;
	path: string;
	query: string;
	headers: readonly HeaderField[];
	body: Uint8Array;
	source_ip: string;
	/** The event that this one repeats. */
	replay_of: string | null;
	created_at: string;
	/**
	 * What the pipeline made of headers and body; null where it changed nothing. Headers: without those that the sender said
	 * are for its own connection.
	 */
	processed: Readonly<{
		headers: readonly (readonly [name: string, value: ReferencingText])[] | null;
		body: ReferencingBytes | null;
	}>;
	trace: CompactTrace;
}>;
