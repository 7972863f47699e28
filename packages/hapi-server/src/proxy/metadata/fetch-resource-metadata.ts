import type {Clock} from '@signalbox/core';
import {type Refusal, refusal} from '../json-rpc-error.ts';
import {parseJson, writeJson} from '../parse-json.ts';
import {createBoundedCopy} from '../relay/bounded-copy.ts';
import {type Upstream, UpstreamError} from '../upstream/upstream.ts';
import {LeavingWaiter, type Waiter} from '../waiter.ts';

/** An upstream's OAuth protected resource metadata (RFC 9728) as we publish it, or what to answer in its place. */
export type MetadataReading =
	| Readonly<{ok: true; body: Buffer}>
	| Readonly<{ok: false; refusal: Refusal; cause?: unknown}>;

const longest = 64 * 1024;
/** For everything that one reading takes. */
const patience_ms = 5_000;
const wellKnown = '/.well-known/oauth-protected-resource';

const none: MetadataReading = {
	ok: false,
	refusal: refusal(404, 'The upstream publishes no OAuth protected resource metadata.'),
};
const unusable: MetadataReading = {
	ok: false,
	refusal: refusal(502, 'The OAuth protected resource metadata of the upstream is not a JSON object, or is too large.'),
};
const late: MetadataReading = {ok: false, refusal: refusal(502, 'The upstream did not answer in time.')};

/** Where a resource publishes its metadata unprompted: RFC 9728, 3.1, and after it the root, as MCP lets servers do. */
export const wellKnownAddresses = ({origin, pathname, search}: URL): readonly URL[] => {
	const root = new URL(wellKnown, origin);
	const own = new URL(`${wellKnown}${pathname === '/' ? '' : pathname}${search}`, origin);
	return own.href === root.href ? [root] : [own, root];
};

/** The same for a resource of ours. Undefined for what is no JSON object. */
const rewrite = (text: string, resource: string): string | undefined => {
	const document = parseJson(text);
	if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
	// Signed claims win over plain ones (RFC 9728, 2.2), and these name the upstream's own address.
	const {signed_metadata: _signed, ...plain} = document as Readonly<Record<string, unknown>>;
	return writeJson({...plain, resource});
};

type Wanted = Readonly<{
	/** Tried in turn. */
	urls: readonly URL[];
	/** What the document is to say that it is about. */
	resource: string;
}>;

type Reader = Readonly<{upstream: Upstream; resource: string; waiter: Waiter}>;

/** No credential goes along: metadata is public, and the address may be of another origin than the server. */
const readAt = async ({upstream, resource, waiter}: Reader, url: URL): Promise<MetadataReading> => {
	const headers = ['accept', 'application/json', 'accept-encoding', 'identity'];
	const answer = await upstream.send({url, method: 'GET', headers, body: null, timeout_ms: 0, waiter});
	// What official clients take for "none here": servers that guard every path answer 401 rather than 404.
	if (answer.status >= 400 && answer.status < 500) return none;
	if (answer.status !== 200) return unusable;
	const copy = createBoundedCopy(longest);
	for await (const chunk of answer.body) {
		copy.add(chunk);
		if (!copy.isWhole()) return unusable;
	}
	const rewritten = rewrite(copy.bytes().toString(), resource);
	return rewritten === undefined ? unusable : {ok: true, body: Buffer.from(rewritten)};
};

const readFirst = async (reader: Reader, urls: readonly URL[]): Promise<MetadataReading> => {
	for (const url of urls) {
		const reading = await readAt(reader, url);
		if (reading !== none) return reading;
	}
	return none;
};

/** The document at the first of the addresses that has one: at most 64 KiB, within 5 seconds, no redirect followed. */
export const fetchResourceMetadata = async (
	{upstream, clock}: Readonly<{upstream: Upstream; clock: Clock}>,
	{urls, resource}: Wanted,
): Promise<MetadataReading> => {
	const reading = new AbortController();
	const waiter = new LeavingWaiter();
	void clock.sleep(patience_ms, reading.signal).then(() => waiter.leave());
	try {
		return await readFirst({upstream, resource, waiter}, urls);
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		if (error.failure === 'abandoned') return late;
		return {ok: false, refusal: refusal(502, error.message), cause: error.cause};
	} finally {
		// Also lets go of an answer whose body nobody read.
		waiter.leave();
		reading.abort();
	}
};
