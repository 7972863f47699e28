import type {EndpointRecord} from '../../src/webhook/model/endpoint.ts';
import type {HeaderField, WebhookMessage} from '../../src/webhook/model/message.ts';
import type {Middleware, MiddlewareConfigs} from '../../src/webhook/model/middleware.ts';
import type {RoutingRule} from '../../src/webhook/model/routing-rule.ts';

/** What the model is asked: configuration as people wrote it, a webhook, and which steps hold its value already. */
export type Question = Readonly<{
	endpoint: Pick<EndpointRecord, 'team_id' | 'user_id' | 'name' | 'destination_url' | 'routing_mode' | 'retry_config'>;
	middlewares: readonly Middleware[];
	rules: readonly RoutingRule[];
	message: WebhookMessage;
	env: Readonly<Record<string, string>>;
	is_replay: boolean;
	held: readonly string[];
}>;

/**
 * A webhook as plainly as it can be told: values are parsed with JSON.parse and made anew, nothing is compiled, cached or
 * edited in place. References are written `⟦KEY⟧` on the way, which nobody in these tests sends.
 */
type Webhook = {headers: HeaderField[]; body: string; delay: number; isHeaders: boolean; isBody: boolean};

class Failure extends Error {}

const mark = (text: string): string => text.replace(/\{\{\s*env\.(\w+)\s*\}\}/g, '⟦$1⟧');
const show = (text: string): string => text.replace(/⟦(\w+)⟧/g, '{{env.$1}}');
const fill = (text: string, env: Question['env']): string =>
	text.replace(/⟦(\w+)⟧/g, (_, key: string) => {
		const value = env[key];
		if (value === undefined) throw new Failure(key);
		return value;
	});

const store = (text: string) => {
	const parts = text.split(/⟦(\w+)⟧/);
	let plain = '';
	const references = parts.flatMap((part, index) => {
		if (index % 2 === 0) plain += part;
		return index % 2 === 0 ? [] : [{at: Buffer.byteLength(plain), key: part}];
	});
	return {text: plain, references};
};

/** Numbers that a double cannot hold, and keys that an object would put first, as texts that say so. */
const parse = (text: string): unknown =>
	JSON.parse(text.replace(/(?<=[:[,]|^)\d{17,}(?=[,\]}]|$)/g, '"number $&"').replace(/"(\d+)":/g, '"key $1":'));
const write = (value: unknown): string =>
	JSON.stringify(value)
		.replace(/"number (\d+)"/g, '$1')
		.replace(/"key (\d+)":/g, '"$1":');
const keyOf = (name: string): string => (/^\d+$/.test(name) ? `key ${name}` : name);

