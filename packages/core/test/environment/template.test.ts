import test from 'ava';
import fc from 'fast-check';
import {fillTemplate, isReference, referencesIn, templateUrlProblem} from '../../src/values/template.ts';

const filled = (text: string) => fillTemplate(text, (key) => `<${key}>`);

const templates = [
	{id: 'ENV-039', text: 'Bearer {{env.TOKEN}}', result: 'Bearer <TOKEN>'},
	{id: 'ENV-039', text: '{{env._a1}}{{env.B}}', result: '<_a1><B>'},
	{id: 'ENV-050', text: '{{ env.TOKEN }}', result: '<TOKEN>'},
	{id: 'ENV-050', text: '{{\t env.TOKEN\n}}', result: '<TOKEN>'},
	{id: 'ENV-039', text: '{{{env.TOKEN}}}', result: '{<TOKEN>}'},
	{id: 'ENV-060', text: '{{TOKEN}}'},
	{id: 'ENV-060', text: '{{ body.id }}'},
	{id: 'ENV-060', text: '{{env.}}'},
	{id: 'ENV-060', text: '{{env.1A}}'},
	{id: 'ENV-060', text: '{{env.A-B}}'},
	{id: 'ENV-060', text: '{{env.A.B}}'},
	{id: 'ENV-060', text: '{{env.A B}}'},
	{id: 'ENV-060', text: '{{env .A}}'},
	{id: 'ENV-060', text: '{{ENV.A}}'},
	{id: 'ENV-060', text: '{{env.A}'},
	{id: 'ENV-060', text: '{env.A}'},
	{id: 'ENV-060', text: '{{ {{env.A'},
	{id: 'ENV-060', text: `{{env.${'A'.repeat(129)}}}`},
];

for (const {id, text, result = text} of templates) {
	test(`[${id}] ${JSON.stringify(text).slice(0, 40)} ${result === text ? 'stays as it stands' : 'resolves'}`, (t) => {
		t.is(filled(text), result);
		t.is(referencesIn(text).length > 0, result !== text);
	});
}

test('keys are named once, in the order of their first mention', (t) => {
	t.deepEqual(referencesIn('{{env.B}} {{env.A}} {{ env.B }}'), ['B', 'A']);
});

test('[ENV-068] a value is put in as it is, and never scanned', (t) => {
	const values = fc.oneof(fc.string(), fc.constantFrom('{{env.A}}', '{{env.B}}', '$&', '$1', "$'", '{{', '}}'));
	fc.assert(
		fc.property(values, values, (a, b) => {
			const result = fillTemplate('x{{env.A}}y{{env.B}}z', (key) => (key === 'A' ? a : b));
			t.is(result, `x${a}y${b}z`);
		}),
	);
});

test('a text without references stays as it is', (t) => {
	fc.assert(
		fc.property(fc.string({unit: fc.constantFrom('{', '}', ' ', 'env', '.', 'A', '1', '-')}), (text) => {
			if (referencesIn(text).length === 0) t.is(filled(text), text);
			else t.not(filled(text), text);
		}),
	);
	t.pass();
});

test('reading takes linear time', (t) => {
	const begun = performance.now();
	for (const hostile of [
		'{'.repeat(1e6),
		'{{ '.repeat(3e5),
		`{{${' '.repeat(1e6)}`,
		`{{env.A${' '.repeat(1e6)}`,
		`{{env.${'A'.repeat(1e6)}`,
		'{{env.A'.repeat(2e5),
	]) {
		t.is(filled(hostile), hostile);
	}
	t.true(performance.now() - begun < 2000);
});

test('only a text that is one reference and nothing else is a reference', (t) => {
	t.true(isReference('{{ env.URL }}'));
	for (const text of ['{{env.A}}{{env.B}}', ' {{env.A}}', '{{env.A}}/', '{{env}}', '']) t.false(isReference(text));
});

const urls = [
	'https://example.com/mcp',
	'{{env.URL}}',
	'https://example.com/{{env.PATH}}',
	'https://example.com/a/{{ env.A }}/b?key={{env.KEY}}&b={{env.B}}#part',
	'https://example.com?key={{env.KEY}}',
	'http://user:pw@localhost:3000/{{env.A}}',
	'http://[::1]:8080/{{env.A}}',
	'https://example.com/{{left.alone}}',
];

for (const url of urls) {
	test(`${url} is allowed as a URL`, (t) => t.is(templateUrlProblem(url), undefined));
}

const refusedUrls = [
	'{{env.SCHEME}}://example.com/',
	'{{env.URL}}/path',
	'https://{{env.HOST}}/',
	'https://{{env.SUB}}.example.com/',
	'https://example.com{{env.PATH}}',
	'https://example.com:{{env.PORT}}/',
	'https://{{env.USER}}@example.com/',
	'https://user:{{env.PASSWORD}}@example.com/',
	'https://example.com/#{{env.FRAGMENT}}',
	'https:\\\\{{env.HOST}}\\',
	'https:{{env.HOST}}/',
	'https:///{{env.HOST}}/',
	'ftp://example.com/',
	'javascript:alert(1)',
	'/relative/{{env.A}}',
	'',
];

for (const url of refusedUrls) {
	test(`${JSON.stringify(url)} is refused as a URL`, (t) => t.is(typeof templateUrlProblem(url), 'string'));
}

test('no value of a path or query moves an allowed URL to another origin', (t) => {
	const allowed = fc.constantFrom(...urls.filter((url) => !isReference(url)));
	const values = fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom('@evil', '//evil/', '\\\\evil', '..', '?', '#'));
	fc.assert(
		fc.property(allowed, values, (url, value) => {
			const {origin, username} = new URL(fillTemplate(url, () => value));
			t.deepEqual({origin, username}, {origin: new URL(url).origin, username: new URL(url).username});
		}),
	);
});
