import {z} from 'zod';
import {recordId} from '../../values/text.ts';
import {middlewareTypeSchema} from './middleware.ts';
import {routingModeSchema} from './routing-rule.ts';

export const pipelineOutcomeSchema = z.enum(['passed', 'blocked', 'duplicate', 'error']);
export type PipelineOutcome = z.infer<typeof pipelineOutcomeSchema>;

/** Names to values as people read them: repeated fields joined, references shown as `{{env.KEY}}`. */
const shownHeaders = z.record(z.string(), z.string());

/** Characters of each body in a trace. What was received and what is sent are kept whole, each once. */
export const tracedCharacters = 16_384;

const body_truncated = z
	.literal(true)
	.optional()
	.meta({description: 'Only beside a body that is cut: a trace holds the first 16,384 characters.'});

export const pipelineStepSchema = z.object({
	middleware_id: recordId,
	name: z.string(),
	type: middlewareTypeSchema,
	outcome: pipelineOutcomeSchema,
	/** What the step did, and why. */
	message: z.string(),
	/** After the step, where it changed them. */
	headers: shownHeaders.optional(),
	body: z.string().optional(),
	body_truncated,
});
export type PipelineStep = z.infer<typeof pipelineStepSchema>;

export const pipelineTraceSchema = z.object({
	outcome: pipelineOutcomeSchema,
	delay_seconds: z.int(),
	steps: z.array(pipelineStepSchema),
	result: z.object({headers: shownHeaders, body: z.string(), body_truncated}),
});
/** What the middleware made of a webhook: the answer of the middleware test, and the first half of a trace. */
export type PipelineTrace = z.infer<typeof pipelineTraceSchema>;

export const routingTraceSchema = z.object({
	routing_mode: routingModeSchema,
	destinations: z.array(
		z.object({
			rule_id: recordId.nullable(),
			name: z.string(),
			url: z.string(),
			headers: shownHeaders,
			body: z.string(),
			body_truncated,
		}),
	),
	rules: z.array(z.object({rule_id: recordId, name: z.string(), matched: z.boolean(), reason: z.string()})),
});
/** Where a webhook goes and why: the answer of the routing test, and the second half of a trace. */
export type RoutingTrace = z.infer<typeof routingTraceSchema>;

export const traceSchema = z.object({
	pipeline: pipelineTraceSchema,
	/** Null when the webhook did not get as far. */
	routing: routingTraceSchema.nullable(),
});
/** Why a webhook went where it went. */
export type Trace = z.infer<typeof traceSchema>;

export type TracedBody = Readonly<{body: string; body_truncated?: true}>;

/** Headers and body where they differ from those before; what is left out is as it was. */
export type Changes = Readonly<{headers?: Readonly<Record<string, string>>}> & Partial<TracedBody>;

/** A trace as it is kept: a webhook that nothing changed is not written down again. */
export type CompactTrace = Readonly<{
	/** `result` beside what was received. */
	pipeline: Omit<PipelineTrace, 'result'> & Readonly<{result: Changes}>;
	/** Each destination beside the result of the pipeline. */
	routing:
		| (Omit<RoutingTrace, 'destinations'> &
				Readonly<{destinations: readonly (Pick<Destination, 'rule_id' | 'name' | 'url'> & Changes)[]}>)
		| null;
}>;

type Destination = RoutingTrace['destinations'][number];
