import type {Lifecycle, Request, ResponseObject, ResponseToolkit, Server} from '@hapi/hapi';
import {type Core, type DeviceLogin, DomainError, emailKeyOf} from '@signalbox/core';
import type {RateLimits} from '../http/rate-limit.ts';
import {maxStrangerBytes, readBody} from '../http/read-body.ts';
import {refreshCookieOf} from '../http/refresh-cookie.ts';
import {untouched} from '../http/register-route.ts';
import {headersOf} from '../http/render-error.ts';
import {settleRate} from '../http/request-state.ts';
import {statusByKind} from '../http/status-codes.ts';
import {codePage, confirmPage, loginPageHeaders, problemPage} from './device-login.page.ts';

export type DeviceLoginPageNeeds = Readonly<{
	core: Pick<Core, 'accounts'>;
	limits: RateLimits;
	/** Of the pages that may confirm: our own. */
	origin: string;
}>;

type Exchange = Readonly<{request: Request; h: ResponseToolkit}>;

const show = (h: ResponseToolkit, html: string, redirect_uri = ''): ResponseObject => {
	const response = h.response(html).type('text/html; charset=utf-8');
	for (const [name, value] of Object.entries(loginPageHeaders(redirect_uri))) response.header(name, value);
	return response;
};

const ask = ({request, h}: Exchange, login: DeviceLogin, problem?: string): ResponseObject => {
	const signed_in = refreshCookieOf(request, h).presented !== undefined;
	return show(h, confirmPage(login, {signed_in, problem}), login.redirect_uri);
};

/** @throws forbidden for a form of another site, which the browser would fill with our cookie. */
const requireOwnForm = ({headers}: Request, origin: string): void => {
	if (headers.origin !== origin)
		throw new DomainError('forbidden', {message: `Open the page at ${origin}, as the device shows it.`});
};

/** Signs the person in, with the password or the session that the browser has. @returns who it is. */
const signIn = async (
	{core, limits}: DeviceLoginPageNeeds,
	{request, h}: Exchange,
	form: URLSearchParams,
): Promise<string> => {
	const cookie = refreshCookieOf(request, h);
	const {sessions} = core.accounts;
	if (form.get('with') === 'session' && cookie.presented !== undefined) {
		const {user, refresh_token} = await sessions.refresh(cookie.presented);
		cookie.keep(refresh_token);
		return user.id;
	}
	const [email, password] = [form.get('email') ?? '', form.get('password') ?? ''];
	settleRate(request, await limits.account('login', emailKeyOf(email)));
	const {user, refresh_token} = await sessions.login({email, password});
	cookie.keep(refresh_token);
	return user.id;
};

/** To the device that waits, with what became of its login. */
const callBack = (h: ResponseToolkit, {redirect_uri, state}: DeviceLogin, outcome: Record<string, string>) =>
	show(h, '')
		.redirect(`${redirect_uri}?${new URLSearchParams({...outcome, state})}`)
		.code(303);

const refuse = (h: ResponseToolkit, login: DeviceLogin): ResponseObject =>
	login.redirect_uri === ''
		? show(h, problemPage('You refused. Close this page.'))
		: callBack(h, login, {error: 'access_denied'});

const confirm = async (
	needs: DeviceLoginPageNeeds,
	exchange: Exchange,
	login: DeviceLogin,
): Promise<ResponseObject> => {
	const {request, h} = exchange;
	requireOwnForm(request, needs.origin);
	const form = new URLSearchParams((await readBody(request.raw.req, maxStrangerBytes)).toString('utf8'));
	if (form.get('with') === 'refusal') return refuse(h, login);
	try {
		const user_id = await signIn(needs, exchange, form);
		const code = await needs.core.accounts.deviceLogins.confirm(login.id, user_id);
		return login.redirect_uri === '' ? show(h, codePage(login, code)) : callBack(h, login, {code});
	} catch (error) {
		if (!(error instanceof DomainError) || !['unauthenticated', 'invalid'].includes(error.kind)) throw error;
		return ask(exchange, login, error.message).code(statusByKind[error.kind]);
	}
};

/** What goes wrong is told on a page. */
const handle =
	(
		needs: DeviceLoginPageNeeds,
		answer: (exchange: Exchange, login: DeviceLogin) => ResponseObject | Promise<ResponseObject>,
	) =>
	async (request: Request, h: ResponseToolkit): Promise<ResponseObject> => {
		try {
			settleRate(request, await needs.limits.address('login', request.app.clientAddress ?? ''));
			const login = await needs.core.accounts.deviceLogins.pending(String(request.params.id));
			return await answer({request, h}, login);
		} catch (error) {
			if (!(error instanceof DomainError) || error.kind === 'internal') throw error;
			const response = show(h, problemPage(error.message)).code(statusByKind[error.kind]);
			for (const [name, value] of Object.entries(headersOf(error))) response.header(name, value);
			return response;
		}
	};

/** The page on which a person confirms that a device may act for them. Its path is where the session's cookie is sent. */
export const addDeviceLoginPage = (server: Server, needs: DeviceLoginPageNeeds): void => {
	const path = '/v1/auth/devices/{id}';
	const read: Lifecycle.Method = handle(needs, ask);
	const write: Lifecycle.Method = handle(needs, (exchange, login) => confirm(needs, exchange, login));
	server.route({method: 'GET', path, handler: read});
	server.route({method: 'POST', path, options: {payload: untouched}, handler: write});
};
