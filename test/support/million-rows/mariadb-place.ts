import {randomBytes} from 'node:crypto';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createLogicalDatabase} from '../mariadb.ts';
import {runServer} from '../server-process.ts';

/** A logical database of its own, and how servers as operators run them get at it. */
export const makeMariadbPlace = async () => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-million-'));
	const {url, drop} = await createLogicalDatabase();
	const key = `key:${randomBytes(32).toString('base64')}`;
	const variables = {DATABASE_URL: url, SIGNALBOX_MASTER_KEYS: key, SIGNALBOX_JWT_KEYS: key};
	return {
		url,
		run: async () => runServer(directory, variables),
		remove: async () => {
			await drop();
			await rm(directory, {recursive: true, force: true});
		},
	};
};
