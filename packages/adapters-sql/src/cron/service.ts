import {writerService} from '../serve-writer.ts';
import {fireTurns} from './fire-turns.ts';
import type {FiredGroup, FiringGroup} from './worker-protocol.ts';

/** What fires, in whichever thread. */
export const serve = writerService<FiringGroup, FiredGroup>(
	async ({turns, offset_ms}, write) => ({
		value: await write(async (transaction) => fireTurns(transaction, turns), offset_ms),
	}),
	{in_bursts: true},
);
