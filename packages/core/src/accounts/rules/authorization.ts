const bearer = /^bearer[ \t]+([^ \t]+)[ \t]*$/i;

/** The token of an Authorization value, or undefined for another scheme. */
export const bearerToken = (authorization: string): string | undefined => bearer.exec(authorization)?.[1];

/** Every word of an Authorization value that may be a credential, whatever the scheme and however many there are. */
export const credentialWords = (authorization: string): readonly string[] => authorization.split(/[\s,]+/);

/** True for the beginning of our API keys, whole or not. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith('sbx_');
