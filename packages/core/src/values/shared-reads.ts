type Reads<T> = {readonly running: Promise<unknown>; next: Promise<T> | undefined};

const nothing = (): undefined => undefined;

/**
 * Lets parallel callers of a read share it. Who asks while one is running gets the next one, which begins after they
 * asked: unlike with a cache, nobody is answered what was true before their question, whoever changes it meanwhile.
 */
export const shareReads = <T>(read: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
	const reads = new Map<string, Reads<T>>();
	const start = (key: string): Promise<T> => {
		const result = read(key);
		const own: Reads<T> = {running: result.then(nothing, nothing), next: undefined};
		reads.set(key, own);
		void own.running.then(() => {
			if (own.next === undefined) reads.delete(key);
		});
		return result;
	};
	return (key) => {
		const begun = reads.get(key);
		if (begun === undefined) return start(key);
		begun.next ??= begun.running.then(() => start(key));
		return begun.next;
	};
};
