import test from 'ava';
import fc from 'fast-check';
import {compileBodyRedaction} from '../../src/mcp/rules/redact-body.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const redact = (body: string, ...paths: string[]) =>
	textOf(compileBodyRedaction({mode: 'redacted', paths})(bytesOf(body)));

const json = (body: unknown, ...paths: string[]) => JSON.parse(redact(JSON.stringify(body), ...paths));

const mask = '********';

test('[MCP-091] none keeps no bytes, full keeps the very bytes', (t) => {
	const body = Uint8Array.of(0x7b, 0xff, 0x00, 0x7d);
	t.is(compileBodyRedaction({mode: 'full', paths: []})(body), body);
	t.is(compileBodyRedaction({mode: 'none', paths: []})(body).length, 0);
});

test('[MCP-091] redacted masks what stands at the named paths, whatever it is', (t) => {
	const body = {params: {arguments: {card: {number: 4111}, list: [1, 2, {a: 3}], 'odd.name': 1, card2: 5}}};
	t.deepEqual(json(body, '$.params.arguments.card'), {
		params: {arguments: {...body.params.arguments, card: mask}},
	});
	const listOf = (...paths: string[]) => json(body, ...paths).params.arguments.list;
	t.deepEqual(listOf('$.params.arguments.list[0]', '$["params"].arguments.list[-1].a'), [mask, 2, {a: mask}]);
	t.is(json(body, "$.params.arguments['odd.name']").params.arguments['odd.name'], mask);
	t.is(json(body, '$'), mask);
});

test('a path that leads nowhere changes nothing', (t) => {
	const body = {a: [1], b: {c: null}};
	for (const path of [
		'$.x',
		'$.a.b',
		'$.a[1]',
		'$.a[-2]',
		'$.b.c.d',
		'$.b[0]',
		'$.toString',
		'$.a.length',
		'$.__proto__.x',
	]) {
		t.deepEqual(json(body, path), body, path);
	}
	t.is(redact('{"__proto__":{"x":1}}', '$.__proto__.x'), `{"__proto__":{"x":"${mask}"}}`);
});

test('[MCP-091] redacted masks keys that look secret, at any depth', (t) => {
	for (const key of [
		'password',
		'Password',
		'db_password',
		'api_key',
		'apiKey',
		'X-Api-Key',
		'access_token',
		'client-secret',
		'authorization',
		'privateKey',
		'credentials',
		'cookie',
		'pin',
	]) {
		t.deepEqual(json({a: [{[key]: {deep: 1}, other: 1}]}), {a: [{[key]: mask, other: 1}]}, key);
	}
	const usual = {progressToken: 1, key: 'a', pinned: true, author: 'b', monkey: 'c', _meta: {progressToken: 'x'}};
	t.deepEqual(json(usual), usual);
});

test('what cannot be searched is not kept', (t) => {
	for (const body of [
		'password=hunter2',
		'{"password":"hunter2"',
		`${'['.repeat(100_000)}"hunter2"${']'.repeat(100_000)}`,
	]) {
		t.notRegex(redact(body), /hunter2/);
	}
	t.notRegex(textOf(compileBodyRedaction({mode: 'redacted', paths: []})(Uint8Array.of(0x22, 0xff, 0x22))), /\ufffd/);
	t.is(redact(''), '');
});

test('what holds no secret is kept as it reads', (t) => {
	const value = fc.jsonValue({maxDepth: 5}).filter((candidate) => !JSON.stringify(candidate).includes('"'));
	fc.assert(fc.property(value, (candidate) => t.deepEqual(json(candidate), JSON.parse(JSON.stringify(candidate)))));
});
