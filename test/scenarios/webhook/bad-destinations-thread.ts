import {parentPort} from 'node:worker_threads';
import {listen} from '../../support/mcp/listen.ts';
import {badDestinations} from './bad-destinations.ts';

/** A thread in which all of them listen. It tells their origins, and on any message cuts their connections. */
const servers = await Promise.all(badDestinations.map(({listener}) => listen(listener)));
parentPort?.on('message', () => {
	for (const {cut} of servers) cut();
});
parentPort?.postMessage(servers.map(({origin}) => origin));
