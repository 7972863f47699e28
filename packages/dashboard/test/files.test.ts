import test from 'ava';
import {sharedServer} from './support/shared.ts';

const start = async (): Promise<string> => (await sharedServer()).baseUrl;

const assetsOf = (html: string): readonly string[] => html.match(/\/assets\/[^"]+/g) ?? [];

test('[HTTP-070] one port serves the API, the proxy, webhooks, the reference and the dashboard', async (t) => {
	const origin = await start();
	const ask = async (path: string): Promise<Response> => fetch(new URL(path, origin));
	t.is((await ask('/v1/auth/me')).status, 401);
	t.is((await ask('/p/none')).status, 404);
	t.is((await ask('/wh/none')).status, 404);
	t.regex(await (await ask('/docs')).text(), /Signalbox API reference/);
	const page = await ask('/');
	t.is(page.status, 200);
	t.regex(await page.text(), /<div id="app">/);
});

test('the pages of the dashboard, and no other paths, answer the application', async (t) => {
	const origin = await start();
	for (const path of ['/', '/sign-in', '/approvals', '/approvals/01890000-0000-7000-8000-000000000000']) {
		const response = await fetch(new URL(path, origin));
		t.is(response.headers.get('content-type'), 'text/html; charset=utf-8', path);
		t.is(response.headers.get('cache-control'), 'no-cache', path);
	}
	for (const path of [
		'/nothing',
		'/approvals/a/b',
		'/assets/none.js',
		'/assets/..%2findex.html',
		'/assets/..%2fpages.json',
	]) {
		const response = await fetch(new URL(path, origin));
		t.is(response.status, 404, path);
		t.is((await response.json()).error.code, 'resource_not_found', path);
	}
});

test('the dashboard may run its own files, and nothing else', async (t) => {
	const origin = await start();
	const response = await fetch(origin);
	const policy = response.headers.get('content-security-policy') ?? '';
	for (const directive of [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
	])
		t.true(policy.split('; ').includes(directive), directive);
	const html = await response.text();
	t.notRegex(html, /<script(?![^>]* src=)|<style| style=| on\w+=|(?:src|href)="(?!\/assets\/)/);
});

test('what the dashboard loads is compressed beforehand and kept for good', async (t) => {
	const origin = await start();
	const html = await (await fetch(origin)).text();
	const assets = assetsOf(html);
	t.true(assets.length > 3);
	for (const path of assets) {
		const plain = await fetch(new URL(path, origin), {headers: {'accept-encoding': 'identity'}});
		t.is(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
		t.is(plain.headers.get('content-encoding'), null, path);
		const bytes = Buffer.from(await plain.arrayBuffer());
		if (path.endsWith('.woff2')) continue;
		for (const encoding of ['gzip', 'br']) {
			const response = await fetch(new URL(path, origin), {headers: {'accept-encoding': encoding}});
			t.is(response.headers.get('content-encoding'), encoding, path);
			t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes, path);
		}
	}
});
