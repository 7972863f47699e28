import {hostname} from 'node:os';
import type {LoginPeer, LoginResponse} from '@signalbox/rpc';
import {type Command, type Context, UsageError} from '../command-line/command.ts';
import {withoutLineEnd} from '../command-line/without-line-end.ts';
import {browserLogin} from '../login/browser-login.ts';
import {addressesOf, currentLogin, onceAllowed, withPeer} from '../login/connection.ts';
import {
	type Credentials,
	credentialsPath,
	readCredentials,
	removeCredentials,
	writeCredentials,
} from '../login/credentials.ts';

const passwordLogin = async (context: Context, peer: LoginPeer, device_name: string): Promise<LoginResponse> => {
	const {world} = context;
	const email = context.text('email') ?? (await world.ask('Email: ')).trim();
	const password = context.isOn('password-stdin')
		? withoutLineEnd(await world.readInput())
		: await world.ask('Password: ', true);
	if (email === '' || password === '') throw new UsageError('login needs an email address and a password');
	return onceAllowed(context, () => peer.login({email, password, device_name}));
};

const revoke = async (context: Context, {grpc_url, api_key}: Pick<Credentials, 'grpc_url' | 'api_key'>) =>
	withPeer(context, {grpc_url, apiKey: api_key}, (peer) => onceAllowed(context, () => peer.revokeCurrentKey({})));

/** An agent that runs may hold it: so it is the person who decides. */
const formerKey = ({url, api_key_id}: Credentials): string =>
	`API key ${api_key_id} of the former login to ${url} still holds: delete it there unless something uses it.`;

const login: Command = {
	name: 'login',
	summary: 'Logs this account of the machine in',
	details: [
		'Makes an API key named after this device, and keeps it where only you can read it:',
		'$XDG_CONFIG_HOME/signalbox/credentials.json, or below ~/.config. logout revokes it.',
		'',
		'  signalbox login --url https://signalbox.example.com --browser',
		'  signalbox login --email ada@example.com --password-stdin < password',
	].join('\n'),
	options: {
		email: {value: 'address', summary: 'else it is asked for'},
		'password-stdin': {summary: 'reads the password from the input; it is never an argument'},
		browser: {summary: 'logs in through your browser'},
		'no-browser': {summary: 'the same, but opens none: you paste the code that the page shows'},
		device: {value: 'name', summary: 'names the API key; else the name of this host'},
	},
	run: async (context) => {
		const {environment} = context.world;
		const path = credentialsPath(environment);
		const before = await readCredentials(path).catch(() => undefined);
		const addresses = addressesOf(context, before);
		const begin = context.isOn('browser') || context.isOn('no-browser') ? browserLogin : passwordLogin;
		const device = context.text('device') ?? hostname();
		const {api_key, api_key_id, email} = await withPeer(context, addresses, (peer) => begin(context, peer, device));
		await writeCredentials(path, {...addresses, email, api_key_id, api_key}).catch(async (error) => {
			await revoke(context, {grpc_url: addresses.grpc_url, api_key}).catch(() => undefined);
			throw error;
		});
		if (before !== undefined) context.output.note(formerKey(before));
		return {json: {email, api_key_id, url: addresses.url}, text: `Logged in to ${addresses.url} as ${email}.\n`};
	},
};

const logout: Command = {
	name: 'logout',
	summary: 'Revokes the API key of this login and forgets it',
	run: async (context) => {
		const path = credentialsPath(context.world.environment);
		const stored = await readCredentials(path);
		if (stored === undefined) return {json: {revoked: false}, text: 'You were not logged in.\n'};
		try {
			await revoke(context, stored);
		} catch (error) {
			context.output.note(
				`API key ${stored.api_key_id} is forgotten here, but was not revoked: delete it on the server.`,
			);
			throw error;
		} finally {
			await removeCredentials(path);
		}
		return {json: {revoked: true}, text: `Logged out of ${stored.url}.\n`};
	},
};

const whoami: Command = {
	name: 'whoami',
	summary: 'Says who is logged in, and where',
	run: async (context) => {
		const current = await currentLogin(context);
		const {email, user_id, api_key_id, server_version} = await withPeer(context, current, (peer) =>
			onceAllowed(context, () => peer.whoAmI({})),
		);
		const {url} = current;
		return {
			json: {email, user_id, api_key_id, url, server_version},
			text: `${email} at ${url} (Signalbox ${server_version}), API key ${api_key_id}\n`,
		};
	},
};

export const accountCommands: readonly Command[] = [login, logout, whoami];
