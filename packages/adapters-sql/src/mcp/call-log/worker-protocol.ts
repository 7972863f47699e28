import type {ErrorReason} from '@signalbox/core';
import type {DriverName} from '../../drivers/driver.ts';
import type {PackedGroup} from './packed-group.ts';

/** What the log worker is started with. */
export type LogWorkerData = Readonly<{
	storage: string;
	driver: DriverName;
	/** The write gate of the file, and the worker's place at it. */
	gate: SharedArrayBuffer;
	place: number;
}>;

/** One group at a time, answered before the next is sent; `close` ends the worker. */
export type ToLogWorker = PackedGroup | 'close';

/** `ready` once; then for each group that it is durable, or why it is not. */
export type FromLogWorker = 'ready' | 'written' | Readonly<{reason: ErrorReason | undefined; message: string}>;
