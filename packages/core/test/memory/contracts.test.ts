import {createMemoryStores} from '@signalbox/core/memory';
import {createManualClock, cronStoreContract, storeContract, webhookStoreContract} from '@signalbox/core/testing';
import test from 'ava';

const memory = {
	name: 'memory',
	open: async () => {
		const clock = createManualClock();
		return {
			stores: createMemoryStores({clock}),
			advance: clock.advance,
			now: clock.now,
			close: async () => {},
		};
	},
};

storeContract(test, memory);
webhookStoreContract(test, memory);
cronStoreContract(test, memory);
