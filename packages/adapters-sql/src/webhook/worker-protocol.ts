import type {LeaseRequest} from '@signalbox/core';
import type {OrderOutcome} from './accept-order.ts';
import type {LeasedRows} from './lease-due.ts';
import type {Packed, PackedOrder, PackedSettlement} from './packed-orders.ts';

type Task =
	| Readonly<{task: 'accept'; orders: Packed<PackedOrder>}>
	| Readonly<{task: 'settle'; settlements: Packed<PackedSettlement>}>
	| Readonly<{task: 'lease'; request: LeaseRequest}>;

/** What the worker is asked, by the store's clock of this moment. */
export type WebhookTask = Task & Readonly<{offset_ms: number}>;

/** Of `accept`, `settle` and `lease`. */
export type WebhookAnswer = readonly OrderOutcome[] | readonly boolean[] | readonly LeasedRows[];
