import {mask} from '../../values/mask.ts';

/** True for a header whose value may let somebody act as the caller. */
const isSecretHeader = (name: string): boolean => {
	const header = name.toLowerCase();
	return (
		['authorization', 'cookie', 'set-cookie', 'x-api-key', 'mcp-session-id'].includes(header) ||
		header.startsWith('proxy-') ||
		/token|secret|key/.test(header)
	);
};

/** The headers as they may be logged: every name, and a mask for each secret value. */
export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? mask : value]));
