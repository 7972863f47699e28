import {SignalboxClient} from '@signalbox/client-sdk';
import {connectGrpc, type Peer, RpcError} from '@signalbox/rpc';
import {type Context, UsageError} from '../command-line/command.ts';
import {type Credentials, credentialsPath, NotLoggedInError, readCredentials} from './credentials.ts';

export type Addresses = Readonly<Pick<Credentials, 'url' | 'grpc_url'>>;

const defaultUrl = 'http://127.0.0.1:3000';
const grpcPort = '3001';
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const normalize = (text: string): string => {
	const url = URL.parse(text);
	if (url === null || !['http:', 'https:'].includes(url.protocol))
		throw new UsageError(`${text} is no address of a server: it begins with https://, or with http:// on this machine`);
	return url.href.replace(/\/+$/, '');
};

const grpcBeside = (address: string): string => {
	const url = new URL(address);
	return `${url.protocol}//${url.hostname}:${grpcPort}`;
};

/** Where the server is: what the command line says, else the environment, else where the person logged in. */
export const addressesOf = ({text, world}: Context, stored?: Addresses): Addresses => {
	const url = normalize(text('url') ?? (world.environment.SIGNALBOX_URL || stored?.url || defaultUrl));
	const given = text('grpc-url') ?? (world.environment.SIGNALBOX_GRPC_URL || undefined);
	const known = stored?.url === url ? stored.grpc_url : grpcBeside(url);
	return {url, grpc_url: normalize(given ?? known)};
};

/** What headers carry. Whoever cannot send a value says which one: it would stand in terminals and logs. */
const sendable = /^[\x21-\x7e]+$/;

/** The key, and where it goes. @throws NotLoggedInError, also when the login was to another server. */
export const currentLogin = async (context: Context): Promise<Addresses & Readonly<{apiKey: string}>> => {
	const {environment} = context.world;
	// Files of environments end their lines as their editors do.
	const given = environment.SIGNALBOX_API_KEY?.trim();
	if (given && !sendable.test(given))
		throw new NotLoggedInError('SIGNALBOX_API_KEY holds a blank or a character that no API key has');
	if (given) return {...addressesOf(context), apiKey: given};
	const stored = await readCredentials(credentialsPath(environment));
	if (stored === undefined) throw new NotLoggedInError('You are not logged in: run signalbox login');
	const addresses = addressesOf(context, stored);
	if (addresses.url !== stored.url)
		throw new NotLoggedInError(
			`You are logged in to ${stored.url}, not to ${addresses.url}: run signalbox login --url ${addresses.url}`,
		);
	return {...addresses, apiKey: stored.api_key};
};

/** The API, as the person who logged in. */
export const connectApi = async (context: Context): Promise<SignalboxClient> => {
	const {url, apiKey} = await currentLogin(context);
	const {protocol, hostname, host} = new URL(url);
	if (protocol === 'http:' && !loopback.test(hostname) && !context.isOn('allow-plaintext'))
		throw new UsageError(`An API key is not sent to ${host} in the clear: use https://, or --allow-plaintext`);
	const teamId = context.text('team');
	return new SignalboxClient({baseUrl: url, apiKey, ...(teamId !== undefined && {teamId})});
};

/** The address is a guess where only that of the API was said. */
const sayWhere = (error: unknown, grpc_url: string): unknown =>
	error instanceof RpcError && error.kind === 'unavailable'
		? new RpcError(error.kind, `${error.message}, at ${grpc_url} (--grpc-url says where else)`, {cause: error})
		: error;

type Connection = Readonly<{grpc_url: string; apiKey?: string}>;

/** Works with a server over gRPC, and closes the connection. */
export const withPeer = async <T>(
	context: Context,
	{grpc_url, apiKey}: Connection,
	work: (peer: Peer) => Promise<T>,
): Promise<T> => {
	const allowPlaintext = context.isOn('allow-plaintext');
	const {peer, close} = connectGrpc({url: grpc_url, allowPlaintext, ...(apiKey !== undefined && {apiKey})});
	try {
		return await work(peer);
	} catch (error) {
		throw sayWhere(error, grpc_url);
	} finally {
		close();
	}
};

/** As often, and for as long, as the SDK waits over HTTP. */
const mostTries = 3;
const longestWaitSeconds = 60;

/** Makes a call again that came too soon, once the server takes it: what was refused for its rate has done nothing. */
export const onceAllowed = async <T>({world: {clock}}: Context, call: () => Promise<T>): Promise<T> => {
	for (let tries = 1; ; tries += 1) {
		try {
			return await call();
		} catch (error) {
			const seconds = error instanceof RpcError && error.kind === 'limited' ? error.retryAfterSeconds : undefined;
			if (seconds === undefined || seconds > longestWaitSeconds || tries === mostTries) throw error;
			await clock.sleep(seconds * 1000);
		}
	}
};
