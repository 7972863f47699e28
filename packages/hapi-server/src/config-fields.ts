import {isIP} from 'node:net';
import {z} from 'zod';

/** Text that stands for nothing when it is blank, as `.env` files and compose files write it. */
const given = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined);

/** A variable as its text, or undefined when it is not set. */
export const optionalText = z.string().optional().transform(given);

export const text = (fallback: string) => optionalText.transform((value) => value ?? fallback);

export const port = (fallback: number) =>
	text(String(fallback))
		.refine((value) => /^\d{1,5}$/.test(value) && Number(value) < 65_536, 'must be a port, 0 to 65535')
		.transform(Number);

export const choice = <const T extends readonly [string, ...string[]]>(choices: T) =>
	optionalText.pipe(z.enum(choices, {error: `must be one of ${choices.join(', ')}`}).optional());

const units: Readonly<Record<string, number>> = {'': 1, kib: 1024, mib: 1024 * 1024};
const sizePattern = /^(\d{1,12})\s*(|kib|mib)$/i;

const sizeOf = (value: string): number => {
	const [, amount = '', unit = ''] = sizePattern.exec(value) ?? [];
	return Number(amount) * (units[unit.toLowerCase()] ?? Number.NaN);
};

/** A size in bytes: a whole number, with KiB or MiB. */
export const size = (fallback: string, most: number) =>
	text(fallback)
		.transform((value) => (sizePattern.test(value) ? sizeOf(value) : 0))
		.refine((bytes) => bytes >= 1024 && bytes <= most, `must be a size from 1 KiB to ${most / 1024 / 1024} MiB`);

/** A time in whole seconds, `300` or `300s`. */
export const seconds = (fallback: number) =>
	text(String(fallback))
		.refine((value) => /^[1-9]\d{0,5}\s*s?$/i.test(value), 'must be whole seconds, 1 to 999999')
		.transform((value) => Number.parseInt(value, 10));

/** Comma-separated entries. */
export const entries = optionalText.transform((value) =>
	(value ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])),
);

/** The same, where `none` says that there are none, whatever the default is: a blank value says nothing. */
const entriesOrNone = entries.transform((list) => (list.length === 1 && list[0] === 'none' ? [] : list));

const isWebAddress = (value: string): boolean => {
	if (!URL.canParse(value)) return false;
	const url = new URL(value);
	return (
		/^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
	);
};

/** A public address without a trailing slash. */
export const webAddress = optionalText
	.refine(
		(value) => value === undefined || isWebAddress(value),
		'must be an http or https URL without user, query or fragment',
	)
	.transform((value) => value?.replace(/\/+$/, ''));

/** A public address with nothing behind host and port. */
export const webOrigin = webAddress.refine(
	(value) => value === undefined || new URL(value).pathname === '/',
	'must have no path: the dashboard and its cookies need a host or a port of their own',
);

const isDecodable = (text: string): boolean => {
	try {
		decodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
};

const isRedisAddress = (value: string): boolean => {
	if (!URL.canParse(value)) return false;
	const {protocol, hostname, pathname, searchParams, hash, username, password} = new URL(value);
	if (![username, password].every(isDecodable)) return false;
	const parameters = [...searchParams.keys()].every((name) => name === 'prefix');
	return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname) && parameters && hash === '';
};

/** Where a Redis is. */
export const redisAddress = optionalText.refine(
	(value) => value === undefined || isRedisAddress(value),
	'must be redis://<host>:<port> or rediss://<host>:<port>, with user, password, /<database> and ?prefix= where needed',
);

/** Origins of browsers, as they send them. */
export const origins = entriesOrNone.refine(
	(list) => list.every((entry) => isWebAddress(entry) && new URL(entry).origin === entry),
	'must be origins such as https://app.example.com, separated by commas',
);

const isBlock = (entry: string): boolean => {
	const [address = '', bits, ...rest] = entry.split('/');
	const version = isIP(address);
	if (version === 0 || rest.length > 0) return false;
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

/** Addresses or CIDR blocks. */
export const addressBlocks = entriesOrNone.refine(
	(list) => list.every(isBlock),
	'must be addresses or CIDR blocks such as 10.0.0.0/8, separated by commas',
);
