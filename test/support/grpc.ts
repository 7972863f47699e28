import {connectGrpc, type Peer, RpcError} from '@signalbox/rpc';
import type {ExecutionContext} from 'ava';
import type {Person} from './api.ts';
import type {TestServer} from './server.ts';

/** A client of the server's gRPC side, with that API key or none. */
export const connect = (t: ExecutionContext, {grpcUrl}: Pick<TestServer, 'grpcUrl'>, apiKey?: string): Peer => {
	const {peer, close} = connectGrpc({url: grpcUrl, ...(apiKey !== undefined && {apiKey})});
	t.teardown(close);
	return peer;
};

/** Logs a device in with the password. */
export const logIn = (peer: Peer, {email, password}: Pick<Person, 'email' | 'password'>, device_name = 'laptop') =>
	peer.login({email, password, device_name});

/** What a call failed with; `nothing` when it did not. */
export const failureOf = async (call: Promise<unknown>): Promise<string> => {
	try {
		await call;
		return 'nothing';
	} catch (error) {
		return error instanceof RpcError ? error.kind : String(error);
	}
};
