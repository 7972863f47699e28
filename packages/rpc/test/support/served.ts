import type {Caller} from '@signalbox/core';
import {RpcError, type ServingSettings} from '../../src/index.ts';
import type {AgentPeer, KeyPeer, LoginPeer} from '../../src/peer.ts';

const absent = (): never => {
	throw new RpcError('unsupported', 'This test answers no such call.');
};

const noPeer: LoginPeer & KeyPeer & AgentPeer = {
	login: async () => absent(),
	startBrowserLogin: async () => absent(),
	completeBrowserLogin: async () => absent(),
	whoAmI: async () => absent(),
	revokeCurrentKey: async () => absent(),
	register: async () => absent(),
	watch: absent,
	lease: async () => absent(),
	start: async () => absent(),
	heartbeat: async () => absent(),
	appendOutput: async () => absent(),
	finish: async () => absent(),
	deregister: async () => absent(),
};

const callerOf = (user_id: string): Caller => ({
	user_id,
	team_id: `team-of-${user_id}`,
	team_ids: [`team-of-${user_id}`],
	plan: 'self_hosted',
	credential: {kind: 'api_key', id: `key-of-${user_id}`, scopes: ['agent']},
});

/** The keys that are somebody's. */
export const annesKey = 'sbx_anne0000_secret';
export const bensKey = 'sbx_ben00000_secret';
const owners: Readonly<Record<string, string>> = {[annesKey]: 'anne', [bensKey]: 'ben'};

export type Answers = Partial<LoginPeer & KeyPeer & AgentPeer>;

/** A server that answers with what a test gives, to everybody or to one caller. */
export const answering = (
	answers: Answers | ((caller: Caller) => Answers),
	others: Partial<ServingSettings> = {},
): ServingSettings => ({
	login: () => ({...noPeer, ...(typeof answers === 'function' ? {} : answers)}),
	authenticated: (caller) => ({...noPeer, ...(typeof answers === 'function' ? answers(caller) : answers)}),
	authenticate: async ({apiKey = ''}) => (owners[apiKey] === undefined ? undefined : callerOf(owners[apiKey])),
	...others,
});
