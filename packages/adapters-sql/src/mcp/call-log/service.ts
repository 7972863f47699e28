import {writerService} from '../../serve-writer.ts';
import {type PackedGroup, unpackGroup} from './packed-group.ts';
import {writeCalls} from './write-calls.ts';

/** What writes the call log, in whichever thread. */
export const serve = writerService<PackedGroup, ArrayBuffer>(async (group, write) => {
	const rows = unpackGroup(group);
	await writeCalls(async (work) => write(work, 0), rows);
	return {value: group.bodies, moved: [group.bodies]};
});
