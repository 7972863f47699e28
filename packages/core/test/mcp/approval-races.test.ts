import {createMemoryStores} from '@signalbox/core/memory';
import {approvalRaces, createManualClock} from '@signalbox/core/testing';
import test from 'ava';

approvalRaces(test, {
	name: 'memory',
	open: async () => {
		const clock = createManualClock();
		return {stores: createMemoryStores({clock}), advance: clock.advance, now: clock.now, close: async () => {}};
	},
});
