/** Resolves once the signal aborts, or at once when it has. */
export const untilAborted = (signal: AbortSignal): Promise<undefined> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve(undefined);
		else signal.addEventListener('abort', () => resolve(undefined), {once: true});
	});
