import test from 'ava';
import fc from 'fast-check';
import {rewriteEvents} from '../../src/proxy/hold/rewrite-events.ts';

const upperCase = (data: Buffer): Buffer => (data.includes('ask') ? Buffer.from(data.toString().toUpperCase()) : data);

const collect = async (chunks: readonly (string | Buffer)[], limit = 1000): Promise<string> => {
	const body = (async function* () {
		for (const chunk of chunks) yield Buffer.from(chunk);
	})();
	const written: Buffer[] = [];
	for await (const chunk of rewriteEvents(body, upperCase, limit)) written.push(chunk);
	return Buffer.concat(written).toString();
};

const cases: readonly (readonly [title: string, before: string, after: string])[] = [
	['an event that stays', 'id: 1\ndata: x\n\n', 'id: 1\ndata: x\n\n'],
	['another event', 'event: message\ndata: ask\n\n', 'event: message\ndata: ASK\n\n'],
	['the other fields stay', ': hello\nid: 7\ndata: ask\nretry: 5\n\n', ': hello\nid: 7\nretry: 5\ndata: ASK\n\n'],
	['several lines of data', 'data: ask\ndata:more\n\n', 'data: ASK\ndata: MORE\n\n'],
	['line ends of CR and LF', 'data: ask\r\n\r\ndata: x\r\n\r\n', 'data: ASK\n\ndata: x\r\n\r\n'],
	['line ends of CR', 'data: ask\r\rdata: x\r\r', 'data: ASK\n\ndata: x\r\r'],
	['mixed line ends', 'data: x\n\rdata: ask\r\n\n: end', 'data: x\n\rdata: ASK\n\n: end'],
	['blank lines and comments', '\n\n: ping\n\ndata: ask\n\n\n', '\n\n: ping\n\ndata: ASK\n\n\n'],
	['an event that breaks off', 'data: x\n\ndata: ask', 'data: x\n\ndata: ask'],
];

/** A line end that comes in halves leaves a blank line more behind it, which means nothing. */
const withoutGaps = (events: string): string => events.replaceAll('\r\n', '\n').replaceAll(/\n{3,}/g, '\n\n');

for (const [title, before, after] of cases) {
	test(`${title}: at once and byte by byte`, async (t) => {
		t.is(await collect([before]), after);
		t.is(withoutGaps(await collect([...before])), withoutGaps(after));
	});
}

test('from an event on that is larger than the limit everything passes as it came', async (t) => {
	const large = `data: ${'x'.repeat(30)}`;
	t.is(
		await collect(['data: ask\n\n', large, ' ask\n\n', 'data: ask\n\n'], 20),
		`data: ASK\n\n${large} ask\n\ndata: ask\n\n`,
	);
});

test('what is not rewritten passes byte for byte, however it is cut', async (t) => {
	const piece = fc.constantFrom('data: x', 'data', ': c', 'id: 1', '\n', '\r', '\r\n', '\n\n', 'é', '\0');
	await fc.assert(
		fc.asyncProperty(fc.array(piece), fc.array(fc.nat({max: 40})), async (pieces, cuts) => {
			const bytes = Buffer.from(pieces.join(''));
			const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
			const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
			t.is(await collect(chunks), bytes.toString());
		}),
	);
});
