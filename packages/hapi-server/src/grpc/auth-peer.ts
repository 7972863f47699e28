import {type Caller, type Core, emailKeyOf} from '@signalbox/core';
import {type KeyPeer, type LoginPeer, RpcError} from '@signalbox/rpc';
import {plainAddress} from '../http/client-address.ts';
import type {RateLimits} from '../http/rate-limit.ts';
import {orRefuse} from './counted-peer.ts';

export type LoginPeerNeeds = Readonly<{
	core: Pick<Core, 'accounts'>;
	/** The same as those of signing in over HTTP. */
	limits: Pick<RateLimits, 'address' | 'account'>;
	/** Where people reach the server with a browser. */
	base_url: string;
}>;

/** Logins of devices that come from an address. */
export const createLoginPeer = ({core, limits, base_url}: LoginPeerNeeds, address: string): LoginPeer => {
	const {deviceLogins} = core.accounts;
	const countAddress = async () => orRefuse(await limits.address('login', plainAddress(address)));
	return {
		login: async ({email, password, device_name}) => {
			await countAddress();
			orRefuse(await limits.account('login', emailKeyOf(email)));
			return deviceLogins.withPassword({email, password, device_name});
		},
		startBrowserLogin: async (request) => {
			await countAddress();
			const {id: login_id, user_code, expires_at} = await deviceLogins.begin(request);
			const authorize_url = `${base_url}/v1/auth/devices/${login_id}`;
			return {login_id, authorize_url, user_code, expires_at_ms: Date.parse(expires_at)};
		},
		completeBrowserLogin: async (exchange) => {
			await countAddress();
			return deviceLogins.complete(exchange);
		},
	};
};

const protocolVersion = 1;

/** What a caller asks of their own API key. */
export const createKeyPeer = (
	{core, version}: Readonly<{core: Pick<Core, 'accounts'>; version: string}>,
	caller: Caller,
): KeyPeer => {
	const {credential} = caller;
	if (credential.kind !== 'api_key') throw new RpcError('unauthenticated', 'Send an API key as x-api-key metadata.');
	const {id: api_key_id} = credential;
	return {
		whoAmI: async () => {
			const {id: user_id, email} = await core.accounts.users.me(caller);
			return {user_id, email, api_key_id, server_version: version, protocol_version: protocolVersion};
		},
		revokeCurrentKey: async () => {
			await core.accounts.apiKeys.delete(caller, api_key_id);
			return {};
		},
	};
};
