import {writerService} from '../../src/serve-writer.ts';
import {raw} from '../../src/sql.ts';

/** A log service whose disk is full, as SQLite sees it. */
export const serve = writerService(async (_message, write) => {
	await write(async (transaction) => {
		await transaction.all(raw('PRAGMA max_page_count = 1'));
		await transaction.run(raw('CREATE TABLE filler AS SELECT randomblob(1000000) AS bytes'));
	}, 0);
	return {value: undefined};
});
