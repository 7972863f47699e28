import {gzipSync} from 'node:zlib';
import test from 'ava';
import type {HeaderField, WebhookMessage} from '../../src/webhook/model/message.ts';
import type {TypedConfig} from '../../src/webhook/model/middleware.ts';
import {chooseDestinations} from '../../src/webhook/rules/choose-destinations.ts';
import {compilePipeline} from '../../src/webhook/rules/compile-pipeline.ts';
import {compileRouting} from '../../src/webhook/rules/compile-routing.ts';
import {viewMessage} from '../../src/webhook/rules/message-view.ts';
import {runPipeline} from '../../src/webhook/rules/run-pipeline.ts';
import {markersOf, messageOf, ruleOf, steps} from './support.ts';

const gzipped = (headers: readonly HeaderField[] = [['Content-Encoding', 'gzip']]): WebhookMessage => ({
	...messageOf('', {headers}),
	body: gzipSync('{"a":"x"}'),
});

const stepOf = (message: WebhookMessage, config: TypedConfig) => {
	const {trace} = runPipeline(compilePipeline(steps(config)), message, {markers: markersOf(), is_replay: false});
	const [step] = trace.steps;
	return [step?.outcome, step?.message];
};

const why = 'the body is compressed with gzip, not JSON that can be read';

for (const field of ['body.a', '$.a'])
	test(`a filter by ${field} says that a compressed body could not be read`, (t) => {
		const filter = (operator: 'equals' | 'not_equals' | 'exists', value: string) =>
			stepOf(gzipped(), {type: 'filter', config: {field, operator, value}});
		t.deepEqual(filter('equals', 'x'), ['passed', `${field}: is not there (${why}), so it does not equal "x"`]);
		t.deepEqual(filter('not_equals', 'x'), ['blocked', `${field}: is not there (${why}), so it does not equal "x"`]);
		t.deepEqual(filter('exists', ''), ['passed', `${field}: is not there (${why})`]);
	});

test('so do the other steps that look for a field of it', (t) => {
	const message = gzipped();
	t.deepEqual(stepOf(message, {type: 'deduplicate', config: {key: 'body.id', ttl: 60}}), [
		'passed',
		`body.id is not there (${why}): no duplicate`,
	]);
	t.deepEqual(stepOf(message, {type: 'transform_body', config: {remove: ['a']}}), [
		'error',
		`${why}, so no field of it can be changed`,
	]);
});

test('so does a rule, by its reason', (t) => {
	const rule = ruleOf({
		condition_source: 'body',
		condition_field: '$.a',
		condition_operator: 'equals',
		condition_value: 'x',
	});
	const facts = {view: viewMessage(gzipped()), markers: markersOf()};
	const [judged] = chooseDestinations('all_match', compileRouting([rule]), facts).rules;
	t.like(judged, {matched: false, reason: `is not there (${why}), so it does not equal "x"`});
});

const reasonFor = (message: WebhookMessage, field = 'body.a') =>
	stepOf(message, {type: 'filter', config: {field, operator: 'exists'}})[1];

test('a body that is not JSON, or empty, is told apart from one without the field', (t) => {
	t.is(reasonFor(messageOf('a=1')), 'body.a: is not there (the body is not JSON)');
	t.is(reasonFor(messageOf('')), 'body.a: is not there (the body is empty)');
	t.is(reasonFor(messageOf({b: 1})), 'body.a: is not there');
	t.is(reasonFor(gzipped(), 'headers.a'), 'headers.a: is not there');
});

test('only codings that are known are named, in any case, and only where the body could not be read', (t) => {
	t.is(reasonFor(gzipped([['content-encoding', 'evil, GZIP']])), `body.a: is not there (${why})`);
	t.is(reasonFor(gzipped([['content-encoding', 'evil']])), 'body.a: is not there (the body is not JSON)');
	const unpacked = messageOf({a: 'x'}, {headers: [['Content-Encoding', 'gzip']]});
	t.is(reasonFor(unpacked), 'body.a: is there');
});
