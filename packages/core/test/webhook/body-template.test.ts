import test from 'ava';
import {compileBodyTemplate} from '../../src/webhook/rules/body-template.ts';
import {viewMessage} from '../../src/webhook/rules/message-view.ts';
import {createStepLimit} from '../../src/webhook/rules/step-limit.ts';
import {templateScope} from '../../src/webhook/rules/template-scope.ts';
import {markersOf, messageOf} from './support.ts';

const message = messageOf('{"a":1,"big":12345678901234567890,"u":{"name":"Ada"},"list":[1,2]}', {
	headers: [['X-GitHub-Event', 'push']],
	query: 'mode=full',
});
const event = {id: 'e1', created_at: '2026-01-31T09:30:00.000Z'};
const markers = markersOf();

const render = (template: string, of = message): string =>
	compileBodyTemplate(template)(templateScope(viewMessage(of), event), markers, createStepLimit());

for (const [template, expected] of [
	['{"x": {{ body.a }}, "who": {{ body.u.name | json }}}', '{"x": 1, "who": "Ada"}'],
	['{{ headers.x-github-event }} {{ query.mode }} {{ method }} {{ event.id }}', 'push full POST e1'],
	['{% for n in body.list %}{{ n }};{% endfor %}', '1;2;'],
	[
		'{{ body.big }} {{ body | json }}',
		'12345678901234567890 {"a":1,"big":12345678901234567890,"u":{"name":"Ada"},"list":[1,2]}',
	],
	['{{ "{{env.X}}" }} {{ other }}', undefined],
] as const) {
	test(`[RTE-056] ${template}`, (t) => {
		if (expected === undefined) t.throws(() => render(template), {instanceOf: RangeError});
		else t.is(render(template), expected);
	});
}

test('[RTE-057] an unknown variable is a failure', (t) => {
	t.throws(() => render('{{ body.nope }}'), {instanceOf: RangeError, message: /undefined variable: body.nope/});
});

test('[RTE-058] an unknown filter is a failure', (t) => {
	t.throws(() => render('{{ body.a | nope }}'), {instanceOf: SyntaxError, message: /undefined filter: nope/});
	t.throws(() => render('{{ body.list | where_exp: "x", "x == 1" }}'), {instanceOf: SyntaxError});
});

test('[RTE-059] no member of a prototype is reachable', (t) => {
	for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
		t.throws(() => render(`{{ body.${name} }}`), {instanceOf: RangeError}, name);
});

test('[RTE-060] an endless template fails', (t) => {
	for (const template of [
		'{% for i in (1..1000000000) %}x{% endfor %}',
		'{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}',
		'{% assign s = "xx" %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
	])
		t.throws(() => render(template), {instanceOf: RangeError});
});

test('[RTE-061] an output that is too large fails', (t) => {
	const big = messageOf({text: 'x'.repeat(100_000)});
	t.throws(() => render('{% for i in (1..11) %}{{ body.text }}{% endfor %}', big), {
		instanceOf: RangeError,
		message: /more than/,
	});
});

test('no file is read', (t) => {
	for (const tag of ['include', 'render', 'layout'])
		t.throws(() => render(`{% ${tag} "/etc/hostname" %}`), {instanceOf: SyntaxError});
});

test('a variable of the environment is inserted as a reference, never as a value', (t) => {
	const body = render('{"a": "{{ env.TOKEN }}", "b": {{ env.TOKEN | json }}, "sent": {{ body.a }}}');
	t.deepEqual(markers.extract(body), {
		text: '{"a": "", "b": "", "sent": 1}',
		references: [
			{at: 7, key: 'TOKEN', as: 'text'},
			{at: 16, key: 'TOKEN', as: 'json'},
		],
	});
	t.is(markers.show(body), '{"a": "{{env.TOKEN}}", "b": "{{env.TOKEN}}", "sent": 1}');
});

test('a variable that a step wrote into the body is escaped where the template writes JSON, and nowhere else', (t) => {
	const message = messageOf(JSON.stringify({token: markers.mark('{{env.TOKEN}}')}));
	const body = render('{{ body.token }} {{ body.token | json }} {{ body | json }}', message);
	const {text, references} = markers.extract(body);
	t.is(text, ' "" {"token":""}');
	t.deepEqual(
		references.map(({as}) => as),
		['text', 'json', 'json'],
	);
});

test('nothing else can be done with a variable of the environment', (t) => {
	for (const template of [
		'{{ env.TOKEN | upcase }}',
		'{% if env.TOKEN == "a" %}x{% endif %}',
		'{{ env }}',
		'{{ env["TOKEN"] }}',
		'{% capture t %}{{ env.TOKEN }}{% endcapture %}{{ t | url_encode }}',
		'{%- capture a -%}{% capture b %}x{% endcapture %}{{- env.TOKEN | json -}}{% endcapture %}{{ a }}',
		'{{ env.TOKEN }}{% assign t = __env.TOKEN %}{{ t | size }}',
	])
		t.throws(() => compileBodyTemplate(template), {instanceOf: SyntaxError, message: /env can only be inserted/});
});

test('beside what is captured a variable stands as ever', (t) => {
	const body = render('{% capture t %}{{ body.a }}{% endcapture %}{{ env.TOKEN }}={{ t }}');
	t.is(markers.show(body), '{{env.TOKEN}}=1');
});

test('a body that is no JSON is a text', (t) => {
	t.is(render('[{{ body }}]', messageOf('a=1')), '[a=1]');
});

test('[RTE-060] comparing what the sender sent costs by its size, however it is compared', (t) => {
	const loop = (part: string) => `{% for i in (1..16000) %}${part}{% endfor %}`;
	const numbers = Array.from({length: 100_000}, (_, index) => index % 10);
	const long = 'a'.repeat(450_000);
	const body = {numbers, same: numbers, long, other: `${long}b`, nested: [[numbers]]};
	const of = messageOf(JSON.stringify(body));
	for (const part of [
		'{% if body.numbers contains "zz" %}y{% endif %}',
		'{% if body.numbers == body.same %}y{% endif %}',
		'{% unless body.nested != body.nested %}y{% endunless %}',
		'{% case body.numbers %}{% when body.same %}y{% endcase %}',
		'{% if body.long contains "b" %}y{% endif %}',
		'{% if body.long == body.other %}y{% endif %}',
		'{% if body.long < body.other %}y{% endif %}',
	]) {
		const began = performance.now();
		t.throws(() => render(loop(part), of), {instanceOf: RangeError, message: /more than 50000 parts/}, part);
		t.true(performance.now() - began < 2000, part);
		t.is(render('{% if body.long contains "b" or body.long == "a" %}y{% else %}n{% endif %}', of), 'n');
	}
	t.is(render('{% if body.numbers == empty %}y{% else %}n{% endif %}{"__env": 1}', of), 'n{"__env": 1}');
	t.is(render('{% case body.a %}{% when 2 %}two{% when 0, 1 %}one{% else %}none{% endcase %}'), 'one');
});

test('the templates of one webhook have one limit together', (t) => {
	const limit = createStepLimit();
	const rendered = () =>
		compileBodyTemplate('{% for i in (1..20000) %}x{% endfor %}')(
			templateScope(viewMessage(message), event),
			markers,
			limit,
		);
	t.is(rendered().length, 20_000);
	t.throws(() => Array.from({length: 5}, rendered), {instanceOf: RangeError, message: /more than 50000 parts/});
});
