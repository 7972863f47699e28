import type {ErrorReason} from '@signalbox/core';
import type {DriverName} from './drivers/driver.ts';

/** The database that a thread writes to. */
export type WriterTarget =
	| Readonly<{
			storage: string;
			driver: DriverName;
			/** The write gate of the file. */
			gate: SharedArrayBuffer;
	  }>
	/** Of MySQL: its address. */
	| Readonly<{url: string}>;

/** What a thread that writes is started with: for a file, with its place at the gate. */
export type WriterData = WriterTarget & Readonly<{place: number}>;

/** Answered in their order; `close` ends the thread. */
export type ToWriter<M> = M | 'close';

/** What the driver said: an error itself loses its code between threads. */
export type FailureCause = Readonly<{message: string; code: string | undefined}>;

export type WriterFailure = Readonly<{
	reason: ErrorReason | undefined;
	message: string;
	cause: FailureCause | undefined;
}>;

/** `ready` once; then for each message what became of it. */
export type FromWriter<A> = 'ready' | Readonly<{value: A}> | WriterFailure;
