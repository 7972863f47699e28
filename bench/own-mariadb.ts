import {tmpdir} from 'node:os';
import mysql, {type RowDataPacket} from 'mysql2/promise';
import {lookForMariadbAt, mariadbServer} from '../test/support/mariadb.ts';
import {startMariadbInstance, whyNoMariadbInstance} from '../test/support/mariadb-instance.ts';
import {assertOnDisk} from './proxy/machine.ts';

/** As docs/operations.md says that a server is set up. All else is MariaDB's own default. */
const prescribed = ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=1G', '--max-allowed-packet=64M'];

const shown = ['version', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_flush_log_at_trx_commit'];

/** What figures depend on. */
const printSettings = async (): Promise<void> => {
	const connection = await mysql.createConnection({uri: mariadbServer()});
	const [rows] = await connection.query<RowDataPacket[]>('SHOW GLOBAL VARIABLES WHERE Variable_name IN (?)', [shown]);
	await connection.end();
	console.log(`MariaDB: ${rows.map(({Variable_name, Value}) => `${Variable_name} ${Value}`).join(', ')}`);
};

/**
 * Starts a MariaDB that nobody else uses, for as long as `work` goes on; where MARIADB_URL names one, or none is installed, it
 * starts none.
 * @throws Error when its directory would be in memory.
 */
export const withOwnMariadb = async <T>(work: () => Promise<T>): Promise<T> => {
	if (process.env.MARIADB_URL !== undefined) {
		await printSettings();
		return work();
	}
	if ((await whyNoMariadbInstance()) !== undefined) return work();
	assertOnDisk(tmpdir(), 'TMPDIR');
	const instance = await startMariadbInstance(prescribed);
	try {
		lookForMariadbAt(instance.server);
		await printSettings();
		return await work();
	} finally {
		await instance.remove();
	}
};
