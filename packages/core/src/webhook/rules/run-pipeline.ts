import type {PipelineClaim} from '../model/acceptance-plan.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {CompactTrace, PipelineOutcome, PipelineStep} from '../model/trace.ts';
import type {CompiledStep, Pipeline} from './compile-pipeline.ts';
import {type EnvMarkers, isExpected} from './env-markers.ts';
import {type MessageView, viewMessage} from './message-view.ts';
import {shownHeaders} from './shown-headers.ts';
import type {StepVerdict} from './step.ts';
import {tracedBody} from './traced-body.ts';

/** What the middleware made of a webhook, as far as it can be told without asking who was first. */
export type PipelineRun = Readonly<{
	trace: CompactTrace['pipeline'];
	/** The webhook as routing sees it; its texts hold stand-ins for references. */
	view: MessageView;
	/** In the order of the steps: the first that is taken decides. */
	claims: readonly PipelineClaim[];
}>;

export type PipelineFacts = Readonly<{
	markers: EnvMarkers;
	/** Deduplicate steps let a replay pass. */
	is_replay: boolean;
	/** Called before each step; what it throws ends the run, and is thrown. */
	proceed?: () => void;
}>;

/** How far a webhook has come. */
type Progress = {
	readonly received: WebhookMessage;
	view: MessageView;
	delay_seconds: number;
	readonly steps: PipelineStep[];
	readonly claims: PipelineClaim[];
	readonly markers: EnvMarkers;
};

type Passed = Extract<StepVerdict, {outcome: 'passed'}>;
type Claimed = Extract<StepVerdict, {outcome: 'claims'}>;
type Verdict = StepVerdict | Readonly<{outcome: 'error'; message: string}>;

const judge = ({middleware, run}: CompiledStep, view: MessageView, {markers, is_replay}: PipelineFacts): Verdict => {
	if (middleware.type === 'deduplicate' && is_replay) return {outcome: 'passed', message: 'a replay is no duplicate'};
	try {
		return run(view, markers);
	} catch (error) {
		if (isExpected(error)) return {outcome: 'error', message: error.message};
		throw error;
	}
};

const changed = (message: WebhookMessage, {headers, body}: Passed): WebhookMessage => ({
	...message,
	headers: headers ?? message.headers,
	body: body === undefined ? message.body : new TextEncoder().encode(body),
});

const traceOf = (progress: Progress, outcome: PipelineOutcome): CompactTrace['pipeline'] => {
	const {received, view, delay_seconds, steps, markers} = progress;
	const {show} = markers;
	const {headers, body} = view.message;
	return {
		outcome,
		delay_seconds,
		steps: [...steps],
		result: {
			...(headers !== received.headers && {headers: shownHeaders(headers, show)}),
			...(body !== received.body && tracedBody(show(view.bodyText()))),
		},
	};
};

type StepName = Omit<PipelineStep, 'outcome' | 'message'>;

const pass = (progress: Progress, step: StepName, passed: Passed): void => {
	const {show} = progress.markers;
	const {message, headers, body, delay_seconds = 0} = passed;
	if (headers !== undefined || body !== undefined) progress.view = viewMessage(changed(progress.view.message, passed));
	progress.delay_seconds += delay_seconds;
	progress.steps.push({
		...step,
		outcome: 'passed',
		message,
		...(headers !== undefined && {headers: shownHeaders(headers, show)}),
		...(body !== undefined && tracedBody(show(body))),
	});
};

/** The claim of a deduplicate step, with the trace that ends there. */
const claim = (progress: Progress, step: StepName, claimed: Claimed): void => {
	const {value, ttl_seconds} = claimed;
	const message = `seen before, within ${ttl_seconds} s`;
	const ended: Progress = {...progress, steps: [...progress.steps, {...step, outcome: 'duplicate', message}]};
	const otherwise = traceOf(ended, 'duplicate');
	progress.claims.push({middleware_id: step.middleware_id, value, ttl_seconds, otherwise});
	pass(progress, step, {outcome: 'passed', message: claimed.message});
};

const endOf = (progress: Progress, outcome: PipelineOutcome): PipelineRun => ({
	trace: traceOf(progress, outcome),
	view: progress.view,
	claims: progress.claims,
});

/**
 * Takes a webhook through an endpoint's middleware, without effects: who was first with a value is asked later. So the
 * same run serves webhooks that come in, replays, and dry runs.
 */
export const runPipeline = (pipeline: Pipeline, message: WebhookMessage, facts: PipelineFacts): PipelineRun => {
	const {markers, proceed} = facts;
	const view = viewMessage(message);
	const progress: Progress = {received: message, view, delay_seconds: 0, steps: [], claims: [], markers};
	for (const compiled of pipeline) {
		proceed?.();
		const {id: middleware_id, name, type} = compiled.middleware;
		const step = {middleware_id, name, type};
		const verdict = judge(compiled, progress.view, facts);
		switch (verdict.outcome) {
			case 'blocked':
			case 'error':
				progress.steps.push({...step, ...verdict});
				return endOf(progress, verdict.outcome);
			case 'claims':
				claim(progress, step, verdict);
				break;
			case 'passed':
				pass(progress, step, verdict);
		}
	}
	return endOf(progress, 'passed');
};
