import {canceled} from './rpc-error.ts';

/** What `work` comes to, or `canceled` as soon as the signal aborts, whatever the work is at. */
export const orCanceled = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
	new Promise((resolve, reject) => {
		const abort = () => reject(canceled());
		if (signal?.aborted) return abort();
		signal?.addEventListener('abort', abort, {once: true});
		work()
			.then(resolve, reject)
			.finally(() => signal?.removeEventListener('abort', abort));
	});

/** The items of a source until the signal aborts; then they end, whatever the source is at, and the source is returned. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
	const items = source[Symbol.asyncIterator]();
	let abort = () => {};
	const onAbort = () => abort();
	signal.addEventListener('abort', onAbort);
	try {
		while (!signal.aborted) {
			const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
				abort = () => resolve(undefined);
				items.next().then(resolve, reject);
			});
			if (!next || next.done) return;
			yield next.value;
		}
	} finally {
		signal.removeEventListener('abort', onAbort);
		// Not awaited: a source that waits for its next item is returned only after it.
		items.return?.().catch(() => undefined);
	}
}
