import {mask} from '../../values/mask.ts';

const credentials: ReadonlySet<string> = new Set([
	'authorization',
	'cookie',
	'set-cookie',
	'x-api-key',
	'mcp-session-id',
]);

const judge = (name: string): boolean => {
	const header = name.toLowerCase();
	return credentials.has(header) || header.startsWith('proxy-') || /token|secret|key/.test(header);
};

/** Names that were judged: clients send the same ones over and over, but may make up any number. */
const judged = new Map<string, boolean>();
const mostJudged = 200;
const longestJudged = 64;

/** True for a header whose value may let somebody act as the caller. */
const isSecretHeader = (name: string): boolean => {
	const known = judged.get(name);
	if (known !== undefined) return known;
	const isSecret = judge(name);
	if (judged.size < mostJudged && name.length <= longestJudged) judged.set(name, isSecret);
	return isSecret;
};

/**
 * The headers as they may be logged: every name, and a mask for each secret value; what came as a list as one text.
 * @param isPrivate which names, in lower case, hold what is not to be logged either. Default: none.
 */
export const maskHeaders = (
	headers: Readonly<Record<string, string | readonly string[] | undefined>>,
	isPrivate: (name: string) => boolean = () => false,
): Record<string, string> => {
	const masked: Record<string, string> = {};
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		if (value === undefined) continue;
		if (isSecretHeader(name) || isPrivate(name.toLowerCase())) masked[name] = mask;
		else masked[name] = typeof value === 'string' ? value : value.join(', ');
	}
	return masked;
};
