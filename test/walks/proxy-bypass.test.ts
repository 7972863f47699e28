import {readFile} from 'node:fs/promises';
import test from 'ava';
import {bytesOf} from '../scenarios/proxy/bytes-of.ts';
import {type LenientUpstream, onlyGatedTool, startLenientUpstream} from '../scenarios/proxy/lenient-upstream.ts';
import {type LoneProxy, openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {sendBytes, type WireRequest} from '../scenarios/proxy/send-bytes.ts';

type BypassCase = Readonly<{
	category: string;
	name: string;
	/** How the upstream is lenient. */
	upstream: string;
	method?: string;
	/** Follows the address of the server. */
	suffix?: string;
	headers: WireRequest['headers'];
	/** Text in which `\xHH` is that byte, or the bytes themselves; `repeated` stands where the body says `<repeated>`. */
	body?: string;
	body_base64?: string;
	repeated?: Readonly<{text: string; times: number}>;
	/** How the proxy refuses it, with which JSON-RPC error. Without it the call is held, or passes as another one. */
	refused?: Readonly<{status: number; code?: number}>;
}>;

const address = new URL('../scenarios/proxy/bypass.json', import.meta.url);
const cases: readonly BypassCase[] = JSON.parse(await readFile(address, 'utf8'));

const bodyOf = ({body = '', body_base64, repeated}: BypassCase): Buffer => {
	if (body_base64 !== undefined) return Buffer.from(body_base64, 'base64');
	return bytesOf(body.replaceAll('<repeated>', () => repeated?.text.repeat(repeated.times) ?? ''));
};

const requestOf = (each: BypassCase, base: string): WireRequest => ({
	method: each.method ?? 'POST',
	path: `${base}${each.suffix ?? ''}`,
	headers: each.headers,
	body: bodyOf(each),
});

const codeIn = (body: string): number | undefined => (body.startsWith('{') ? JSON.parse(body).error?.code : undefined);

/** Sends a case straight and through the proxy, where nobody approves anything. */
const runCase = async (each: BypassCase, upstream: LenientUpstream, proxy: LoneProxy) => {
	const start = upstream.executions();
	await sendBytes(upstream.port, requestOf(each, `/${each.upstream}`));
	const direct = upstream.executions();
	const base = await proxy.addServer({
		target_url: `${upstream.origin}/${each.upstream}`,
		approval_config: onlyGatedTool,
	});
	const held = proxy.held();
	const {status, body} = await sendBytes(proxy.port, requestOf(each, base), () => proxy.held() > held);
	const code = codeIn(body);
	const refused = status >= 300 || code !== undefined ? {status, ...(code !== undefined && {code})} : undefined;
	return {alive: direct > start, bypassed: upstream.executions() > direct, refused};
};

/** Which requirements the refusals of a category show. */
const citations: Readonly<Record<string, string>> = {
	batches: '[PRX-050] ',
	'duplicate keys': '[PRX-042 PRX-043] ',
	'look-alike keys': '[PRX-044] ',
	'byte order marks': '',
	escapes: '',
	charsets: '[PRX-038] ',
	'forgiving syntax': '[PRX-037 PRX-045] ',
	'content encodings': '[PRX-039] ',
	'content types': '[PRX-040] ',
	'methods and paths': '',
	'calls shaped like notifications': '[PRX-055] ',
	'headers unlike the body': '[PRX-057 PRX-058] ',
	'oversized and deep': '[PRX-046 PRX-047] ',
};

for (const [category, ids] of Object.entries(citations)) {
	test(`${ids}${category} run no gated tool on a lenient upstream`, async (t) => {
		const upstream = await startLenientUpstream();
		t.teardown(upstream.close);
		const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8'], max_body_bytes: 100_000});
		const ofCategory = cases.filter((each) => each.category === category);
		let alive = 0;
		for (const each of ofCategory) {
			const outcome = await runCase(each, upstream, proxy);
			alive += outcome.alive ? 1 : 0;
			t.true(outcome.alive, `${each.name}: sent straight, it runs the tool`);
			t.false(outcome.bypassed, each.name);
			t.deepEqual(outcome.refused, each.refused, each.name);
		}
		t.log(`${alive} of ${ofCategory.length} cases are alive`);
		t.true(alive >= 8);
	});
}

test('there are at least 150 cases, each of a category that is run', (t) => {
	t.true(cases.length >= 150);
	t.deepEqual(
		cases.filter(({category}) => citations[category] === undefined),
		[],
	);
});
