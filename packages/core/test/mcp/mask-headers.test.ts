import test from 'ava';
import {maskHeaders} from '../../src/mcp/rules/mask-headers.ts';

const isMasked = (name: string): boolean => maskHeaders({[name]: 's3cret'})[name] !== 's3cret';

test('[MCP-048 MCP-049 MCP-050] authorization, cookie and x-api-key are masked in any case', (t) => {
	for (const name of ['authorization', 'Authorization', 'COOKIE', 'cookie', 'set-cookie', 'X-API-Key'])
		t.true(isMasked(name), name);
});

test('[MCP-051] proxy-* headers are masked', (t) => {
	for (const name of ['proxy-authorization', 'Proxy-Connection', 'proxy-x']) t.true(isMasked(name), name);
});

test('mcp-session-id, and names with token, secret or key, are masked', (t) => {
	for (const name of [
		'mcp-session-id',
		'Mcp-Session-Id',
		'x-auth-token',
		'client-secret',
		'x-goog-api-key',
		'ocp-apim-subscription-key',
	]) {
		t.true(isMasked(name), name);
	}
});

test('[MCP-047] every other header is logged as it was sent', (t) => {
	const headers = {
		accept: '*/*',
		'content-type': 'application/json',
		'mcp-protocol-version': '2025-11-25',
		'x-proxy': '1',
	};
	t.deepEqual(maskHeaders(headers), headers);
});

test('what a caller calls private is masked too, in any case', (t) => {
	const {'X-Mine': mine, 'x-other': other} = maskHeaders(
		{'X-Mine': 's3cret', 'x-other': 'seen'},
		(name) => name === 'x-mine',
	);
	t.not(mine, 's3cret');
	t.is(other, 'seen');
});
