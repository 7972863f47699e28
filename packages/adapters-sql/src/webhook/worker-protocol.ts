import type {LeaseRequest} from '@signalbox/core';
import type {Packed, PackedOrder, PackedSettlement} from './packed-orders.ts';
import type {WrittenBatch} from './writer.ts';

/** A batch on its way to the worker, which writes it by the store's clock of this moment. */
export type PackedBatch = Readonly<{
	settlements: Packed<PackedSettlement>;
	leases: readonly LeaseRequest[];
	orders: Packed<PackedOrder>;
	offset_ms: number;
}>;

/** With the memory that the batch came in. */
export type AnsweredBatch = Readonly<{written: WrittenBatch; memory: readonly ArrayBuffer[]}>;
