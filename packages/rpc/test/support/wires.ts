import type {ExecutionContext} from 'ava';
import {makeCertificate} from '../../../../test/support/self-signed-certificate.ts';
import {connectGrpc, createLink, type Peer, type ServingSettings, serveGrpc} from '../../src/index.ts';
import {annesKey} from './served.ts';

/** A machine that has much else to do: none of these calls is about its deadline. */
const patienceMs = 60_000;

export type OpenWire = Readonly<{
	/** A caller with this key; with Anne's unless told, with none when told null. */
	connect(apiKey?: string | null): Peer;
	stop(): Promise<void>;
}>;

/** One way from a caller to a server. */
export type Wire = Readonly<{
	name: string;
	isGrpc: boolean;
	open(t: ExecutionContext, settings: ServingSettings): Promise<OpenWire>;
}>;

const link: Wire = {
	name: 'in memory',
	isGrpc: false,
	async open(_t, settings) {
		const {connect, stop} = createLink(settings);
		return {connect: (apiKey = annesKey) => connect(apiKey ?? undefined), stop: async () => stop()};
	},
};

const grpc = (name: string, tls?: Readonly<{certificate: string; key: string}>): Wire => ({
	name,
	isGrpc: true,
	async open(t, settings) {
		const server = await serveGrpc({...settings, port: 0, ...(tls && {tls})});
		t.teardown(() => server.stop(0));
		const url = `${tls ? 'https' : 'http'}://localhost:${server.port}`;
		const connect = (apiKey: string | null = annesKey): Peer => {
			const client = connectGrpc({
				url,
				deadlineMs: patienceMs,
				...(tls && {ca: tls.certificate}),
				...(apiKey && {apiKey}),
			});
			t.teardown(client.close);
			return client.peer;
		};
		return {connect, stop: () => server.stop()};
	},
});

export const wires: readonly Wire[] = [link, grpc('over gRPC'), grpc('over gRPC with TLS', makeCertificate())];
