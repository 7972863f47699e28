import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {arch, hostname, platform, tmpdir} from 'node:os';
import {join} from 'node:path';
import {
	accountEnvironment,
	createCommandRunner,
	defaultPolicy,
	openAgentState,
	runAgent,
	systemClock,
} from '@signalbox/cli';
import {compose, createLogger, readConfig} from '@signalbox/hapi-server';
import {connectGrpc} from '@signalbox/rpc';

/** What `npm start` in the root does, on free ports and in a folder that goes with it. */
export const startSignalbox = async () => {
	const directory = await realpath(await mkdtemp(join(tmpdir(), 'nightly-chain-')));
	const config = readConfig({PORT: '0', GRPC_PORT: '0', DATA_DIR: directory});
	const server = await compose(config, {
		log: createLogger('error', {write: (line) => void process.stderr.write(line)}),
	});
	const {addresses, grpc_url: grpcUrl = ''} = await server.start();
	return {
		...{url: addresses.base_url, grpcUrl, directory},
		stop: async () => {
			await server.stop();
			await rm(directory, {recursive: true});
		},
	};
};

type Signalbox = Readonly<{grpcUrl: string; directory: string}>;
type Account = Readonly<{email: string; password: string}>;

/** Logs this machine in. @returns its API key */
const logIn = async ({grpcUrl: url}: Signalbox, account: Account): Promise<string> => {
	const {peer, close} = connectGrpc({url});
	const {api_key} = await peer.login({...account, device_name: hostname()});
	close();
	return api_key;
};

const hostFacts = {name: 'nightly', hostname: hostname(), os: platform(), arch: arch(), version: '1.0.0', boot_id: ''};

/** What `signalbox login` and `signalbox agent run` do. */
export const startAgent = async (signalbox: Signalbox, account: Account) => {
	const {peer, close} = connectGrpc({url: signalbox.grpcUrl, apiKey: await logIn(signalbox, account)});
	const stateFolder = join(signalbox.directory, 'agent');
	const environment = accountEnvironment(process.env);
	const stopping = new AbortController();
	const ended = runAgent({
		peer,
		runner: await createCommandRunner({stateFolder, environment, policy: defaultPolicy()}),
		state: await openAgentState(stateFolder),
		...{clock: systemClock, host: hostFacts, capacity: 1, drainMs: 0, log: () => {}},
		...{drain: stopping.signal, interrupt: stopping.signal},
	});
	return {
		stop: async () => {
			stopping.abort();
			await ended;
			close();
		},
	};
};
