import {ApiError} from './api-error.ts';
import {type Client, createClient, createConfig} from './generated/client/index.ts';
import {GeneratedApi} from './generated/sdk.gen.ts';
import {createSender, type Fetch} from './sender.ts';
import {createMemoryTokenStore, createSession, type TokenStore, type Tokens} from './session.ts';
import {sleep} from './sleep.ts';

export type ClientOptions = Readonly<{
	/** Where the API is served, e.g. `http://127.0.0.1:3000`. */
	baseUrl: string;
	/** A long-lived key. With one, tokens are not used. */
	apiKey?: string;
	/** The tokens of somebody who is signed in already. */
	tokens?: Tokens;
	/** Keeps tokens somewhere else than in memory. */
	tokenStore?: TokenStore;
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

type Wiring = Readonly<{client: Client; store: TokenStore}>;

const wire = (options: ClientOptions): Wiring => {
	const {baseUrl, apiKey, retries = 2, backoffMs = 200, timeoutMs = 30_000} = options;
	const store = options.tokenStore ?? createMemoryTokenStore(options.tokens);
	const fetch: Fetch = options.fetch ?? ((request, init) => globalThis.fetch(request, init));
	const policy = {retries, backoffMs, longestWaitMs};
	const sender = createSender({fetch, policy, timeoutMs, sleep, random: Math.random});
	const session = createSession({baseUrl, store, sender});
	const client = createClient(
		createConfig({
			baseUrl,
			throwOnError: true,
			headers: options.teamId === undefined ? {} : {'x-team-id': options.teamId},
			fetch: (input, init) => session.send(new Request(input, init)),
			auth: ({type}) => {
				if (apiKey !== undefined) return type === 'apiKey' ? apiKey : undefined;
				return type === 'http' ? session.accessToken() : undefined;
			},
		}),
	);
	client.interceptors.error.use((error, response) =>
		response && !response.ok && !(error instanceof Error) ? new ApiError(response, error) : error,
	);
	return {client, store};
};

/**
 * The Signalbox API. Operations are grouped as in the API description: `client.mcp.servers.create({body})`.
 * Each answers the body of its success and rejects with an {@link ApiError}. With tokens, an expired access token is
 * refreshed by itself, once for all calls that meet it together.
 */
export class SignalboxClient extends GeneratedApi {
	readonly #store: TokenStore;

	constructor(options: ClientOptions) {
		const {client, store} = wire(options);
		super({client});
		this.#store = store;
	}

	/** Signs in and keeps the tokens for the calls that follow. @throws ApiError `invalid_credentials` */
	async signIn(credentials: Readonly<{email: string; password: string}>): Promise<void> {
		const {access_token, refresh_token} = await this.auth.login({body: {...credentials}});
		if (refresh_token === undefined) throw new TypeError('The API keeps the refresh token in a cookie');
		await this.#store.set({access_token, refresh_token});
	}

	/** Ends the session and forgets both tokens, also when the API cannot be reached. */
	async signOut(): Promise<void> {
		const tokens = await this.#store.get();
		await this.#store.set(undefined);
		if (tokens) await this.auth.logout({body: {refresh_token: tokens.refresh_token}});
	}
}
