/** What an API key may be used for. */
export const keyScopes = ['api', 'approvals', 'proxy', 'agent'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** How the caller proved who they are. */
export type Credential =
	| Readonly<{kind: 'session'}>
	| Readonly<{kind: 'api_key'; id: string; scopes: readonly KeyScope[]}>;

/** Who calls: resolved once at the edge, handed to every service. */
export type Caller = Readonly<{
	user_id: string;
	/** The active team: lists, counts and metrics use it. */
	team_id: string;
	/** Every team of the caller: access by id uses them. */
	team_ids: readonly string[];
	/** Name of the caller's plan. */
	plan: string;
	credential: Credential;
}>;

/** Whose requests are one caller's: each API key is a caller of its own, as an agent of its user's is; nobody is one, too. */
export const callerKeyOf = (caller: Caller | undefined): string => {
	if (!caller) return 'anonymous';
	return caller.credential.kind === 'api_key' ? `key:${caller.credential.id}` : `user:${caller.user_id}`;
};

/** True when the credential may do what the scope covers; a signed-in session may do everything. */
export const mayUse = (caller: Caller, scope: KeyScope): boolean =>
	caller.credential.kind === 'session' || caller.credential.scopes.includes(scope);
