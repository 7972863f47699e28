import {
	approvalSchema,
	chainExecutionSchema,
	eventStatusSchema,
	executionSchema,
	liveEventTypeSchema,
	mcpCallSchema,
	notificationSchema,
	stepExecutionSchema,
} from '@signalbox/core';
import {z} from 'zod';

const id = z.uuid();
const instant = z.iso.datetime();

const webhookEvent = z.object({
	...{id, endpoint_id: id, method: z.string(), replay_of: id.nullable()},
	...{delivery_status: eventStatusSchema, created_at: instant},
});

const delivery = z.object({
	...{id, event_id: id, endpoint_id: id},
	status: z.enum(['delivered', 'retrying', 'failed']),
});

const step = stepExecutionSchema.pick({
	...({step_order: true, cron_job_id: true, job_name: true, status: true} as const),
	...({execution_id: true, started_at: true, completed_at: true} as const),
});

const approval = approvalSchema.omit({request_body: true, arguments_json: true});

const call = mcpCallSchema.omit({
	...({request_body: true, response_body: true, headers: true, error_message: true, source_ip: true} as const),
});

const liveEvent = <const Type extends z.infer<typeof liveEventTypeSchema>, Data extends z.ZodObject>(
	type: Type,
	data: Data,
) => z.object({type: z.literal(type), occurred_at: instant, data});

/** What each event says: enough to show or to change a row of its list. */
export const liveEventView = z
	.discriminatedUnion('type', [
		liveEvent('approval.pending', approval),
		liveEvent('approval.decided', approval),
		liveEvent('mcp.call', call),
		liveEvent('webhook.event', webhookEvent),
		liveEvent('webhook.delivery', delivery),
		liveEvent('cron.execution', executionSchema.omit({output: true, error: true})),
		liveEvent('chain.execution', chainExecutionSchema.omit({steps: true}).extend({steps: z.array(step)})),
		liveEvent('notification', notificationSchema),
	])
	.meta({
		id: 'LiveEvent',
		examples: [
			{
				type: 'webhook.delivery',
				occurred_at: '2026-01-31T09:30:00.000Z',
				data: {
					id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a71',
					event_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a70',
					endpoint_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a60',
					status: 'delivered',
				},
			},
		],
	});

/** Some of the types, with commas between them. */
export const typesField = z
	.string()
	.transform((text) => text.split(','))
	.pipe(z.array(liveEventTypeSchema).min(1))
	.optional()
	.meta({description: 'Only these types of events, with commas between them. Default: all.'});
