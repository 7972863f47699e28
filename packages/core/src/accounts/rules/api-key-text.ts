/** A key as its owner presents it: `sbx_<8 id chars>_<secret>`. Secret scanners find it by its beginning. */
export type ApiKeyText = Readonly<{prefix: string; secret: string}>;

const prefixLength = 8;
const keyPattern = /^sbx_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

/** The 8 id characters, taken from random base64url text; undefined when it holds too few letters and digits. */
export const keyPrefixOf = (random: string): string | undefined => {
	const prefix = random.replace(/[^A-Za-z0-9]/g, '').slice(0, prefixLength);
	return prefix.length === prefixLength ? prefix : undefined;
};

export const formatApiKey = ({prefix, secret}: ApiKeyText): string => `sbx_${prefix}_${secret}`;

/** Enough to recognise a key, useless to sign in. */
export const maskedApiKey = (prefix: string): string => `sbx_${prefix}_…`;

/** @returns undefined for a text that cannot be a key. */
export const parseApiKey = (text: string): ApiKeyText | undefined => {
	const [, prefix, secret] = keyPattern.exec(text) ?? [];
	return prefix === undefined || secret === undefined ? undefined : {prefix, secret};
};
