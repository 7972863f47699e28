import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';
import type {ReferencingBytes, ReferencingText} from './message.ts';
import type {RetryConfig} from './retry-config.ts';

const attemptOutcomeSchema = z.enum(['delivered', 'failed', 'unknown']);
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>;

export const attemptSchema = z.object({
	id: recordId,
	delivery_id: recordId,
	/** From 1. */
	number: z.int(),
	started_at: instantText,
	completed_at: instantText.nullable(),
	/** `unknown` until the answer is recorded, and for good when the process died before. */
	outcome: attemptOutcomeSchema,
	status_code: z.int().nullable(),
	/** Why there is no status: `timeout`, `unreachable`, `blocked`, ... */
	error_code: z.string().nullable(),
	response_headers: z.record(z.string(), z.string()),
	/** The first 64 KiB. */
	response_body: z.string(),
	duration_ms: z.int().nullable(),
});
/** One try to deliver. */
export type Attempt = z.infer<typeof attemptSchema>;

export const deliveryStatusSchema = z.enum(['pending', 'retrying', 'delivered', 'failed']);
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

export const deliverySchema = z.object({
	id: recordId,
	/** Null: the endpoint's primary destination. */
	rule_id: recordId.nullable(),
	name: z.string(),
	/** References unresolved. */
	url: z.string(),
	status: deliveryStatusSchema,
	attempt_count: z.int(),
	next_attempt_at: instantText.nullable(),
	last_status_code: z.int().nullable(),
	last_error: z.string().nullable(),
	attempts: z.array(attemptSchema),
});
/** One destination of an event, and how it went. */
export type Delivery = z.infer<typeof deliverySchema>;

/** A delivery as routing plans it. */
export type PlannedDelivery = Readonly<{
	id: string;
	rule_id: string | null;
	name: string;
	url: string;
	/** What is in flight at once is counted by it: the origin of the destination, or the text of a whole reference. */
	destination_key: string;
	/** Configuration text: references unresolved. */
	headers_override: Readonly<Record<string, string>>;
	/** What the rule's template made; null: the body as the pipeline left it. */
	body: ReferencingBytes | null;
	retry_config: RetryConfig;
	/** How long after its acceptance it is due. Seconds. */
	delay_seconds: number;
	/** Why it cannot be sent at all: then it is `failed` from the start. */
	failure: string | null;
}>;

/** A delivery that this process may attempt now: its attempt row is written, its lease runs. */
export type LeasedDelivery = Omit<PlannedDelivery, 'delay_seconds' | 'failure'> &
	Readonly<{
		event_id: string;
		endpoint_id: string;
		team_id: string;
		/** Whose endpoint it is. */
		user_id: string;
		/** The webhook as the pipeline left it. */
		event: Readonly<{
			method: string;
			headers: readonly (readonly [name: string, value: ReferencingText])[];
			body: ReferencingBytes;
		}>;
		/** Rises with each lease: what a holder settles counts only while it is the last. */
		fence: number;
		/** Attempts before this one since it was accepted or armed again: 0 for the first. */
		retries: number;
		attempt: Readonly<{id: string; number: number; started_at: string}>;
	}>;
