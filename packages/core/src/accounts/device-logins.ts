import {DomainError, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller, KeyScope} from '../values/caller.ts';
import {schemaProblems} from '../values/schema-problems.ts';
import type {ApiKeys} from './api-keys.ts';
import {type DeviceLogin, type DeviceLoginRequest, deviceLoginRequestSchema} from './model/device-login.ts';
import {type Credentials, createPasswordProof} from './password-proof.ts';
import {userCodeOf} from './rules/user-code.ts';

/** What a device keeps: an API key with the scopes of the command line, whole here and never again. */
export type DeviceKey = Readonly<{api_key: string; api_key_id: string; user_id: string; email: string}>;

/** How a device, such as the command line on somebody's laptop, comes to act for them (decisions, "gRPC"). */
export type DeviceLogins = Readonly<{
	/** @throws what signing in throws; plan_limit_reached; validation_error. */
	withPassword(request: Credentials & Readonly<{device_name: string}>): Promise<DeviceKey>;
	/** Begins a login that somebody confirms in a browser within ten minutes. @throws validation_error. */
	begin(request: DeviceLoginRequest): Promise<DeviceLogin>;
	/** One that waits to be confirmed. @throws resource_not_found. */
	pending(id: string): Promise<DeviceLogin>;
	/** Somebody who is signed in says that it is theirs. @returns the code: it holds for a minute, once. @throws resource_not_found. */
	confirm(id: string, user_id: string): Promise<string>;
	/** Makes the key, only now. @throws invalid_token for a code that does not hold, or another verifier; plan_limit_reached. */
	complete(exchange: Readonly<{login_id: string; code: string; code_verifier: string}>): Promise<DeviceKey>;
}>;

type Needs = Pick<Ports, 'users' | 'passwords' | 'deviceLogins' | 'ids' | 'secrets'> &
	Readonly<{
		createKey: ApiKeys['create'];
		/** The caller as which a user acts. @throws invalid_token for a disabled one. */
		callerOf(user_id: string): Promise<Caller>;
	}>;

const deviceScopes: readonly KeyScope[] = ['api', 'approvals', 'agent'];
const loginSeconds = 600;
const codeSeconds = 60;
const randomBytes = 32;

const keyMaker =
	({users, createKey, callerOf}: Needs) =>
	async (user_id: string, name: string): Promise<DeviceKey> => {
		const caller = await callerOf(user_id);
		const {id: api_key_id, key: api_key} = await createKey(caller, {name, scopes: deviceScopes});
		return {api_key, api_key_id, user_id, email: (await users.byId(user_id))?.email ?? ''};
	};

const newUserCode = ({secrets}: Needs): string => {
	for (;;) {
		const code = userCodeOf(secrets.random(randomBytes));
		if (code !== undefined) return code;
	}
};

const loginIsOver = (): DomainError =>
	new DomainError('resource_not_found', {message: 'This login is over, or was never begun: begin a new one.'});

export const createDeviceLogins = (needs: Needs): DeviceLogins => {
	const {deviceLogins, ids, secrets} = needs;
	const prove = createPasswordProof(needs);
	const makeKey = keyMaker(needs);
	return {
		withPassword: async ({device_name, ...credentials}) => {
			const device = deviceLoginRequestSchema.pick({device_name: true}).safeParse({device_name});
			if (!device.success) throw invalidFields(schemaProblems(device.error));
			return makeKey((await prove(credentials)).id, device_name);
		},
		begin: async (request) => {
			const read = deviceLoginRequestSchema.safeParse(request);
			if (!read.success) throw invalidFields(schemaProblems(read.error));
			return deviceLogins.open({...read.data, id: ids.next(), user_code: newUserCode(needs)}, loginSeconds);
		},
		pending: async (id) => {
			const login = await deviceLogins.pending(id);
			if (login === undefined) throw loginIsOver();
			return login;
		},
		confirm: async (id, user_id) => {
			const code = secrets.random(randomBytes);
			const confirmation = {user_id, code_digest: secrets.digest(code), lifetime_seconds: codeSeconds};
			if (!(await deviceLogins.confirm(id, confirmation))) throw loginIsOver();
			return code;
		},
		complete: async ({login_id, code, code_verifier}) => {
			const proof = {code_digest: secrets.digest(code), code_challenge: secrets.digest(code_verifier)};
			const login = await deviceLogins.redeem(login_id, proof);
			if (login === undefined)
				throw new DomainError('invalid_token', {message: 'The code is not valid, or not any more: log in again.'});
			return makeKey(login.user_id, login.device_name);
		},
	};
};
