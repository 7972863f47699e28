import {createMemoryStores} from '@signalbox/core/memory';
import {chainRaces, createManualClock} from '@signalbox/core/testing';
import test from 'ava';

chainRaces(test, {
	name: 'memory',
	open: async () => {
		const clock = createManualClock();
		return {stores: createMemoryStores({clock}), advance: clock.advance, now: clock.now, close: async () => {}};
	},
});
