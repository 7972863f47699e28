import type {ErrorReason} from '@signalbox/core';
import type {DriverName} from './drivers/driver.ts';

/** What a thread that writes is started with. */
export type WriterData = Readonly<{
	storage: string;
	driver: DriverName;
	/** The write gate of the file, and the thread's place at it. */
	gate: SharedArrayBuffer;
	place: number;
}>;

/** Answered in their order; `close` ends the thread. */
export type ToWriter<M> = M | 'close';

export type WriterFailure = Readonly<{reason: ErrorReason | undefined; message: string}>;

/** `ready` once; then for each message what became of it. */
export type FromWriter<A> = 'ready' | Readonly<{value: A}> | WriterFailure;
