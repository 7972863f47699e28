/** Somebody who waits for an answer. An AbortSignal says the same, and costs each call 3 us. */
export type Waiter = Readonly<{
	isGone(): boolean;
	/** Calls when they leave: one listener, in place of the one before; undefined for none. */
	onLeave(listener: (() => void) | undefined): void;
}>;

/** `leave` ends the wait, once. */
export const createWaiter = (): Waiter & Readonly<{leave(): void}> => {
	let gone = false;
	let listener: (() => void) | undefined;
	return {
		isGone: () => gone,
		onLeave: (called) => {
			listener = called;
		},
		leave: () => {
			if (gone) return;
			gone = true;
			listener?.();
		},
	};
};
