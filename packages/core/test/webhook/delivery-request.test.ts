import {createSignatures} from '@signalbox/core/node';
import test from 'ava';
import {Webhook} from 'standardwebhooks';
import type {LeasedDelivery} from '../../src/webhook/model/delivery.ts';
import type {EnvValues} from '../../src/webhook/model/env-values.ts';
import type {HeaderField, ReferencingText} from '../../src/webhook/model/message.ts';
import {defaultRetryConfig} from '../../src/webhook/model/retry-config.ts';
import {deliveryRequest, referencesOf} from '../../src/webhook/rules/delivery-request.ts';
import {signingKeyOf} from '../../src/webhook/rules/standard-webhooks.ts';
import {bodyOf} from './support.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const older = 'whsec_c2VjcmV0IGJlZm9yZSB0aGUgcm90YXRpb24=';
const bytes = (text: string) => new TextEncoder().encode(text);
const plain = (text: string): ReferencingText => ({text, references: []});

type Given = Partial<Omit<LeasedDelivery, 'event'>> &
	Readonly<{headers?: readonly (readonly [string, ReferencingText])[]; payload?: LeasedDelivery['event']['body']}>;

const leased = ({headers = [], payload = {bytes: bytes('{"a":1}'), references: []}, ...given}: Given = {}) =>
	({
		id: 'd1',
		rule_id: null,
		name: 'primary',
		url: 'https://a.example/hook',
		destination_key: 'https://a.example',
		headers_override: {},
		body: null,
		retry_config: defaultRetryConfig,
		event_id: 'e1',
		endpoint_id: 'p1',
		team_id: 't1',
		user_id: 'u1',
		fence: 1,
		retries: 0,
		attempt: {id: 'a1', number: 1, started_at: '2026-01-31T10:00:00.000Z'},
		event: {method: 'POST', headers, body: payload},
		...given,
	}) satisfies LeasedDelivery;

const valuesOf = (values: Readonly<Record<string, string>>): EnvValues =>
	new Map(Object.entries(values).map(([key, value]) => [key, {value}]));

const build = (delivery: LeasedDelivery, {values = {}, secrets = [secret], now = Math.floor(Date.now() / 1000)} = {}) =>
	deliveryRequest(delivery, {
		values: valuesOf(values),
		keys: secrets.map(signingKeyOf),
		now,
		signatures: createSignatures(),
	});

const sent = (delivery: LeasedDelivery, facts: Parameters<typeof build>[1] = {}) => {
	const built = build(delivery, facts);
	if (!built.ok) throw new Error(built.because);
	return built.request;
};

const isOurs = ([name]: HeaderField) => name.startsWith('webhook-') || name === 'x-signalbox-hops';
const signatureOf = ({headers}: ReturnType<typeof sent>) => Object.fromEntries(headers.filter(isOurs));
const passed = ({headers}: ReturnType<typeof sent>) => headers.filter((field) => !isOurs(field));

test('[WHK-058 WHK-059] a delivery verifies by an independent reader of Standard Webhooks', (t) => {
	const request = sent(leased());
	t.deepEqual(new Webhook(secret).verify(bodyOf(request), signatureOf(request)), {a: 1});
	t.throws(() => new Webhook(secret).verify(`${bodyOf(request)} `, signatureOf(request)));
	t.throws(() => new Webhook(older).verify(bodyOf(request), signatureOf(request)));
});

test('during a rotation a receiver may know either secret', (t) => {
	const request = sent(leased(), {secrets: [secret, older]});
	for (const known of [secret, older])
		t.notThrows(() => new Webhook(known).verify(bodyOf(request), signatureOf(request)));
});

test('the id is of the delivery: the same at each attempt, another at another destination', (t) => {
	const idOf = (delivery: LeasedDelivery, now: number) => signatureOf(sent(delivery, {now}))['webhook-id'];
	t.is(idOf(leased(), 1), idOf(leased({retries: 3, fence: 4, attempt: {id: 'a9', number: 9, started_at: ''}}), 2));
	t.not(idOf(leased(), 1), idOf(leased({id: 'd2'}), 1));
	t.notRegex(String(idOf(leased(), 1)), /\./, 'what parts the signed text stands in no id');
});

for (const name of [
	...[
		'Connection',
		'Keep-Alive',
		'TE',
		'Trailer',
		'Transfer-Encoding',
		'Upgrade',
		'Proxy-Authorization',
		'HTTP2-Settings',
	],
]) {
	test(`[WHK-061] ${name} belongs to the sender's connection`, (t) => {
		t.deepEqual(
			passed(
				sent(
					leased({
						headers: [
							[name, plain('x')],
							['X-Kept', plain('y')],
						],
					}),
				),
			),
			[['X-Kept', 'y']],
		);
	});
}

for (const name of ['Host', 'Content-Length', 'Accept-Encoding', 'Expect', 'X-Signalbox-Anything']) {
	test(`[WHK-062] ${name} is not the sender's to say, nor a setting's`, (t) => {
		t.deepEqual(passed(sent(leased({headers: [[name, plain('x')]], headers_override: {[name]: 'y'}}))), []);
	});
}

test("[WHK-060] the sender's signature headers pass; a Standard Webhooks signature gives way to ours", (t) => {
	const theirs = [
		['X-Hub-Signature-256', plain('sha256=00')],
		['Stripe-Signature', plain('t=1,v1=00')],
	] as const;
	const standard = [
		['Webhook-Id', plain('theirs')],
		['webhook-signature', plain('v1,theirs')],
	] as const;
	const request = sent(leased({headers: [...theirs, ...standard]}));
	t.deepEqual(
		passed(request).map(([name]) => name),
		['X-Hub-Signature-256', 'Stripe-Signature'],
	);
	t.notThrows(() => new Webhook(secret).verify(bodyOf(request), signatureOf(request)));
	t.is(request.headers.filter(([name]) => name.toLowerCase() === 'webhook-id').length, 1);
});

