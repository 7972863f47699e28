import {writerService} from '../serve-writer.ts';
import {unpackOrders, unpackSettlements} from './packed-orders.ts';
import type {AnsweredBatch, PackedBatch} from './worker-protocol.ts';
import {writableBatch, writeBatch} from './writer.ts';

/** What accepts, leases and settles, in whichever thread. */
export const serve = writerService<PackedBatch, AnsweredBatch>(
	async ({settlements, leases, orders, offset_ms}, write) => {
		const batch = writableBatch({settlements: unpackSettlements(settlements), leases, orders: unpackOrders(orders)});
		const written = await write(async (transaction) => writeBatch(transaction, batch), offset_ms);
		const memory = [settlements.bytes, orders.bytes];
		return {value: {written, memory}, moved: memory};
	},
);
