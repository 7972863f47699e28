import {setTimeout as pause} from 'node:timers/promises';

/**
 * Resolves with the first answer that is neither false nor undefined. For what happens over a real socket, where nothing tells that it happened.
 * @throws Error when it does not happen within 10 seconds.
 */
export const until = async <T>(question: () => T | Promise<T>, what = 'it'): Promise<Exclude<T, false | undefined>> => {
	const deadline = Date.now() + 10_000;
	for (;;) {
		const answer = await question();
		if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
		if (Date.now() > deadline) throw new Error(`${what} did not happen within 10 seconds`);
		await pause(2);
	}
};
