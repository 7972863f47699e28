import {serveWriter} from '../../src/serve-writer.ts';
import {raw} from '../../src/sql.ts';

/** A log worker whose disk is full, as SQLite sees it. */
await serveWriter(async (_message, write) => {
	await write(async (transaction) => {
		await transaction.all(raw('PRAGMA max_page_count = 1'));
		await transaction.run(raw('CREATE TABLE filler AS SELECT randomblob(1000000) AS bytes'));
	}, 0);
	return {value: undefined};
});
