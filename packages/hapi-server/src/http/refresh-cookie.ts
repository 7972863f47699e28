import type {Request, ResponseToolkit, Server} from '@hapi/hapi';
import type {RefreshCookie} from './define-route.ts';

const cookieName = 'signalbox_refresh';

/** Declares the cookie: for the entry points only, unreadable for scripts, never sent from another site. */
export const addRefreshCookie = (server: Server, options: Readonly<{secure: boolean; seconds: number}>): void => {
	server.state(cookieName, {
		ttl: options.seconds * 1000,
		path: '/v1/auth',
		isSecure: options.secure,
		isHttpOnly: true,
		isSameSite: 'Strict',
		encoding: 'none',
		ignoreErrors: true,
	});
};

/** The cookie of one request. */
export const refreshCookieOf = (request: Request, h: ResponseToolkit): RefreshCookie => {
	const sent: unknown = request.state[cookieName];
	return {
		presented: typeof sent === 'string' && sent !== '' ? sent : undefined,
		keep: (refreshToken) => {
			h.state(cookieName, refreshToken);
		},
		clear: () => {
			h.unstate(cookieName);
		},
	};
};
