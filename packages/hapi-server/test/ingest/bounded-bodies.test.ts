import {setTimeout as pause} from 'node:timers/promises';
import test from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {sendRaw} from '../support/raw-http.ts';
import {openIngest, post} from './open-ingest.ts';

test('more bytes than may wait are not read until others were accepted, and none of them is lost', async (t) => {
	const gate: (() => void)[] = [];
	let most = 0;
	const {port, endpoint, bodies} = await openIngest(t, {
		settings: {waiting_bytes: 3000},
		intake: (real) => ({
			// Long enough for a body to be here, and ended, before it is known whether there is room for it.
			ownerOf: async (slug) => {
				for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
				return real.ownerOf(slug);
			},
			accept: async (...given) => {
				most = Math.max(most, gate.length + 1);
				await new Promise<void>((open) => gate.push(open));
				return real.accept(...given);
			},
		}),
	});
	const wanted = Array.from({length: 20}, (_, index) => String(index).padEnd(1000, 'x'));
	const head = `POST /wh/${endpoint.slug} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n`;
	const sent = Promise.all(wanted.map((body) => sendRaw(port, head + body).then(({status}) => status)));
	let isOver = false;
	void sent.then(() => {
		isOver = true;
	});
	await until(() => gate.length === 3, 'the first ones');
	await until(() => {
		gate.shift()?.();
		return isOver;
	}, 'all of them');
	t.deepEqual(new Set(await sent), new Set([202]));
	t.is(most, 3);
	t.deepEqual((await bodies()).sort(), wanted.sort());
});

test('[WHK-019] a body that finds no place in time is 503, and has one when others gave theirs back', async (t) => {
	const gate: (() => void)[] = [];
	const {url} = await openIngest(t, {
		settings: {waiting_bytes: 1000, patience_ms: 100},
		intake: (real) => ({
			accept: async (...given) => {
				await new Promise<void>((open) => gate.push(open));
				return real.accept(...given);
			},
		}),
	});
	const send = () => post(url, {body: 'x'.repeat(600)});
	const first = send();
	await until(() => gate.length === 1, 'the first one');
	const refused = await send();
	t.is(refused.status, 503);
	t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
	const next = send();
	gate.shift()?.();
	await until(() => gate.length === 1, 'the next one');
	gate.shift()?.();
	t.deepEqual([(await first).status, (await next).status], [202, 202]);
});

test('a body that comes slowly gives way to one that is here', async (t) => {
	const {url, port, endpoint, bodies} = await openIngest(t, {settings: {waiting_bytes: 1000, patience_ms: 50}});
	const head = `POST /wh/${endpoint.slug} HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\nConnection: close\r\n\r\n`;
	const slow = sendRaw(port, `${head}${'x'.repeat(800)}`);
	await pause(100);
	t.is((await post(url, {body: 'y'.repeat(500)})).status, 202);
	t.is((await slow).status, 503);
	t.deepEqual(await bodies(), ['y'.repeat(500)]);
});
