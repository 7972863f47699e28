import {serveWriter} from '../serve-writer.ts';
import {fireGroup} from './fire-group.ts';
import type {FiredGroup, FiringGroup} from './worker-protocol.ts';

/** The thread that fires. */
await serveWriter<FiringGroup, FiredGroup>(
	async ({firings, offset_ms}, write) => ({
		value: await write(async (transaction) => fireGroup(transaction, firings), offset_ms),
	}),
	{in_bursts: true},
);
