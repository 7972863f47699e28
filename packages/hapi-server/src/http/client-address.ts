import type {IncomingMessage} from 'node:http';
import {BlockList, isIP} from 'node:net';

/** The address of the client of a request. */
export type ClientAddress = (req: IncomingMessage) => string;

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address that came in over an IPv6 socket, as IPv4. */
export const plainAddress = (address: string): string =>
	address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;

/** Addresses and CIDR blocks as one set. @throws TypeError for text that is neither. */
const addressSet = (blocks: readonly string[]): BlockList => {
	const set = new BlockList();
	for (const block of blocks) {
		const [address = '', bits] = block.split('/');
		if (bits === undefined) set.addAddress(address, family(address));
		else set.addSubnet(address, Number(bits), family(address));
	}
	return set;
};

const forwardedFor = (req: IncomingMessage): string[] =>
	[req.headers['x-forwarded-for'] ?? []]
		.flat()
		.flatMap((value) => value.split(',').map((entry) => plainAddress(entry.trim())));

/**
 * Who sent a request: the peer, unless it is one of `trustedProxies`; then the last address in `X-Forwarded-For` that
 * no trusted proxy stands for. An entry that is no address ends the search: nobody vouches for what is left of it.
 */
export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
	const trusted = addressSet(trustedProxies);
	const isTrusted = (address: string): boolean => isIP(address) !== 0 && trusted.check(address, family(address));
	return (req) => {
		let client = plainAddress(req.socket.remoteAddress ?? '');
		if (req.headers['x-forwarded-for'] === undefined) return client;
		for (const hop of forwardedFor(req).reverse()) {
			if (!isTrusted(client) || isIP(hop) === 0) break;
			client = hop;
		}
		return client;
	};
};

/** True for an address of this very machine. */
export const isLoopback = (address: string): boolean => {
	const bare = plainAddress(address);
	return bare === '::1' || bare === 'localhost' || (isIP(bare) === 4 && bare.startsWith('127.'));
};
