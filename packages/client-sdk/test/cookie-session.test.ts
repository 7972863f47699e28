import {SignalboxClient} from '@signalbox/client-sdk';
import test, {type ExecutionContext} from 'ava';
import {createApi, registerPerson} from '../../../test/support/api.ts';
import {startTestServer} from '../../../test/support/server.ts';

/** A browser of which scripts see everything but its one cookie. */
const openBrowser = (baseUrl: string) => {
	let cookie = '';
	const refreshes: number[] = [];
	const fetch = async (request: Request, init?: RequestInit): Promise<Response> => {
		const {pathname} = new URL(request.url);
		if (init?.credentials === 'include' && pathname.startsWith('/v1/auth')) request.headers.set('cookie', cookie);
		const response = await globalThis.fetch(request, init);
		const [given] = response.headers.getSetCookie();
		if (given !== undefined) cookie = given.includes('Max-Age=0') ? '' : (given.split(';')[0] ?? '');
		if (pathname === '/v1/auth/refresh') refreshes.push(response.status);
		return response;
	};
	return {
		openPage: (onSessionLost = () => {}) =>
			new SignalboxClient({baseUrl, session: 'cookie', fetch, retries: 0, onSessionLost}),
		refreshes,
		hasCookie: () => cookie !== '',
	};
};

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const person = await registerPerson(createApi(server.baseUrl));
	return {server, person, browser: openBrowser(server.baseUrl)};
};

test('a page that is loaded again goes on as the person who signed in, until they sign out', async (t) => {
	const {person, browser} = await start(t);
	const {email, password, id} = person;
	const first = browser.openPage();
	t.is(await first.restore(), undefined);
	t.is((await first.signIn({email, password})).id, id);
	t.is((await first.auth.me()).id, id);
	const second = browser.openPage();
	t.is((await second.restore())?.id, id);
	await second.signOut();
	t.false(browser.hasCookie());
	await t.throwsAsync(second.auth.me(), {name: 'ApiError', message: /Send an access token/});
	t.is(await browser.openPage().restore(), undefined);
	await t.notThrowsAsync(browser.openPage().signOut());
});

test('calls of a page that was just loaded share one refresh, and so do calls whose access token expired', async (t) => {
	const {server, person, browser} = await start(t);
	await browser.openPage().signIn(person);
	const page = browser.openPage();
	const twenty = () => Promise.all(Array.from({length: 20}, () => page.teams.list()));
	await twenty();
	t.deepEqual(browser.refreshes, [200]);
	server.advance(3_600_000);
	await twenty();
	t.deepEqual(browser.refreshes, [200, 200]);
});

test('nobody who is signed out is asked for a cookie twice', async (t) => {
	const {browser} = await start(t);
	const page = browser.openPage();
	await t.throwsAsync(page.teams.list(), {name: 'ApiError'});
	await t.throwsAsync(page.teams.list(), {name: 'ApiError'});
	t.deepEqual(browser.refreshes, [401]);
});

test('a page whose cookie holds the session of somebody else by now makes no call as them', async (t) => {
	const {server, person, browser} = await start(t);
	const bob = await registerPerson(createApi(server.baseUrl), 'Bob');
	let lost = 0;
	const page = browser.openPage(() => lost++);
	await page.signIn(person);
	const restored = browser.openPage(() => lost++);
	t.is((await restored.restore())?.id, person.id);
	await browser.openPage().signIn(bob);
	server.advance(3_600_000);
	for (const opened of [page, restored]) {
		await t.throwsAsync(opened.teams.create({body: {name: 'Of whom?'}}), {name: 'ApiError'});
		await t.throwsAsync(opened.auth.me(), {name: 'ApiError', message: /Send an access token/});
	}
	t.is(lost, 2);
	const next = browser.openPage();
	t.is((await next.restore())?.id, bob.id);
	t.false((await next.teams.list()).data.some(({name}) => name === 'Of whom?'));
	t.is((await page.signIn(person)).id, person.id);
	t.is((await page.auth.me()).id, person.id);
});