test('a delivery says through how many endpoints its webhook came, which nobody else can say', (t) => {
	const hopsAfter = (value: string) =>
		signatureOf(
			sent(leased({headers: [['X-Signalbox-Hops', plain(value)]], headers_override: {'X-Signalbox-Hops': '0'}})),
		)['x-signalbox-hops'];
	t.is(signatureOf(sent(leased()))['x-signalbox-hops'], '1');
	t.is(hopsAfter('1'), '2');
	for (const nonsense of ['', '-1', '1.5', 'many', '1, 1']) t.is(hopsAfter(nonsense), '1');
});

test('repeated headers stay apart and in order; those of the rule take the place of equal names', (t) => {
	const headers = [
		['A', plain('1')],
		['b', plain('2')],
		['a', plain('3')],
	] as const;
	t.deepEqual(passed(sent(leased({headers}))), [
		['A', '1'],
		['b', '2'],
		['a', '3'],
	]);
	t.deepEqual(passed(sent(leased({headers, headers_override: {a: 'x', C: 'y'}}))), [
		['a', 'x'],
		['b', '2'],
		['C', 'y'],
	]);
});

test('a body without references is delivered as the very bytes; one with, filled and escaped where it must be', (t) => {
	const delivery = leased();
	t.is(sent(delivery).body, delivery.event.body.bytes);
	const payload = {
		bytes: bytes('{"ü":"","b":}'),
		references: [
			{at: 7, key: 'A', as: 'json'},
			{at: 13, key: 'B', as: 'text'},
		],
	} as const;
	const values = {A: 'say "ö"\n', B: '1'};
	t.is(bodyOf(sent(leased({payload}), {values})), '{"ü":"say \\"ö\\"\\n","b":1}');
	const body = {bytes: bytes('made'), references: []};
	const encoded = [['content-encoding', plain('gzip')]] as const;
	t.is(bodyOf(sent(leased({body, payload}), {})), 'made', 'the body of a rule stands for the one of the pipeline');
	t.deepEqual(passed(sent(leased({body, headers: encoded}))), []);
	t.deepEqual(passed(sent(leased({headers: encoded}))), [['content-encoding', 'gzip']]);
});

test('references in URL, headers and body resolve; what they hold is never a template itself', (t) => {
	const delivery = leased({
		url: 'https://a.example/{{env.A}}?t={{ env.B }}',
		headers_override: {'X-Key': 'k {{env.C}}'},
		headers: [['X-Set', {text: 'ü-', references: [{at: 3, key: 'D', as: 'text'}]}]],
		payload: {bytes: bytes('x'), references: [{at: 1, key: 'E', as: 'text'}]},
	});
	t.deepEqual(new Set(referencesOf(delivery)), new Set(['A', 'B', 'C', 'D', 'E']));
	const request = sent(delivery, {values: {A: 'a/b', B: '1', C: '{{env.A}}', D: 'd', E: 'e'}});
	t.is(request.url.href, 'https://a.example/a/b?t=1');
	t.deepEqual(passed(request), [
		['X-Set', 'ü-d'],
		['X-Key', 'k {{env.A}}'],
	]);
	t.is(bodyOf(request), 'xe');
});

const value = 's3cret-value';
for (const [what, given, because] of [
	['has no value', {url: 'https://a.example/{{env.NOT}}'}, /NOT/],
	[
		'is two lines of a header',
		{headers_override: {'X-K': '{{env.LINES}}'}},
		/X-K resolves to what a header cannot hold/,
	],
	['is a file', {url: '{{env.FILE}}'}, /http or https/],
	['is no URL', {url: '{{env.KEY}}'}, /http or https/],
	['brings credentials', {url: '{{env.LOGIN}}'}, /user name/],
	['cuts off the rest', {url: 'https://a.example/p/{{env.HASH}}/end?token={{env.KEY}}'}, /holds a #/],
	['leads out of the path', {url: 'https://a.example/p/{{env.UP}}/end'}, /out of its path/],
] as const) {
	test(`[WHK-076] what resolves to what ${what} is not sent, and the reason holds no value`, (t) => {
		const values = {
			KEY: value,
			LINES: `${value}\r\nx-injected: 1`,
			FILE: `file:///${value}`,
			LOGIN: `https://u:${value}@a.example/`,
			HASH: `ab#${value}`,
			UP: '..',
		};
		const built = build(leased(given), {values});
		if (built.ok) return t.fail();
		t.regex(built.because, because);
		t.notRegex(built.because, new RegExp(value));
	});
}

for (const [where, given] of [
	['a body', {body: {bytes: bytes(''), references: Array(17).fill({at: 0, key: 'A', as: 'text'})}}],
	['a header', {headers_override: {'x-a': '{{env.A}}'.repeat(17)}}],
	[
		'a header of the pipeline',
		{headers: [['x-a', {text: '', references: Array(17).fill({at: 0, key: 'A', as: 'text'})}]]},
	],
	['a URL', {url: `https://a.example/${'{{env.A}}'.repeat(17)}`}],
] as const) {
	test(`a value of 64 KiB that ${where} names again and again does not take all memory`, (t) => {
		const built = build(leased(given), {values: {A: 'x'.repeat(64 * 1024)}});
		t.like(built, {ok: false, because: 'Variables add more than 1 MiB: the value of A was too much.'});
	});
}
