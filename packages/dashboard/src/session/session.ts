import {signal} from '@preact/signals';
import type {Team, User} from '@signalbox/client-sdk';
import {forgetResources} from '../live/resource-cache.ts';
import {client, onSessionLost} from './client.ts';

/** Who is here. `unknown` until the cookie was asked, and while somebody signs out; `unreachable` when the API did not answer. */
export type Session =
	| Readonly<{state: 'unknown'}>
	| Readonly<{state: 'unreachable'; error: unknown}>
	| Readonly<{state: 'signed-out'}>
	| Readonly<{state: 'signed-in'; user: User; teams: readonly Team[]}>;

export const session = signal<Session>({state: 'unknown'});

/** Says whether it is worth asking for a session: the cookie that holds one is not to be seen from here. */
const marker = 'signalbox_signed_in';
const hasMarker = (): boolean => document.cookie.split('; ').includes(`${marker}=1`);
const mark = (signedIn: boolean): void => {
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
	document.cookie = `${marker}=1; path=/; SameSite=Strict; max-age=${signedIn ? 7 * 86_400 : 0}`;
};

const leave = (): void => {
	forgetResources();
	session.value = {state: 'signed-out'};
};

const forgetPerson = (): void => {
	mark(false);
	leave();
};

const enter = async (user: User | undefined): Promise<void> => {
	if (user === undefined) {
		forgetPerson();
		return;
	}
	const {data: teams} = await client.teams.list();
	mark(true);
	session.value = {state: 'signed-in', user, teams};
};

/** Goes on where the last page stopped, if somebody is signed in still. */
export const restoreSession = async (): Promise<void> => {
	if (!hasMarker()) {
		session.value = {state: 'signed-out'};
		return;
	}
	try {
		await enter(await client.restore());
	} catch (error) {
		session.value = {state: 'unreachable', error};
	}
};

export type Credentials = Readonly<{email: string; password: string}>;

export const signIn = async (credentials: Credentials): Promise<void> => enter(await client.signIn(credentials));

/** Makes an account and signs it in. */
export const register = async (account: Credentials & Readonly<{name?: string; invite?: string}>): Promise<void> => {
	const {refresh_token} = await client.auth.register({body: account});
	// The session that is kept is the cookie's; this one would be a second, unused.
	await client.auth.logout({body: {refresh_token}}).catch(() => undefined);
	await signIn(account);
};

export const signOut = async (): Promise<void> => {
	// What the page still asks for, when it hears of something meanwhile, would be asked by nobody.
	session.value = {state: 'unknown'};
	try {
		await client.signOut();
	} finally {
		forgetPerson();
	}
};

/**
 * A call was refused although the client had tried to renew the session: it is over. The mark stays, for the cookie may hold
 * the session of somebody who signed in on another page since.
 */
export const sessionEnded = (): void => {
	if (session.peek().state === 'signed-in') leave();
};
onSessionLost(sessionEnded);

/** From now on lists and counts are those of another team. */
export const chooseTeam = async (id: string): Promise<void> => {
	await client.teams.activate({path: {id}});
	forgetResources();
	await enter(await client.auth.me());
};
