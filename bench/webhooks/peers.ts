import {once} from 'node:events';
import {connect} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {versionOf} from '../install-peers.ts';
import {makeDirectory, removeDirectory, startTelling} from '../proxy/processes.ts';
import {repository, secret} from './message.ts';
import type {Sink} from './sink-process.ts';
import type {Contestant, TargetName} from './target.ts';

/** Where what is measured against is installed. */
export const home = fileURLToPath(new URL('.', import.meta.url));

export type PeerOptions = Readonly<{directory: string; redis: string; sink: Sink}>;

type Peer = Readonly<{name: TargetName; program: string; version(): string; fanOut: number; tables?: 'ours'}>;

const takeTheirWord = async () => {};

const inNode = 'node:http and node:sqlite';
const peers: readonly Peer[] = [
	{name: 'BullMQ', program: 'bullmq.js', version: () => versionOf(home, 'bullmq'), fanOut: 1},
	{name: 'Node-RED', program: 'node-red.js', version: () => versionOf(home, 'node-red'), fanOut: 1},
	{name: 'plain', program: 'plain.js', version: () => `got ${versionOf(home, 'got')}`, fanOut: 1},
	{name: 'least', program: 'least.js', version: () => inNode, fanOut: 1},
	{name: 'least, our tables', program: 'least.js', version: () => inNode, fanOut: 1, tables: 'ours'},
	{name: 'one insert per event', program: 'insert-each.js', version: () => inNode, fanOut: 0},
	{name: 'least, accept alone', program: 'least.js', version: () => inNode, fanOut: 0},
];

const startPeer = async ({name, program, version, fanOut, tables}: Peer, options: PeerOptions): Promise<Contestant> => {
	const directory = makeDirectory(options.directory);
	const env = {
		PATH: process.env.PATH,
		BENCH_DESTINATION: options.sink.origins[0],
		BENCH_SECRET: secret,
		BENCH_REPOSITORY: fanOut === 0 ? 'another/repository' : repository,
		BENCH_DIRECTORY: directory,
		BENCH_REDIS: options.redis,
		...(tables && {BENCH_TABLES: tables}),
	};
	// They call what Node deprecates; that is their own affair.
	const args = ['--no-deprecation', join(home, 'peers', program)];
	const {told, pid, stop} = await startTelling([process.execPath, args, {env}], (line) =>
		line.startsWith('http://') ? line : undefined,
	);
	return {
		version: version(),
		targets: [{name, url: `${told}/hook`, pid, fanOut, audit: takeTheirWord}],
		paced: fanOut === 0 ? undefined : {name, url: `${told}/paced`},
		stop: async () => {
			await stop('SIGTERM');
			removeDirectory(directory);
		},
	};
};

/** Whether somebody listens at the address of a Redis. */
export const isThere = async (redis: string): Promise<boolean> => {
	const {hostname, port} = new URL(redis);
	const socket = connect(Number(port || 6379), hostname);
	return await once(socket, 'connect')
		.then(
			() => true,
			() => false,
		)
		.finally(() => socket.destroy());
};

/** Starts those that are wanted. BullMQ is left out where there is no Redis. */
export const startPeers = async (
	wanted: (name: TargetName) => boolean,
	options: PeerOptions,
): Promise<readonly Contestant[]> => {
	const hasRedis = await isThere(options.redis);
	if (!hasRedis) console.log(`no Redis at ${options.redis}: without BullMQ`);
	const started: Contestant[] = [];
	for (const peer of peers.filter(({name}) => wanted(name) && (name !== 'BullMQ' || hasRedis)))
		started.push(await startPeer(peer, options));
	return started;
};
