import {serveWriter} from '../../serve-writer.ts';
import {type PackedGroup, unpackGroup} from './packed-group.ts';
import {writeCalls} from './write-calls.ts';

/** The thread that writes the call log. */
await serveWriter<PackedGroup, null>(async (group, write) => {
	const rows = unpackGroup(group);
	await write(async (transaction) => writeCalls(transaction, rows), 0);
	return {value: null};
});
