import {ApiError} from './api-error.ts';
import {createCall} from './create-call.ts';
import {createMethods} from './create-methods.ts';
import {Api} from './generated/operations.gen.ts';
import type {User} from './generated/types.gen.ts';
import {
	createCookieTokens,
	createMemoryTokenStore,
	createStoredTokens,
	type KeptTokens,
	type TokenStore,
	type Tokens,
} from './kept-tokens.ts';
import type {Call} from './operation.ts';
import {createSender, type Fetch} from './sender.ts';
import {createSession, type Session} from './session.ts';
import {sleep} from './sleep.ts';
import {createStream, type StreamMessage, type StreamOptions} from './stream.ts';

export type ClientOptions = Readonly<{
	/** Where the API is served, e.g. `http://127.0.0.1:3000`. */
	baseUrl: string;
	/** A long-lived key. With one, tokens are not used. */
	apiKey?: string;
	/** The tokens of somebody who is signed in already. With a `tokenStore`, it holds them instead. */
	tokens?: Tokens;
	/** Keeps tokens somewhere else than in memory, those of somebody who is signed in already included. */
	tokenStore?: TokenStore;
	/**
	 * For browsers: the API keeps the refresh token in a cookie that no script can read, and the client the access token
	 * in memory. After a page load calls go on where the last page stopped; {@link SignalboxClient.restore} says who it is.
	 */
	session?: 'cookie';
	/** Called when the session turns out to be over, or to be somebody else's by now, without {@link SignalboxClient.signOut}. */
	onSessionLost?: () => void;
	/** The active team of every call; without it, the user's own active team. */
	teamId?: string;
	/** Repetitions of a call that failed in passing and does no harm when it is sent twice; default 2. */
	retries?: number;
	/** Milliseconds before the first repetition, doubling with each; default 200. Retry-After wins. */
	backoffMs?: number;
	/** Milliseconds for one attempt, its answer's body included; default 30,000. */
	timeoutMs?: number;
	/** In place of the global one. */
	fetch?: Fetch;
}>;

const longestWaitMs = 60_000;

type Stream = (options?: StreamOptions) => AsyncGenerator<StreamMessage, void>;
type Wiring = Readonly<{call: Call; tokens: KeptTokens; session: Session; stream: Stream}>;

const tokensOf = ({session, tokenStore, tokens}: ClientOptions): KeptTokens => {
	if (tokens && tokenStore) throw new TypeError('Give either tokens or a tokenStore that holds them.');
	return session === 'cookie' ? createCookieTokens() : createStoredTokens(tokenStore ?? createMemoryTokenStore(tokens));
};

/** The cookie goes along where the page is served from elsewhere, too. */
const fetchOf = ({session, fetch = globalThis.fetch}: ClientOptions): Fetch =>
	session === 'cookie'
		? (request, init) => fetch(request, {...init, credentials: 'include'})
		: (request, init) => fetch(request, init);

/** Fetch, which takes off what stands around a value, says which one it cannot send; and a key stands in no error. */
const refuseUnsendable = ({apiKey}: ClientOptions): void => {
	if (apiKey && !/^[ -~]*$/.test(apiKey.trim()))
		throw new TypeError('The apiKey holds characters that no API key has.');
};

const wire = (options: ClientOptions): Wiring => {
	refuseUnsendable(options);
	const {baseUrl, retries = 2, backoffMs = 200, timeoutMs = 30_000, onSessionLost: onLost = () => undefined} = options;
	const tokens = tokensOf(options);
	const policy = {retries, backoffMs, longestWaitMs};
	const sender = createSender({fetch: fetchOf(options), policy, timeoutMs, sleep, random: Math.random});
	const session = createSession({baseUrl, tokens, sender, onLost});
	const {apiKey, teamId} = options;
	const fetch = fetchOf(options);
	const stream = createStream({baseUrl, apiKey, teamId, fetch, session, sleep, random: Math.random});
	return {tokens, session, stream, call: createCall(options, session)};
};

const unlessSignedOut = (error: unknown): undefined => {
	if (!(error instanceof ApiError) || error.status !== 401) throw error;
};

/**
 * The Signalbox API. Operations are grouped as in the API description: `client.mcp.servers.create({body})`.
 * Each answers the body of its success and rejects with an {@link ApiError}. With tokens, an expired access token is
 * refreshed by itself, once for all calls that meet it together.
 */
export class SignalboxClient extends Api {
	readonly #tokens: KeptTokens;
	readonly #session: Session;
	readonly #stream: Stream;

	constructor(options: ClientOptions) {
		super();
		const {call, tokens, session, stream} = wire(options);
		Object.assign(this, createMethods(call));
		this.#tokens = tokens;
		this.#session = session;
		this.#stream = stream;
	}

	/**
	 * What happens in the active team, and to the caller, as it happens, until the signal aborts or the loop over it ends.
	 * A connection that breaks is made again, and goes on where it was: nothing is missed or doubled but where a `reset` says
	 * so, after which lists are to be read anew. @throws ApiError for what trying again cannot help
	 */
	stream(options?: StreamOptions): AsyncGenerator<StreamMessage, void> {
		return this.#stream(options);
	}

	/** Signs in and keeps the tokens for the calls that follow. @throws ApiError `invalid_credentials` */
	async signIn({email, password}: Readonly<{email: string; password: string}>): Promise<User> {
		const signedIn = await this.auth.login({body: {email, password, ...this.#tokens.wish}});
		await this.#session.begin(signedIn);
		return signedIn.user;
	}

	/** Who is signed in already: by the cookie after a page load, or by the tokens; undefined when nobody is. */
	async restore(): Promise<User | undefined> {
		if ((await this.#session.accessToken()) === undefined) return undefined;
		return this.auth.me().catch(unlessSignedOut);
	}

	/** Ends the session and forgets both tokens, also when the API cannot be reached. */
	async signOut(): Promise<void> {
		const presented = await this.#session.end();
		if (presented) await this.auth.logout({body: presented}).catch(unlessSignedOut);
	}
}
