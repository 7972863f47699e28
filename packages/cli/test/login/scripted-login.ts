import {createHash} from 'node:crypto';
import {type AuthPeer, RpcError, type StartBrowserLoginRequest, serveGrpc} from '@signalbox/rpc';
import type {ExecutionContext} from 'ava';

const apiKey = 'sbx_anne0000_secret';
const key = {api_key: apiKey, api_key_id: 'key-1', user_id: 'anne', email: 'anne@example.com'};

const absent = (): never => {
	throw new RpcError('unsupported', 'This server has no agents.');
};

const noAgents = {
	...{register: absent, watch: absent, lease: absent, start: absent, heartbeat: absent},
	...{appendOutput: absent, finish: absent, deregister: absent},
};

const caller = {
	...{user_id: 'anne', team_id: 'team', team_ids: ['team'], plan: 'self_hosted'},
	credential: {kind: 'api_key', id: 'key-1', scopes: ['api']},
} as const;

/** A server that knows Anne: her password, her browser, and the key it makes. */
export const serveLogins = async (t: ExecutionContext, expires_at_ms = Number.MAX_SAFE_INTEGER) => {
	const told = {logins: [] as unknown[], begun: [] as StartBrowserLoginRequest[], asked: 0, revoked: 0};
	/** What the next questions who somebody is fail with. */
	const refusals: RpcError[] = [];
	const peer: AuthPeer = {
		login: async (request) => {
			told.logins.push(request);
			if (request.password !== 'correct horse') throw new RpcError('unauthenticated', 'Email or password is wrong.');
			return key;
		},
		startBrowserLogin: async (request) => {
			told.begun.push(request);
			return {
				login_id: 'login-1',
				authorize_url: 'https://signalbox.test/device',
				user_code: 'ABCD-EFGH',
				expires_at_ms,
			};
		},
		completeBrowserLogin: async ({login_id, code, code_verifier}) => {
			const challenge = createHash('sha256').update(code_verifier).digest('base64url');
			const isRight = login_id === 'login-1' && code === 'code-1' && challenge === told.begun[0]?.code_challenge;
			if (!isRight) throw new RpcError('unauthenticated', 'The code is not valid.');
			return key;
		},
		whoAmI: async () => {
			told.asked += 1;
			const refusal = refusals.shift();
			if (refusal) throw refusal;
			return {
				...{user_id: key.user_id, email: key.email, api_key_id: key.api_key_id},
				...{server_version: '9.9.9', protocol_version: 1},
			};
		},
		revokeCurrentKey: async () => {
			told.revoked += 1;
			return {};
		},
	};
	const server = await serveGrpc({
		port: 0,
		login: () => peer,
		authenticated: () => ({...peer, ...noAgents}),
		authenticate: async (shown) => (shown.apiKey === apiKey && told.revoked === 0 ? caller : undefined),
	});
	t.teardown(() => server.stop(0));
	return {told, refusals, apiKey, grpcUrl: `http://127.0.0.1:${server.port}`, stop: () => server.stop(0)};
};