const json = (text: string): {value: unknown} | undefined => {
	try {
		return {value: parse(text.replace(/^\ufeff/, ''))};
	} catch {
		return undefined;
	}
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const inside = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
const everything = (value: unknown): unknown[] => [value, ...inside(value).flatMap(everything)];
const named = (value: unknown, name: string): unknown[] =>
	isObject(value) && Object.hasOwn(value, keyOf(name)) ? [value[keyOf(name)]] : [];

/** `.a`, `['a']`, `[0]`, `[*]`, `..a` and `[?@.a==1]`. */
const follow = (path: string, root: unknown): unknown[] => {
	let values = [root];
	for (const [, deep, name, quoted, index, any, member, literal] of path.matchAll(
		/(\.\.)?\.?(?:(\w+)|\['([^']*)'\]|\[(\d+)\]|(\[\*\])|\[\?@\.(\w+)==([^\]]+)\])/g,
	)) {
		if (deep) values = values.flatMap(everything);
		values = values.flatMap((value): unknown[] => {
			if (any) return inside(value);
			if (index) return Array.isArray(value) ? value.slice(Number(index), Number(index) + 1) : [];
			if (member === undefined) return named(value, name ?? quoted ?? '');
			return inside(value).filter((one) => write(named(one, member)) === `[${literal}]`);
		});
	}
	return values;
};

const dotted = (path: string): string[] =>
	path
		.replaceAll('\\.', '\0')
		.split('.')
		.map((step) => step.replaceAll('\0', '.'));

const step = (value: unknown, name: string): unknown[] =>
	Array.isArray(value) && /^\d+$/.test(name) ? value.slice(Number(name), Number(name) + 1) : named(value, name);

const asText = (value: unknown): string =>
	typeof value === 'string' && !value.startsWith('number ') ? value : write(value);

const lookAt = (field: string, {method, query}: WebhookMessage, {headers, body}: Webhook): string[] => {
	if (field === 'method') return [method];
	if (field === 'body') return body === '' ? [] : [body];
	const [, source, rest = ''] = /^(headers|query|body)\.(.*)$/s.exec(field) ?? [];
	if (source === 'headers')
		return headers.filter(([name]) => name.toLowerCase() === rest.toLowerCase()).map(([, value]) => value);
	if (source === 'query')
		return query
			.split('&')
			.filter((pair) => pair.split('=')[0] === rest && pair !== '')
			.map((pair) => pair.split('=')[1] ?? '');
	const root = json(body);
	if (root === undefined) return [];
	const found =
		source === 'body'
			? dotted(rest).reduce((at, name) => at.flatMap((value) => step(value, name)), [root.value])
			: follow(field, root.value);
	return found.map(asText);
};

type Condition = Readonly<{operator: string; value: string; env: Question['env']}>;

const holds = (texts: string[], {operator, value, env}: Condition): boolean => {
	if (operator === 'exists') return texts.length > 0;
	const wanted = fill(mark(value), env);
	const real = texts.map((text) => fill(text, env));
	if (operator === 'not_equals') return !real.includes(wanted);
	if (operator === 'equals') return real.includes(wanted);
	return real.some((text) => (operator === 'contains' ? text.includes(wanted) : new RegExp(wanted).test(text)));
};

const joined = (headers: readonly HeaderField[]): Record<string, string> => {
	const shown: Record<string, string> = {};
	for (const [name, value] of headers) {
		const same = Object.keys(shown).find((other) => other.toLowerCase() === name.toLowerCase());
		shown[same ?? name] = same === undefined ? show(value) : `${shown[same]}, ${show(value)}`;
	}
	return shown;
};

const putHeaders = (headers: readonly HeaderField[], set: Readonly<Record<string, string>>): HeaderField[] => {
	let fields = [...headers];
	for (const [name, value] of Object.entries(set)) {
		const first = fields.findIndex(([other]) => other.toLowerCase() === name.toLowerCase());
		const others = fields.filter(([other], at) => at === first || other.toLowerCase() !== name.toLowerCase());
		fields = first === -1 ? [...fields, [name, value]] : others.with(first, [name, value]);
	}
	return fields;
};

const without = (value: unknown, [name = '', ...rest]: string[]): unknown => {
	if (isObject(value))
		return Object.fromEntries(
			Object.entries(value).flatMap(([key, inner]) =>
				key !== keyOf(name) ? [[key, inner]] : rest.length === 0 ? [] : [[key, without(inner, rest)]],
			),
		);
	if (Array.isArray(value) && rest.length > 0)
		return value.map((inner, at) => (String(at) === name ? without(inner, rest) : inner));
	return value;
};

const withValue = (value: unknown, [name, ...rest]: string[], put: unknown): unknown => {
	if (name === undefined) return put;
	if (value === undefined || value === null) return {[keyOf(name)]: withValue(undefined, rest, put)};
	if (Array.isArray(value) && Number(name) < value.length)
		return value.with(Number(name), withValue(value[Number(name)], rest, put));
	if (!isObject(value)) throw new Failure(name);
	const entries = Object.entries(value);
	const at = entries.findIndex(([key]) => key === keyOf(name));
	const made: [string, unknown] = [keyOf(name), withValue(at === -1 ? undefined : entries[at]?.[1], rest, put)];
	return Object.fromEntries(at === -1 ? [...entries, made] : entries.with(at, made));
};

const transformed = (text: string, {set = {}, remove = []}: MiddlewareConfigs['transform_body']): string => {
	const root = json(text);
	if (root === undefined) throw new Failure(text);
	let {value} = root;
	// A root that is null stays no object.
	for (const path of remove) value = without(value, dotted(path));
	for (const [path, put] of Object.entries(set)) {
		if (value === null) throw new Failure(path);
		value = withValue(value, dotted(path), parse(mark(JSON.stringify(put))));
	}
	return (text.startsWith('\ufeff') ? '\ufeff' : '') + write(value);
};

const inOrder = <T extends Readonly<{sort_order: number; id: string; is_active: boolean}>>(all: readonly T[]): T[] =>
	all.filter(({is_active}) => is_active).sort((a, b) => a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1));

