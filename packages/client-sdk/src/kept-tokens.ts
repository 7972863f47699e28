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

type SignedIn = Readonly<{access_token: string; refresh_token?: string | undefined; user: Readonly<{id: string}>}>;
type CookieWish = Readonly<{session: 'cookie'}>;

/** The tokens of a person, whoever keeps which of them. */
export type KeptTokens = Readonly<{
	/** What signing in asks for besides. */
	wish: CookieWish | Readonly<Record<never, never>>;
	accessToken(): Promise<string | undefined>;
	/** What refreshing and signing out present; undefined when there is nothing. */
	presented(): Promise<CookieWish | Readonly<{refresh_token: string}> | undefined>;
	/** Whether what a refresh answered belongs to the person whose session this is. */
	isOurs(signedIn: SignedIn): boolean;
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
	// A store is handed over by whoever made it, and holds whom they say.
	isOurs: () => true,
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
	let userId: string | undefined;
	return {
		wish,
		accessToken: async () => accessToken,
		presented: async () => (isOver ? undefined : wish),
		// All pages share the cookie: on another one somebody else may have signed in.
		isOurs: ({user}) => userId === undefined || userId === user.id,
		keep: async (signedIn) => {
			accessToken = signedIn?.access_token;
			isOver = signedIn === undefined;
			userId = signedIn?.user.id;
		},
	};
};
