/** What every peer does with a webhook, in the fewest words: where it goes, and whether its sender is known. */
import {createHmac, timingSafeEqual} from 'node:crypto';

const {BENCH_DESTINATION, BENCH_SECRET, BENCH_REPOSITORY, BENCH_DIRECTORY, BENCH_REDIS} = process.env;

export const redis = BENCH_REDIS;
/** For what is to be kept on a disk. */
export const directory = BENCH_DIRECTORY;

/** @returns whether GitHub, or whoever knows the secret, signed the body. */
export const isGenuine = (body, signature = '') => {
	const expected = createHmac('sha256', BENCH_SECRET).update(body).digest();
	const given = Buffer.from(signature.slice('sha256='.length), 'hex');
	return given.length === expected.length && timingSafeEqual(given, expected);
};

/** @returns the destination of that repository's webhooks; undefined for others. */
export const destinationOf = (webhook, path) =>
	webhook.repository.full_name === BENCH_REPOSITORY ? BENCH_DESTINATION + path : undefined;

/** The headers that a destination has use for. */
export const passedOn = (headers) => ({
	'content-type': headers['content-type'],
	'x-github-event': headers['x-github-event'],
	'x-github-delivery': headers['x-github-delivery'],
});

export const printAddress = (port) => console.log(`http://127.0.0.1:${port}`);
