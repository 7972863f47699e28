import type {DomainEvent, Signals} from '../ports/index.ts';

type Listener = (event: DomainEvent) => void;

/**
 * Signals within this process, delivered before `publish` returns.
 * @param onError Told what a listener threw. A listener's fault reaches neither the publisher nor the other listeners.
 */
export const createMemorySignals = ({onError}: Readonly<{onError?: (error: unknown) => void}> = {}): Signals => {
	const subscriptions = new Set<Readonly<{listener: Listener}>>();
	return {
		publish: (event) => {
			for (const {listener} of [...subscriptions]) {
				try {
					listener(event);
				} catch (error) {
					onError?.(error);
				}
			}
		},
		subscribe: (listener) => {
			// The same function may subscribe twice, and each subscription ends on its own.
			const subscription = {listener};
			subscriptions.add(subscription);
			return () => {
				subscriptions.delete(subscription);
			};
		},
	};
};
