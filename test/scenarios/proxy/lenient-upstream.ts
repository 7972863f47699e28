import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import {brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, unzipSync, zstdDecompressSync} from 'node:zlib';
import type {McpServerRecord} from '@signalbox/core';
import {decodeBySniffing, decodeOverlong, swapped} from '../../support/lenient-decoding.ts';
import {listen} from '../../support/mcp/listen.ts';
import {readTolerantly, type TolerantValue} from '../../support/tolerant-json.ts';

/** The tool that must not run. */
export const gatedTool = 'delete_item';

/** Approvals under which whatever is taken for another call passes. */
export const onlyGatedTool: McpServerRecord['approval_config'] = {
	enabled: true,
	default_action: 'allow',
	trust_level: 'strict',
	ttl_seconds: 300,
	rules: [{pattern: gatedTool, action: 'require'}],
};

type Received = Readonly<{url: URL; headers: IncomingHttpHeaders; body: Buffer}>;

/** How an upstream reads what a strict one would refuse. What is not said is read as any forgiving server does. */
type Leniency = Readonly<{
	/** From the bytes on the wire to those of the text. */
	unpack?: (received: Received) => Buffer;
	decode?: (bytes: Buffer, received: Received) => string;
	/** Which of several members under one key counts. Default: the last. */
	pick?: 'first' | 'last' | 'any';
	/** What makes two keys, or two names of tools, one. Default: nothing. */
	fold?: (text: string) => string;
	/** Where an object has no such member, that of its `__proto__` counts. */
	inherits?: boolean;
	/** Names of tools that it runs without a look at the body. */
	besides?: (received: Received) => readonly string[];
}>;

const header = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');

const decompressors: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
	gzip: gunzipSync,
	'x-gzip': gunzipSync,
	deflate: inflateSync,
	'deflate-raw': inflateRawSync,
	br: brotliDecompressSync,
	zstd: zstdDecompressSync,
	base64: (bytes) => Buffer.from(bytes.toString('latin1'), 'base64'),
};

const decompress = ({headers, body}: Received): Buffer =>
	['content-encoding', 'content-transfer-encoding', 'transfer-encoding']
		.flatMap((name) => header(headers, name).toLowerCase().split(','))
		.map((coding) => decompressors[coding.trim()])
		.reduceRight((bytes, inverse) => inverse?.(bytes) ?? bytes, body);

const sniffDecompression = ({body}: Received): Buffer => {
	try {
		return unzipSync(body);
	} catch {
		return body;
	}
};

const decodeUtf7 = (text: string): string =>
	text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) =>
		encoded === '' ? '+' : swapped(Buffer.from(encoded, 'base64')).toString('utf16le'),
	);

