import {destinationKeyOf} from '../../values/template.ts';
import type {AcceptancePlan} from '../model/acceptance-plan.ts';
import type {PlannedDelivery} from '../model/delivery.ts';
import type {EndpointRecord} from '../model/endpoint.ts';
import type {WebhookMessage} from '../model/message.ts';
import {defaultRetryConfig} from '../model/retry-config.ts';
import type {CompactTrace} from '../model/trace.ts';
import {chooseDestinations} from './choose-destinations.ts';
import type {CompiledEndpoint} from './compile-endpoint.ts';
import type {CompiledRule} from './compile-routing.ts';
import {endToEndHeaders} from './end-to-end-headers.ts';
import type {EnvMarkers} from './env-markers.ts';
import type {MessageView} from './message-view.ts';
import {runPipeline} from './run-pipeline.ts';
import {shownHeaders} from './shown-headers.ts';
import {createStepLimit, type StepLimit} from './step-limit.ts';
import {templateScope} from './template-scope.ts';
import {tracedBody} from './traced-body.ts';
import {withHeaders} from './transform-headers.ts';

export type AcceptanceFacts = Readonly<{
	event: Readonly<{id: string; created_at: string}>;
	markers: EnvMarkers;
	is_replay: boolean;
	/** Makes the id of a delivery. */
	nextId(): string;
	/** Called before each step, each rule and each template; what it throws ends the planning, and is thrown. */
	proceed?: () => void;
}>;

const statusOf = {blocked: 'filtered', error: 'pipeline_error', duplicate: 'duplicate'} as const;

const processedOf = (received: WebhookMessage, {message, bodyText}: MessageView, {extract}: EnvMarkers) => ({
	headers:
		message.headers === received.headers
			? null
			: endToEndHeaders(received.headers, message.headers).map(([name, value]) => [name, extract(value)] as const),
	body: message.body === received.body ? null : bytesOf(bodyText(), extract),
});

const bytesOf = (marked: string, extract: EnvMarkers['extract']) => {
	const {text, references} = extract(marked);
	return {bytes: new TextEncoder().encode(text), references};
};

type Rendered = Readonly<{body: string | null; failure: string | null}>;

/** With what the templates of all rules may cost. */
type RenderFacts = AcceptanceFacts & Readonly<{limit: StepLimit}>;

const render = (compiled: CompiledRule | null, view: MessageView, facts: RenderFacts): Rendered => {
	if (compiled?.template === undefined) return {body: null, failure: null};
	facts.proceed?.();
	try {
		return {body: compiled.template(templateScope(view, facts.event), facts.markers, facts.limit), failure: null};
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return {body: null, failure: `The template of the rule fails: ${error.message}`};
	}
};

type Planned = Readonly<{
	delivery: PlannedDelivery;
	traced: NonNullable<CompactTrace['routing']>['destinations'][number];
}>;

const planDelivery = (
	endpoint: EndpointRecord,
	compiled: CompiledRule | null,
	{view, delay_seconds, facts}: Readonly<{view: MessageView; delay_seconds: number; facts: RenderFacts}>,
): Planned => {
	const rule = compiled?.rule;
	const {body, failure} = render(compiled, view, facts);
	const headers_override = rule?.headers_override ?? {};
	const common = {rule_id: rule?.id ?? null, name: rule?.name ?? endpoint.name};
	const url = rule?.destination_url ?? endpoint.destination_url;
	const {show, extract} = facts.markers;
	const delivery = {
		...common,
		id: facts.nextId(),
		url,
		destination_key: destinationKeyOf(url, endpoint),
		headers_override,
		body: body === null ? null : bytesOf(body, extract),
		retry_config: rule?.retry_config ?? endpoint.retry_config ?? defaultRetryConfig,
		delay_seconds,
		failure,
	};
	const overridden = Object.keys(headers_override).length > 0;
	const traced = {
		...common,
		url,
		...(overridden && {headers: shownHeaders(withHeaders(view.message.headers, headers_override), show)}),
		...(body !== null && tracedBody(show(body))),
	};
	return {delivery, traced};
};

type TracedRules = NonNullable<CompactTrace['routing']>['rules'];

/** A rule whose template fails says so where people look why a webhook went where it went. */
const withFailures = (rules: TracedRules, deliveries: readonly PlannedDelivery[]): TracedRules => {
	const failures = new Map(deliveries.flatMap(({rule_id, failure}) => (failure === null ? [] : [[rule_id, failure]])));
	if (failures.size === 0) return rules;
	return rules.map((rule) => {
		const failure = failures.get(rule.rule_id);
		return failure === undefined ? rule : {...rule, reason: `${rule.reason}. ${failure}`};
	});
};

/** Takes a webhook through an endpoint, from what was received to what is delivered where, and why. */
export const planAcceptance = (
	{endpoint, pipeline, routing}: CompiledEndpoint,
	received: WebhookMessage,
	given: AcceptanceFacts,
): AcceptancePlan => {
	const facts = {...given, limit: createStepLimit()};
	const {markers} = facts;
	const {trace, view, claims} = runPipeline(pipeline, received, facts);
	const plan = {processed: processedOf(received, view, markers), claims};
	if (trace.outcome !== 'passed')
		return {...plan, trace: {pipeline: trace, routing: null}, outcome: {status: statusOf[trace.outcome]}};
	const {routing_mode} = endpoint;
	const {chosen, rules, failed} = chooseDestinations(routing_mode, routing, {...facts, view});
	const {delay_seconds} = trace;
	const planned = failed ? [] : chosen.map((rule) => planDelivery(endpoint, rule, {view, delay_seconds, facts}));
	const destinations = planned.map(({traced}) => traced);
	const deliveries = planned.map(({delivery}) => delivery);
	const status = failed ? 'pipeline_error' : 'unmatched';
	return {
		...plan,
		trace: {pipeline: trace, routing: {routing_mode, destinations, rules: withFailures(rules, deliveries)}},
		outcome: deliveries.length > 0 ? {deliveries} : {status},
	};
};
