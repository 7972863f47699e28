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

type SignedIn = Readonly<{access_token: string; refresh_token?: string | undefined}>;
type CookieWish = Readonly<{session: 'cookie'}>;

/** The tokens of a person, whoever keeps which of them. */
export type KeptTokens = Readonly<{
	/** What signing in asks for besides. */
	wish: CookieWish | Readonly<Record<never, never>>;
	accessToken(): Promise<string | undefined>;
	/** What refreshing and signing out present; undefined when there is nothing. */
	presented(): Promise<CookieWish | Readonly<{refresh_token: string}> | undefined>;
	/** Undefined: the session is over. */
	keep(signedIn: SignedIn | undefined): Promise<void>;
}>;

/** Both tokens in a store. */
export const createStoredTokens = (store: TokenStore): KeptTokens => ({
	wish: {},
	accessToken: async () => (await store.get())?.access_token,
	presented: async () => {
		const tokens = await store.get();
		return tokens && {refresh_token: tokens.refresh_token};
	},
	keep: async (signedIn) => {
		if (signedIn === undefined) return store.set(undefined);
		const {access_token, refresh_token} = signedIn;
		if (refresh_token === undefined) throw new TypeError('The API keeps the refresh token in a cookie');
		return store.set({access_token, refresh_token});
	},
});

/** The access token in memory, the refresh token in a cookie that no script can read. */
export const createCookieTokens = (): KeptTokens => {
	const wish = {session: 'cookie'} as const;
	let accessToken: string | undefined;
	// Whether there is a cookie is for the API to say: it is asked once.
	let isOver = false;
	return {
		wish,
		accessToken: async () => accessToken,
		presented: async () => (isOver ? undefined : wish),
		keep: async (signedIn) => {
			accessToken = signedIn?.access_token;
			isOver = signedIn === undefined;
		},
	};
};