const decodeByCharset = (bytes: Buffer, {headers}: Received): string => {
	const type = header(headers, 'content-type').toLowerCase().replaceAll(/["'*]/g, '');
	if (type.includes('utf-7')) return decodeUtf7(bytes.toString('latin1'));
	if (/utf-?16be/.test(type)) return swapped(bytes).toString('utf16le');
	if (/utf-?16/.test(type) || type.includes('ucs-2')) return bytes.toString('utf16le');
	return bytes.toString(type.includes('latin') || type.includes('8859') ? 'latin1' : 'utf8');
};

const formBody = ({headers, body}: Received): Buffer => {
	const text = body.toString();
	if (/multipart/i.test(header(headers, 'content-type'))) return Buffer.from(text.slice(text.indexOf('{')));
	const fields = new URLSearchParams(text);
	const whole = fields.get('json') ?? fields.get('payload');
	return Buffer.from(whole ?? JSON.stringify({method: fields.get('method'), params: {name: fields.get('name')}}));
};

const named = (method: string | null, name: string | null): readonly string[] =>
	method?.toLowerCase() === 'tools/call' && name !== null ? [name] : [];

const byHeaders = ({headers}: Received): readonly string[] => {
	const names = header(headers, 'mcp-name').split(',');
	return header(headers, 'mcp-method')
		.split(',')
		.flatMap((method) => names.flatMap((name) => named(method.trim(), decodeName(name.trim()))));
};

const decodeName = (name: string): string => {
	const [, encoded] = /^=\?base64\?(.*)\?=$/i.exec(name) ?? [];
	return encoded === undefined ? name : Buffer.from(encoded, 'base64').toString();
};

const byAddress = ({url}: Received): readonly string[] => [
	...named(url.searchParams.get('method'), url.searchParams.get('name')),
	...decodeURIComponent(url.pathname).split(/[/\\;]+/),
];

const invisible = /\p{Default_Ignorable_Code_Point}|\ufeff/gu;

/** Each lenient in its own way, which a server on the web is. */
const leniencies: Readonly<Record<string, Leniency>> = {
	plain: {},
	'first-key': {pick: 'first'},
	'any-key': {pick: 'any'},
	inheriting: {inherits: true},
	'case-folding': {pick: 'any', fold: (text) => text.toUpperCase().toLowerCase()},
	compatibility: {pick: 'any', fold: (text) => text.normalize('NFKC')},
	trimming: {pick: 'any', fold: (text) => text.trim()},
	'c-strings': {pick: 'any', fold: (text) => text.split('\0')[0] ?? ''},
	invisible: {pick: 'any', fold: (text) => text.replaceAll(invisible, '')},
	surrogates: {pick: 'any', fold: (text) => text.replaceAll(/[\p{Cs}\ufffd]/gu, '')},
	decompressing: {unpack: decompress},
	'sniffing-compression': {unpack: sniffDecompression},
	'sniffing-charset': {decode: decodeBySniffing},
	charset: {decode: decodeByCharset},
	overlong: {decode: decodeOverlong},
	'dropping-bytes': {decode: (bytes) => bytes.toString('utf8').replaceAll(/[\ufffd\0]/g, '')},
	forms: {unpack: formBody},
	headers: {besides: byHeaders},
	addresses: {besides: byAddress},
};

const folded = ({fold = (text) => text}: Leniency, text: string): string => fold(text);

const heirloom = '__proto__';

const membersOf = (value: TolerantValue, key: string, leniency: Leniency): readonly TolerantValue[] => {
	if (typeof value === 'string' || !('members' in value)) return [];
	const found = value.members
		.filter(([name]) => folded(leniency, name) === folded(leniency, key))
		.map(([, each]) => each);
	if (leniency.inherits && found.length === 0)
		return value.members.filter(([name]) => name === heirloom).flatMap(([, each]) => membersOf(each, key, leniency));
	if (leniency.pick === 'any') return found;
	return leniency.pick === 'first' ? found.slice(0, 1) : found.slice(-1);
};

const namesIn = (params: TolerantValue, leniency: Leniency): readonly TolerantValue[] =>
	Array.isArray(params) ? params.slice(0, 1) : membersOf(params, 'name', leniency);

const isNamed = (value: TolerantValue, name: string, leniency: Leniency): boolean =>
	typeof value === 'string' && folded(leniency, value) === folded(leniency, name);

/** The tools that a message calls. It may be a batch, lack an id or a version, or be an answer as well. */
const toolsIn = (message: TolerantValue, leniency: Leniency): readonly TolerantValue[] => {
	if (Array.isArray(message)) return message.flatMap((each) => toolsIn(each, leniency));
	if (!membersOf(message, 'method', leniency).some((method) => isNamed(method, 'tools/call', leniency))) return [];
	return membersOf(message, 'params', leniency)
		.flatMap((params) => namesIn(params, leniency))
		.flat();
};

const runsGatedTool = (received: Received, leniency: Leniency): boolean => {
	const {unpack = ({body}) => body, decode = (bytes) => bytes.toString()} = leniency;
	const messages = readTolerantly(decode(unpack(received), received));
	const tools = messages.flatMap((message) => toolsIn(message, leniency));
	return [...tools, ...(leniency.besides?.(received) ?? [])].some((name) => isNamed(name, gatedTool, leniency));
};

const receive = async (request: IncomingMessage): Promise<Received> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const url = new URL(request.url ?? '/', 'http://upstream');
	return {url, headers: request.headers, body: Buffer.concat(chunks)};
};

export type LenientUpstream = Readonly<{
	origin: string;
	port: number;
	/** How often the gated tool ran, under any leniency. */
	executions(): number;
	close(): Promise<void>;
}>;

/** One server, lenient as the first segment of the path asks; any method, any content type, any path below. */
export const startLenientUpstream = async (): Promise<LenientUpstream> => {
	let executions = 0;
	const listening = await listen(async (request, response) => {
		const received = await receive(request);
		const leniency = leniencies[received.url.pathname.split(/[/;]/)[1] ?? ''];
		if (leniency !== undefined && runsGatedTool(received, leniency)) executions += 1;
		response.writeHead(200, {'content-type': 'application/json'}).end('{"jsonrpc":"2.0","id":1,"result":{}}');
	});
	return {...listening, executions: () => executions};
};
