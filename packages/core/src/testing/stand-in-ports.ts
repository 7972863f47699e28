import {createHash, createHmac, randomBytes} from 'node:crypto';
import type {SystemPorts} from '../ports/index.ts';
import {buildId} from './builders/identity.ts';

const digest = (input: string | Uint8Array) => createHash('sha256').update(input).digest('base64url');

const decoded = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Stands in for the Node ports. */
export const standInPorts = (): Pick<SystemPorts, 'ids' | 'secrets' | 'passwords' | 'accessTokens' | 'cipher'> => ({
	ids: {next: buildId},
	secrets: {
		random: (bytes) => randomBytes(bytes).toString('base64url'),
		digest,
		derive: (input) => [createHmac('sha256', 'test').update(input).digest('base64url')],
		equal: (a, b) => a === b,
	},
	passwords: {
		hash: async (password) => `hash:${digest(password)}`,
		verify: async (password, hash) => hash === `hash:${digest(password)}`,
	},
	accessTokens: {
		sign: async (claims) => `test.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`,
		verify: async (token, now) => {
			if (!token.startsWith('test.')) return 'invalid';
			return decoded(token).expires_at <= now ? 'expired' : decoded(token);
		},
		isOurs: (token) => token.startsWith('test.'),
	},
	cipher: {
		currentKid: () => 'k1',
		seal: (text, binding) => ({kid: 'k1', data: Buffer.from(JSON.stringify({text, binding})).toString('base64url')}),
		open: ({data}, binding) => {
			const sealed = JSON.parse(Buffer.from(data, 'base64url').toString());
			if (sealed.binding !== binding) throw new Error('sealed text does not open');
			return sealed.text;
		},
	},
});
