const placeholder = Buffer.from('********');
const fewestCharacters = 6;
const anchorBytes = 6;

/** Bytes from `start` up to `end`, counted from the beginning of the stream. */
type Span = Readonly<{start: number; end: number}>;

/** A secret, and how far what was read last is a beginning of it. */
type Search = {
	readonly secret: Buffer;
	readonly anchor: Buffer;
	/** For each length of a beginning, the length of the longest shorter beginning that it ends with (Knuth, Morris, Pratt). */
	readonly fallback: Int32Array;
	matched: number;
};

/** Masks a stream of bytes piece by piece. */
export type Masker = Readonly<{
	/** @returns what can be told by now; what may be the beginning of a secret is held back. */
	push(bytes: Buffer): Buffer;
	/** @returns what was held back. */
	end(): Buffer;
}>;

const fallbackOf = (secret: Buffer): Int32Array => {
	const fallback = new Int32Array(secret.length + 1);
	let matched = 0;
	for (let at = 1; at < secret.length; at += 1) {
		while (matched > 0 && secret[matched] !== secret[at]) matched = fallback[matched] as number;
		if (secret[matched] === secret[at]) matched += 1;
		fallback[at + 1] = matched;
	}
	return fallback;
};

const searchFor = (value: string): Search => {
	const secret = Buffer.from(value);
	return {secret, anchor: secret.subarray(0, anchorBytes), fallback: fallbackOf(secret), matched: 0};
};

/** Where to go on when nothing is matched: at the next place where the secret may begin. */
const nextCandidate = ({anchor}: Search, bytes: Buffer, from: number): number => {
	const found = bytes.indexOf(anchor, from);
	return found >= 0 ? found : Math.max(from, bytes.length - anchor.length + 1);
};

/** Spans of the secret in `bytes`, which begin at `offset`; a secret may have begun earlier. Overlapping ones are joined. */
const findSpans = (search: Search, bytes: Buffer, offset: number): readonly Span[] => {
	const {secret, fallback} = search;
	const spans: Span[] = [];
	for (let at = 0; at < bytes.length; at += 1) {
		if (search.matched === 0) at = nextCandidate(search, bytes, at);
		if (at >= bytes.length) break;
		while (search.matched > 0 && secret[search.matched] !== bytes[at])
			search.matched = fallback[search.matched] as number;
		if (secret[search.matched] === bytes[at]) search.matched += 1;
		if (search.matched === secret.length) {
			addSpan(spans, {start: offset + at + 1 - secret.length, end: offset + at + 1});
			search.matched = fallback[search.matched] as number;
		}
	}
	return spans;
};

/** Adds a span that starts no earlier than the last one. */
const addSpan = (spans: Span[], span: Span): void => {
	const last = spans.at(-1);
	if (last === undefined || span.start > last.end) spans.push(span);
	else spans[spans.length - 1] = {start: last.start, end: Math.max(last.end, span.end)};
};

const joinSpans = (spans: readonly Span[]): readonly Span[] => {
	const joined: Span[] = [];
	for (const span of [...spans].sort((one, other) => one.start - other.start)) addSpan(joined, span);
	return joined;
};

/** The longest beginning of a secret that was read last. */
const longestBeginning = (searches: readonly Search[]): Buffer =>
	searches
		.map(({secret, matched}) => secret.subarray(0, matched))
		.reduce((longest, each) => (each.length > longest.length ? each : longest));

const unmasked: Masker = {push: (bytes) => bytes, end: () => Buffer.alloc(0)};

/**
 * Masks secret values of 6 characters or more in a stream of bytes, also across the borders of its pieces. Every byte that
 * belongs to an occurrence of a value is hidden, overlapping ones too; each run of hidden bytes becomes one `********`. The
 * time is linear in the length of the stream and in the number of values, whatever they are.
 */
export const createMasker = (values: readonly string[]): Masker => {
	const searches = [...new Set(values)].filter((value) => [...value].length >= fewestCharacters).map(searchFor);
	if (searches.length === 0) return unmasked;
	let held: Buffer = Buffer.alloc(0);
	let spans: readonly Span[] = [];
	let read = 0;
	let hiddenUntil = -1;

	/** What of `bytes`, which begin at `offset`, people may see. */
	const show = (bytes: Buffer, offset: number): Buffer => {
		const pieces: Buffer[] = [];
		let shown = offset;
		for (const {start, end} of spans) {
			const from = Math.max(start, offset);
			const to = Math.min(end, offset + bytes.length);
			if (from >= to) continue;
			pieces.push(bytes.subarray(shown - offset, from - offset));
			if (from !== hiddenUntil) pieces.push(placeholder);
			hiddenUntil = to;
			shown = to;
		}
		pieces.push(bytes.subarray(shown - offset));
		return Buffer.concat(pieces);
	};

	return {
		push: (bytes) => {
			const offset = read - held.length;
			const found = searches.flatMap((search) => findSpans(search, bytes, read));
			read += bytes.length;
			spans = joinSpans([...spans.filter(({end}) => end > offset), ...found]);
			const before = held;
			// What is held back is the beginning of a secret, so a view on the secret stands for it.
			held = longestBeginning(searches);
			const ready = read - held.length;
			return show(Buffer.concat([before, bytes], ready - offset), offset);
		},
		end: () => show(held, read - held.length),
	};
};

/** Masks a whole text, like the message of an error. */
export const maskText = (text: string, values: readonly string[]): string => {
	const masker = createMasker(values);
	return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString();
};
