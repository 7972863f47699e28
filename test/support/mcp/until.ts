import {setTimeout as pause} from 'node:timers/promises';

/**
 * Resolves with the first answer that is neither false nor undefined. For what happens over a real socket, where nothing
 * tells that it happened.
 * @throws Error when it does not happen within that time, by default a minute: more than a busy machine takes.
 */
export const until = async <T>(
	question: () => T | Promise<T>,
	what = 'it',
	milliseconds = 60_000,
): Promise<Exclude<T, false | undefined>> => {
	const deadline = Date.now() + milliseconds;
	for (;;) {
		const answer = await question();
		if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
		if (Date.now() > deadline) throw new Error(`${what} did not happen within ${milliseconds / 1000} seconds`);
		await pause(2);
	}
};
