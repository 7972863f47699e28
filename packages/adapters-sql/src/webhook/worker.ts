import {serveWriter} from '../serve-writer.ts';
import {unpackOrders, unpackSettlements} from './packed-orders.ts';
import type {PackedBatch} from './worker-protocol.ts';
import {type WrittenBatch, writeBatch} from './writer.ts';

/** The thread that accepts, leases and settles. */
await serveWriter<PackedBatch, WrittenBatch>(async ({settlements, leases, orders, offset_ms}, write) => {
	const batch = {settlements: unpackSettlements(settlements), leases, orders: unpackOrders(orders)};
	return {value: await write(async (transaction) => writeBatch(transaction, batch), offset_ms)};
});
