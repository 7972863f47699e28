import type {DatabaseParts} from './database-parts.ts';
import {createThreadedWriters, localLog} from './fast-writers.ts';
import {connectMysql} from './mysql-connection.ts';
import {createMysqlPresence} from './mysql-presence.ts';

export const openMysql = async (url: string, clockOffset: () => number): Promise<DatabaseParts> => {
	const connection = await connectMysql({url, clockOffset});
	const {dialect} = connection;
	const logConnection = await connectMysql({url, clockOffset, dialect, connections: 2});
	const callLog = localLog(logConnection);
	const {writers, drain} = createThreadedWriters({connection, data: {url}, clockOffset, callLog});
	return {
		connection,
		writers,
		presence: createMysqlPresence(url),
		backup: async () => {
			throw new Error('only a file can be copied from here: use mariadb-dump or mysqldump --single-transaction');
		},
		drain: async () => {
			await drain();
			await logConnection.close();
		},
	};
};
