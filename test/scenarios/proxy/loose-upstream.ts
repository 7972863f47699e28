import {listenRaw} from '../../support/mcp/listen-raw.ts';
import {readTolerantly, type TolerantValue} from '../../support/tolerant-json.ts';
import {gatedTool} from './lenient-upstream.ts';

/** How an upstream tells where a request ends, when the request says two things about it. */
export type Framing = 'first length' | 'last length' | 'chunks' | 'no body of a GET';

/** A request as a loose parser sees it. */
type Loose = Readonly<{method: string; headers: readonly (readonly [name: string, value: string])[]; body: string}>;

const blankLine = /\r?\n\r?\n|\r\r/;

/** Any line end, folded lines, blanks around names, and text that ends at NUL. */
const headersOf = (head: string): Loose['headers'] =>
	head
		.replaceAll(/\r?\n[ \t]+/g, ' ')
		.split(/\r\n|\n|\r/)
		.slice(1)
		.map((line) => {
			const [name = '', ...value] = line.split(':');
			return [name.split('\0')[0]?.trim().toLowerCase().replaceAll('_', '-') ?? '', value.join(':').trim()] as const;
		});

const valuesOf = (headers: Loose['headers'], wanted: string): readonly string[] =>
	headers.filter(([name]) => name === wanted).flatMap(([, value]) => value.split(','));

const lengthOf = (written = '0'): number => Math.abs(Number(written.replaceAll(/[^0-9a-fx.]/gi, '')) || 0);

type Body = Readonly<{body: string; rest: string}>;

const sizeOf = (line: string): number => {
	const [digits = ''] = line
		.trim()
		.replace(/^[+ ]*(0x)?/i, '')
		.split(';');
	return Math.max(0, Number.parseInt(digits.slice(-8), 16) || 0);
};

/** Sizes with blanks, signs and extensions; a missing line end after the data is forgiven. */
const unchunk = (text: string): Body | undefined => {
	let rest = text;
	let body = '';
	for (;;) {
		const [line] = /^[^\n]*\n/.exec(rest) ?? [];
		if (line === undefined) return undefined;
		const size = sizeOf(line);
		rest = rest.slice(line.length);
		if (size === 0) return {body, rest: rest.replace(/^\r?\n/, '')};
		if (rest.length < size) return undefined;
		body += rest.slice(0, size);
		rest = rest.slice(size).replace(/^\r?\n/, '');
	}
};

const bodyOf = (framing: Framing, head: string, rest: string): Body | undefined => {
	const headers = headersOf(head);
	if (framing === 'no body of a GET' && /^(GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT|PRI)/.test(head))
		return {body: '', rest};
	const isChunked = valuesOf(headers, 'transfer-encoding').some((coding) => /chunked/i.test(coding));
	if (framing === 'chunks' && isChunked) return unchunk(rest);
	const lengths = valuesOf(headers, 'content-length');
	const length = lengthOf(framing === 'last length' ? lengths.at(-1) : lengths[0]);
	return rest.length < length ? undefined : {body: rest.slice(0, length), rest: rest.slice(length)};
};

const member = (value: TolerantValue | undefined, key: string): TolerantValue | undefined =>
	value !== undefined && typeof value !== 'string' && 'members' in value
		? value.members.find(([name]) => name === key)?.[1]
		: undefined;

const runsGatedTool = (body: string): boolean =>
	readTolerantly(body).some(
		(message) => member(message, 'method') === 'tools/call' && member(member(message, 'params'), 'name') === gatedTool,
	);

const answerText = '{"jsonrpc":"2.0","id":1,"result":{}}';
const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${answerText.length}\r\n\r\n${answerText}`;

/** Takes every whole request from the front of the text, and answers what is left. */
const takeRequests = (framing: Framing, text: string, take: (body: string) => void): string => {
	let left = text.trimStart();
	for (;;) {
		const end = blankLine.exec(left);
		if (end === null) return left;
		const found = bodyOf(framing, left.slice(0, end.index), left.slice(end.index + end[0].length));
		if (found === undefined) return left;
		take(found.body);
		left = found.rest.trimStart();
	}
};

/** A server that takes any method, any target and any framing, and believes the framing that it was made for. */
export const startLooseUpstream = async (framing: Framing) => {
	let executions = 0;
	const {port, close} = await listenRaw((socket) => {
		let text = '';
		socket.on('data', (chunk) => {
			text = takeRequests(framing, text + chunk.toString('latin1'), (body) => {
				if (runsGatedTool(body)) executions += 1;
				socket.write(answer);
			});
		});
	});
	return {port, executions: () => executions, close};
};
