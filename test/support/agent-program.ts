import {hostname} from 'node:os';
import {
	accountEnvironment,
	createCommandRunner,
	defaultPolicy,
	openAgentState,
	runAgent,
	systemClock,
} from '@signalbox/cli';
import {connectGrpc} from '@signalbox/rpc';
import {bareEnvironment} from './bare-environment.ts';

/** An agent in a process of its own. Arguments: where the server is, its API key, and a folder of its own. SIGTERM ends it. */
const [url = '', apiKey = '', stateFolder = ''] = process.argv.slice(2);
const interrupt = new AbortController();
process.once('SIGTERM', () => interrupt.abort());
const {peer, close} = connectGrpc({url, apiKey});
await runAgent({
	peer,
	runner: await createCommandRunner({
		...{stateFolder, environment: accountEnvironment(bareEnvironment()), policy: defaultPolicy()},
	}),
	state: await openAgentState(stateFolder),
	clock: systemClock,
	host: {name: 'db-1', hostname: hostname(), os: 'linux', arch: 'x64', version: '1.0.0', boot_id: 'b1'},
	...{capacity: 2, drainMs: 0, drain: interrupt.signal, interrupt: interrupt.signal, log: () => {}},
});
close();
