import {createHash, randomBytes} from 'node:crypto';
import type {LoginPeer, LoginResponse, StartBrowserLoginResponse} from '@signalbox/rpc';
import type {Context} from '../command-line/command.ts';
import {onceAllowed} from './connection.ts';
import {openLoopbackCallback} from './loopback-callback.ts';

const randomText = (): string => randomBytes(32).toString('base64url');

const stepMs = 1000;

/** As long as the server keeps a login open. It counts from the start here: the clock of the server may be another one. */
const lifetimeMs = 600_000;

const minutes = (ms: number): string => {
	const seconds = Math.max(0, Math.ceil(ms / 1000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** @throws Error once the login has expired, or was received */
const untilExpired = async ({world, output}: Context, signal: AbortSignal): Promise<never> => {
	const started = world.clock.elapsed();
	for (;;) {
		const left = started + lifetimeMs - world.clock.elapsed();
		if (signal.aborted) throw signal.reason;
		if (left <= 0) throw new Error('Nobody confirmed the login in time: begin again.');
		output.progress(`Waiting for the browser, ${minutes(left)} left`);
		await world.clock.sleep(Math.min(stepMs, left), signal);
	}
};

const invite = ({output}: Context, {authorize_url, user_code}: StartBrowserLoginResponse): void => {
	output.note(`Confirm the login in a browser: ${authorize_url}`);
	output.note(`The page must show this code: ${user_code}`);
};

type Begin = (redirect_uri: string, state: string) => Promise<StartBrowserLoginResponse>;

/** The page shows the code, also on another machine. */
const pasteCode = async (context: Context, begin: Begin) => {
	const login = await begin('', randomText());
	invite(context, login);
	return {login, code: (await context.world.ask('Code from the page: ')).trim()};
};

const receiveCode = async (context: Context, begin: Begin) => {
	const state = randomText();
	const callback = await openLoopbackCallback(state);
	const done = new AbortController();
	try {
		const login = await begin(callback.redirectUri, state);
		invite(context, login);
		context.world.openBrowser(login.authorize_url);
		const expired = untilExpired(context, done.signal);
		expired.catch(() => undefined);
		return {login, code: await Promise.race([callback.code, expired])};
	} finally {
		done.abort();
		context.output.progress('');
		callback.close();
	}
};

/**
 * Logs in through a browser: the person confirms there, and a code comes back, which only this process can exchange for a
 * key (PKCE, RFC 7636). With `--no-browser` the person pastes the code.
 */
export const browserLogin = async (context: Context, peer: LoginPeer, device_name: string): Promise<LoginResponse> => {
	const code_verifier = randomText();
	const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
	const begin: Begin = (redirect_uri, state) =>
		onceAllowed(context, () => peer.startBrowserLogin({code_challenge, redirect_uri, state, device_name}));
	const {login, code} = await (context.isOn('no-browser') ? pasteCode : receiveCode)(context, begin);
	const exchange = {login_id: login.login_id, code, code_verifier};
	return onceAllowed(context, () => peer.completeBrowserLogin(exchange));
};
