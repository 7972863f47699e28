import {apiErrorOf} from './api-error.ts';
import type {Sender} from './sender.ts';

/** What keeps a person signed in. */
export type Tokens = Readonly<{access_token: string; refresh_token: string}>;

/** Where tokens are kept between calls, and over restarts if you like. `set(undefined)` forgets both. */
export type TokenStore = Readonly<{
	get(): Promise<Tokens | undefined> | Tokens | undefined;
	set(tokens: Tokens | undefined): Promise<void> | void;
}>;

/** Keeps tokens for as long as the process runs. */
export const createMemoryTokenStore = (tokens?: Tokens): TokenStore => {
	let kept = tokens;
	return {
		get: () => kept,
		set: (next) => {
			kept = next;
		},
	};
};

/** Repeats a call that was refused for its access token, once, with a fresh one. */
export type Session = Readonly<{
	send(request: Request): Promise<Response>;
	accessToken(): Promise<string | undefined>;
}>;

type Needs = Readonly<{baseUrl: string; store: TokenStore; sender: Sender}>;

const refreshRequest = (baseUrl: string, {refresh_token}: Tokens): Request =>
	new Request(new URL('/v1/auth/refresh', baseUrl), {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({refresh_token}),
	});

const isRefused = (status: number): boolean => status === 400 || status === 401;

/** A fresh access token for the one that was refused; undefined when the session is over. */
const renew = async ({baseUrl, store, sender}: Needs, refused: string): Promise<string | undefined> => {
	const tokens = await store.get();
	if (!tokens || tokens.access_token !== refused) return tokens?.access_token;
	const response = await sender(refreshRequest(baseUrl, tokens));
	if (response.ok) {
		const {access_token, refresh_token} = (await response.json()) as Tokens;
		await store.set({access_token, refresh_token});
		return access_token;
	}
	if (!isRefused(response.status)) throw await apiErrorOf(response);
	await response.body?.cancel();
	await store.set(undefined);
	return undefined;
};

const bearerOf = (request: Request): string | undefined =>
	/^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];

const withBearer = (request: Request, token: string): Request => {
	const again = new Request(request);
	again.headers.set('authorization', `Bearer ${token}`);
	return again;
};

export const createSession = (needs: Needs): Session => {
	let renewal: Promise<string | undefined> | undefined;
	// Calls that are refused together share one refresh: a refresh token works once.
	const renewOnce = (refused: string): Promise<string | undefined> => {
		renewal ??= renew(needs, refused).finally(() => {
			renewal = undefined;
		});
		return renewal;
	};
	return {
		accessToken: async () => (await needs.store.get())?.access_token,
		send: async (request) => {
			const kept = request.clone();
			const response = await needs.sender(request);
			const used = bearerOf(request);
			if (response.status !== 401 || used === undefined) return response;
			const fresh = await renewOnce(used);
			if (fresh === undefined || fresh === used) return response;
			await response.body?.cancel();
			return needs.sender(withBearer(kept, fresh));
		},
	};
};
