import {existsSync} from 'node:fs';
import type {Contestant, ContestantName} from './contestant.ts';
import {nginx} from './nginx.ts';
import {direct, startHttpProxy, startMcpProxy, startMcpProxyOverStdio, startNginxProxy} from './other-proxies.ts';
import {type SignalboxOptions, startSignalbox} from './signalbox.ts';
import type {Upstream} from './upstream.ts';

/** Starts them in the order of their names. nginx is left out where it is not installed. */
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
		ours: () => startSignalbox(upstream, options),
	};
	const started: Contestant[] = [];
	for (const name of names) if (name !== 'nginx' || existsSync(nginx)) started.push(await start[name]());
	return started;
};
