import {DomainError, emailKeyOf, invalidField, nameText} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute, type RefreshCookie} from '../http/define-route.ts';
import {emailField, extension, passwordField} from '../http/fields.ts';
import {signedInView, userView} from './users.views.ts';

const sessionField = extension(z.literal('cookie').optional()).meta({
	description: 'Keep the refresh token in an HttpOnly cookie instead of the body: for browsers.',
});
const refreshTokenField = z.string().min(1).max(2048);

type SessionWish = Readonly<{session?: 'cookie' | undefined}>;
type WithToken = Readonly<{refresh_token: string}>;

/** Hands the refresh token out: in the body, or in the cookie alone. */
const handOut = <T extends WithToken>(signedIn: T, wish: SessionWish, cookie: RefreshCookie) => {
	if (wish.session !== 'cookie') return signedIn;
	cookie.keep(signedIn.refresh_token);
	const {refresh_token: _kept, ...rest} = signedIn;
	return rest;
};

const presentedToken = (
	payload: SessionWish & Readonly<{refresh_token?: string | undefined}>,
	cookie: RefreshCookie,
): string => {
	if (payload.refresh_token !== undefined) return payload.refresh_token;
	if (payload.session !== 'cookie') throw invalidField('refresh_token', 'is required');
	if (cookie.presented === undefined) throw new DomainError('authentication_required');
	return cookie.presented;
};

const register = defineRoute({
	method: 'POST',
	path: '/v1/auth/register',
	operationId: 'auth.register',
	summary: 'Make an account',
	auth: 'none',
	throttled: 'register',
	payload: z
		.strictObject({
			email: emailField,
			password: passwordField,
			name: nameText.optional(),
			invite: extension(z.string().min(1).max(512).optional()).meta({description: 'Token of an invitation.'}),
		})
		.meta({id: 'Register', examples: [{email: 'ada@example.com', password: 'correct horse battery', name: 'Ada'}]}),
	replies: {201: signedInView},
	errors: ['forbidden', 'resource_exists'],
	handler: async ({core, payload, throttle}) => {
		await throttle(emailKeyOf(payload.email));
		return core.accounts.registration.register(payload);
	},
});

const login = defineRoute({
	method: 'POST',
	path: '/v1/auth/login',
	operationId: 'auth.login',
	summary: 'Sign in with email and password',
	auth: 'none',
	throttled: 'login',
	payload: z
		.strictObject({email: emailField, password: passwordField, session: sessionField})
		.meta({id: 'Login', examples: [{email: 'ada@example.com', password: 'correct horse battery'}]}),
	replies: {200: signedInView},
	errors: ['invalid_credentials'],
	handler: async ({core, payload, cookie, throttle}) => {
		await throttle(emailKeyOf(payload.email));
		return handOut(await core.accounts.sessions.login(payload), payload, cookie);
	},
});

const refresh = defineRoute({
	method: 'POST',
	path: '/v1/auth/refresh',
	operationId: 'auth.refresh',
	summary: 'Exchange a refresh token for a new pair',
	auth: 'none',
	throttled: 'refresh',
	payload: z
		.strictObject({refresh_token: refreshTokenField.optional(), session: sessionField})
		.meta({id: 'Refresh', examples: [{refresh_token: 'a-refresh-token'}]}),
	replies: {200: signedInView},
	errors: ['authentication_required', 'invalid_token'],
	handler: async ({core, payload, cookie, throttle}) => {
		const signedIn = await core.accounts.sessions.refresh(presentedToken(payload, cookie));
		// Only now the account is known. A client that is refused here loses nothing: the token it presented still
		// answers the same successor for the length of the grace, which is longer than the wait.
		await throttle(signedIn.user.id);
		return handOut(signedIn, payload, cookie);
	},
});

const me = defineRoute({
	method: 'GET',
	path: '/v1/auth/me',
	operationId: 'auth.me',
	summary: 'The signed-in user',
	auth: 'caller',
	replies: {200: userView},
	handler: ({core, caller}) => core.accounts.users.me(caller),
});

const changePassword = defineRoute({
	method: 'POST',
	path: '/v1/auth/change-password',
	operationId: 'auth.changePassword',
	summary: 'Change the password, and end every session',
	auth: 'caller',
	// Whoever holds an access token alone must not find the password by trying.
	throttled: 'login',
	payload: z.strictObject({current_password: z.string().min(1).max(256), new_password: passwordField}).meta({
		id: 'ChangePassword',
		examples: [{current_password: 'correct horse battery', new_password: 'staple battery horse'}],
	}),
	replies: {204: null},
	errors: ['wrong_current_password', 'forbidden'],
	handler: async ({core, caller, payload, throttle}) => {
		await throttle(caller.user_id);
		await core.accounts.users.changePassword(caller, payload);
		return undefined;
	},
});

const logout = defineRoute({
	method: 'POST',
	path: '/v1/auth/logout',
	operationId: 'auth.logout',
	summary: 'End the session of a refresh token',
	auth: 'none',
	extension: true,
	payload: z
		.strictObject({refresh_token: refreshTokenField.optional(), session: sessionField})
		.meta({id: 'Logout', examples: [{refresh_token: 'a-refresh-token'}]}),
	replies: {204: null},
	errors: ['authentication_required'],
	handler: async ({core, payload, cookie}) => {
		await core.accounts.sessions.logout(presentedToken(payload, cookie));
		if (payload.session === 'cookie') cookie.clear();
		return undefined;
	},
});

export const authRoutes = [register, login, refresh, me, changePassword, logout];
