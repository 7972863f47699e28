/** The row a sealed text lives in. Moving the text to another row, key or tenant keeps it from opening. */
export type SealedPlace = Readonly<{
	table: 'environment_variables' | 'mcp_servers' | 'webhook_endpoints' | 'notification_channels' | 'idempotent_answers';
	id: string;
	key: string;
	user_id: string;
	team_id?: string | undefined;
}>;

/** The `binding` of a sealed text. JSON keeps the parts apart whatever characters they hold. */
export const bindingOf = ({table, id, key, user_id, team_id}: SealedPlace): string =>
	JSON.stringify([table, id, key, user_id, team_id ?? null]);

type Owned = Readonly<{id: string; user_id: string; team_id?: string | undefined}>;

/** The binding of an environment variable's value. */
export const variableBinding = ({id, key, user_id, team_id}: Owned & Readonly<{key: string}>): string =>
	bindingOf({table: 'environment_variables', id, key, user_id, team_id});

/** The binding of an MCP server's upstream headers. */
export const upstreamHeadersBinding = ({id, user_id, team_id}: Owned): string =>
	bindingOf({table: 'mcp_servers', id, key: 'upstream_headers', user_id, team_id});

/** The binding of a webhook endpoint's signing secrets, the one before a rotation too. */
export const signingSecretBinding = ({id, user_id, team_id}: Owned): string =>
	bindingOf({table: 'webhook_endpoints', id, key: 'signing_secret', user_id, team_id});

/** The binding of the secrets by which a webhook endpoint knows its sender. */
export const verificationBinding = ({id, user_id, team_id}: Owned): string =>
	bindingOf({table: 'webhook_endpoints', id, key: 'verification_secrets', user_id, team_id});

/** The binding of a notification channel's URL. */
export const channelUrlBinding = ({id, user_id}: Owned): string =>
	bindingOf({table: 'notification_channels', id, key: 'url', user_id});

/** The binding of an answer kept under an idempotency key. */
export const idempotentAnswerBinding = (user_id: string, key: string): string =>
	bindingOf({table: 'idempotent_answers', id: key, key: 'body', user_id});
