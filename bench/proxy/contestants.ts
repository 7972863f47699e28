import {existsSync} from 'node:fs';
import {mariadbIsMissing} from '../../test/support/mariadb.ts';
import type {Contestant, ContestantName} from './contestant.ts';
import {nginx} from './nginx.ts';
import {
	direct,
	startHttpProxy,
	startLeast,
	startMcpProxy,
	startMcpProxyOverStdio,
	startNginxProxy,
} from './other-proxies.ts';
import {makeDirectory} from './processes.ts';
import {type SignalboxOptions, startSignalbox} from './signalbox.ts';
import type {Upstream} from './upstream.ts';

const isInstalled = async (name: ContestantName): Promise<boolean> => {
	if (name === 'nginx') return existsSync(nginx);
	return name !== 'ours on MariaDB' || (await mariadbIsMissing()) === undefined;
};

/** Starts them in the order of their names. nginx and MariaDB are left out where they are not there. */
export const startContestants = async (
	names: readonly ContestantName[],
	upstream: Upstream,
	options: SignalboxOptions,
): Promise<readonly Contestant[]> => {
	const start: Readonly<Record<ContestantName, () => Promise<Contestant>>> = {
		direct: () => direct(upstream),
		'http-proxy': () => startHttpProxy(upstream),
		nginx: () => startNginxProxy(upstream),
		'mcp-proxy': () => startMcpProxy(upstream, options.directory),
		'mcp-proxy stdio': () => startMcpProxyOverStdio(upstream, options.directory),
		least: () => startLeast('least', upstream),
		'least with a log': () => startLeast('least with a log', upstream, makeDirectory(options.directory)),
		ours: () => startSignalbox(upstream, options),
		'ours on MariaDB': () => startSignalbox(upstream, {...options, engine: 'mariadb'}),
	};
	const started: Contestant[] = [];
	for (const name of names) if (await isInstalled(name)) started.push(await start[name]());
	return started;
};
