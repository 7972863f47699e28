import type {LookupAddress, LookupOptions} from 'node:dns';
import {isIP, type LookupFunction} from 'node:net';
import {buildConnector} from 'undici';
import type {AddressGuard} from './address-guard.ts';
import type {FindAddresses} from './find-addresses.ts';

/** The connection was not even tried: no address of that host is one that we may connect to. */
export class BlockedAddressError extends Error {
	override readonly name = 'BlockedAddressError';
	readonly code = 'ERR_BLOCKED_ADDRESS';
	constructor() {
		super('the address of the upstream is not allowed');
	}
}

/**
 * Answers only addresses that pass. The socket connects to exactly what this answered, so a name that resolves
 * differently a moment later (DNS rebinding) gains nothing.
 */
const guardedLookup =
	(guard: AddressGuard, findAddresses: FindAddresses): LookupFunction =>
	(hostname, options: LookupOptions, callback) => {
		findAddresses(hostname, {...options, all: true}, (error, found: LookupAddress[]) => {
			if (error) return callback(error, '', 0);
			const passed = found.filter(({address}) => guard.allows(address));
			const [first] = passed;
			if (first === undefined) return callback(new BlockedAddressError(), '', 0);
			if (options.all) callback(null, passed);
			else callback(null, first.address, first.family);
		});
	};

/** Opens connections for undici, to addresses that the guard allows and no others. HTTP/1.1 only. */
export const createGuardedConnector = (
	guard: AddressGuard,
	timeoutMs: number,
	findAddresses: FindAddresses,
): buildConnector.connector => {
	const connect = buildConnector({timeout: timeoutMs, allowH2: false, lookup: guardedLookup(guard, findAddresses)});
	return (options, callback) => {
		// Literal addresses are connected to without any lookup.
		if (isIP(options.hostname) !== 0 && !guard.allows(options.hostname)) callback(new BlockedAddressError(), null);
		else connect(options, callback);
	};
};