type StepResult = Readonly<{outcome: string; headers?: object; body?: string; value?: string}>;

/** Runs one step, and changes the webhook. */
const runStep = ({type, config}: Middleware, webhook: Webhook, {message, env, is_replay}: Question): StepResult => {
	switch (type) {
		case 'filter': {
			const {field, operator, value = ''} = config;
			return {outcome: holds(lookAt(field, message, webhook), {operator, value, env}) ? 'blocked' : 'passed'};
		}
		case 'transform_headers': {
			const {set = {}, remove = []} = config;
			const gone = remove.map((name) => name.toLowerCase());
			const left = webhook.headers.filter(([name]) => !gone.includes(name.toLowerCase()));
			const marked = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, mark(value)]));
			webhook.headers = putHeaders(left, marked);
			webhook.isHeaders = true;
			return {outcome: 'passed', headers: joined(webhook.headers)};
		}
		case 'transform_body': {
			const body = transformed(webhook.body, config);
			if (body === webhook.body) return {outcome: 'passed'};
			webhook.body = body;
			webhook.isBody = true;
			return {outcome: 'passed', body: show(body)};
		}
		case 'delay':
			webhook.delay += config.seconds;
			return {outcome: 'passed'};
		case 'deduplicate': {
			const texts = is_replay ? [] : lookAt(config.key, message, webhook).map((text) => fill(text, env));
			const exact = /^(body|\$)/.test(config.key) ? bytesOfNoText(webhook, message, env) : [];
			return {outcome: 'passed', ...(texts.length > 0 && {value: JSON.stringify([config.key, ...texts, ...exact])})};
		}
	}
};

/** A body that is no UTF-8 is known by its bytes, too. */
const bytesOfNoText = (webhook: Webhook, message: Question['message'], env: Question['env']): readonly string[] => {
	if (!webhook.body.includes('\ufffd')) return [];
	const bytes = webhook.isBody ? Buffer.from(fill(webhook.body, env)) : message.body;
	return [new TextDecoder('latin1').decode(bytes)];
};

const attempt = (run: () => StepResult): StepResult => {
	try {
		return run();
	} catch (error) {
		if (error instanceof Failure) return {outcome: 'error'};
		throw error;
	}
};

const resultOf = (webhook: Webhook) => ({headers: joined(webhook.headers), body: show(webhook.body)});

/** `{{ method }}` and `{{ env.KEY }}`; anything else is unknown. */
const render = (template: string, method: string): string => {
	const text = mark(template).replace(/\{\{ method \}\}/g, method);
	if (text.includes('{{')) throw new Failure(template);
	return text;
};

const ruleHolds = (rule: RoutingRule, webhook: Webhook, {message, env}: Question): boolean => {
	const {condition_source, condition_field, condition_operator, condition_value} = rule;
	if (condition_source === null || condition_operator === null) return true;
	const field = {header: `headers.${condition_field}`, body: condition_field ?? '', method: 'method'}[condition_source];
	return holds(lookAt(field, message, webhook), {operator: condition_operator, value: condition_value ?? '', env});
};

/** The rules that were judged, and how; null where nobody can say. */
const judged = (webhook: Webhook, question: Question): readonly (readonly [RoutingRule, boolean | null])[] => {
	const {routing_mode} = question.endpoint;
	const all: [RoutingRule, boolean | null][] = [];
	for (const rule of routing_mode === 'single' ? [] : inOrder(question.rules)) {
		let verdict: boolean | null = true;
		try {
			if (routing_mode !== 'broadcast') verdict = ruleHolds(rule, webhook, question);
		} catch {
			verdict = null;
		}
		all.push([rule, verdict]);
		if (routing_mode === 'first_match' && verdict === true) break;
	}
	return all;
};

