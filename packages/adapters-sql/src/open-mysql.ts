import type {DatabaseParts} from './database-parts.ts';
import {createThreadedWriters} from './fast-writers.ts';
import {connectMysql} from './mysql-connection.ts';
import {createMysqlPresence} from './mysql-presence.ts';

export const openMysql = async (url: string, clockOffset: () => number): Promise<DatabaseParts> => {
	const connection = await connectMysql({url, clockOffset});
	const {writers, drain} = createThreadedWriters(connection, {url}, clockOffset);
	return {
		connection,
		writers,
		presence: createMysqlPresence(url),
		backup: async () => {
			throw new Error('only a file can be copied from here: use mariadb-dump or mysqldump --single-transaction');
		},
		drain,
	};
};
