/** Somebody who waits for an answer. An AbortSignal says the same, and costs each call 3 us. */
export type Waiter = Readonly<{
	isGone(): boolean;
	/** Calls when they leave: one listener, in place of the one before; undefined for none. */
	onLeave(listener: (() => void) | undefined): void;
}>;

/** One that can be told to leave. A class, as is whatever each call has one of: functions of its own would cost it 1 us. */
export class LeavingWaiter implements Waiter {
	#gone = false;
	#listener: (() => void) | undefined;

	isGone(): boolean {
		return this.#gone;
	}

	onLeave(listener: (() => void) | undefined): void {
		this.#listener = listener;
	}

	/** Ends the wait, once. */
	leave(): void {
		if (this.#gone) return;
		this.#gone = true;
		this.#listener?.();
	}
}