const defaultRetries = {max_retries: 9, intervals: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]};

const deliver = (rule: RoutingRule | null, webhook: Webhook, {endpoint, message}: Question) => {
	const url = rule?.destination_url ?? endpoint.destination_url;
	const template = rule?.transform_body ?? null;
	let body: string | null = null;
	try {
		body = template === null ? null : render(template, message.method);
	} catch {}
	const headers_override = rule?.headers_override ?? {};
	const common = {rule_id: rule?.id ?? null, name: rule?.name ?? endpoint.name, url};
	const headers = joined(putHeaders(webhook.headers, headers_override));
	return {
		delivery: {
			...common,
			destination_key: url.startsWith('{{') ? `${url} ${endpoint.team_id} ${endpoint.user_id}` : new URL(url).origin,
			headers_override,
			body: body === null ? null : store(body),
			retry_config: rule?.retry_config ?? endpoint.retry_config ?? defaultRetries,
			delay_seconds: webhook.delay,
			failed: template !== null && body === null,
		},
		shown: {...common, headers, body: show(body ?? webhook.body)},
	};
};

const route = (webhook: Webhook, question: Question) => {
	const {routing_mode} = question.endpoint;
	const rules = judged(webhook, question);
	const matching = routing_mode === 'single' ? [null] : rules.filter(([, verdict]) => verdict).map(([rule]) => rule);
	const isFailed = rules.some(([, verdict]) => verdict === null);
	const planned = isFailed ? [] : matching.map((rule) => deliver(rule, webhook, question));
	return {
		status: isFailed ? 'pipeline_error' : planned.length === 0 ? 'unmatched' : null,
		deliveries: planned.map(({delivery}) => delivery),
		routing: {
			routing_mode,
			destinations: planned.map(({shown}) => shown),
			rules: rules.map(([{id, name}, verdict]) => ({rule_id: id, name, matched: verdict === true})),
		},
	};
};

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes);
const statuses: Readonly<Record<string, string>> = {
	blocked: 'filtered',
	error: 'pipeline_error',
	duplicate: 'duplicate',
};

/** What becomes of a webhook. Messages are left out: they are for people. */
export const answerOf = (question: Question) => {
	const {message, middlewares, held} = question;
	const webhook: Webhook = {
		headers: [...message.headers],
		body: decode(message.body),
		delay: 0,
		isHeaders: false,
		isBody: false,
	};
	const steps: unknown[] = [];
	const claims: {middleware_id: string; value: string}[] = [];
	let outcome = 'passed';
	for (const middleware of inOrder(middlewares)) {
		const {value, ...result} = attempt(() => runStep(middleware, webhook, question));
		const {id: middleware_id, name, type} = middleware;
		const isDuplicate = value !== undefined && held.includes(middleware_id);
		outcome = isDuplicate ? 'duplicate' : result.outcome;
		if (value !== undefined && !isDuplicate) claims.push({middleware_id, value});
		steps.push({middleware_id, name, type, ...result, outcome});
		if (outcome !== 'passed') break;
	}
	const pipeline = {outcome, delay_seconds: webhook.delay, steps, result: resultOf(webhook)};
	const routed =
		outcome === 'passed' ? route(webhook, question) : {status: statuses[outcome], deliveries: [], routing: null};
	return {
		status: routed.status,
		deliveries: routed.deliveries,
		claims: routed.status === 'pipeline_error' ? [] : claims,
		trace: {pipeline, routing: routed.routing},
		// What a duplicate would have become is not kept.
		processed:
			outcome === 'duplicate'
				? undefined
				: {
						headers: webhook.isHeaders ? webhook.headers.map(([name, value]) => [name, store(value)]) : null,
						body: webhook.isBody ? store(webhook.body) : null,
					},
	};
};
