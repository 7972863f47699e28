import {isIPv4} from 'node:net';

export type OwnHostSettings = Readonly<{
	/** Under which others reach us. */
	addresses: readonly string[];
	/** The names of this machine are ours, too. */
	local: boolean;
}>;

export const isLoopbackName = (hostname: string): boolean =>
	hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

/** Whether a `Host` is a name of ours. Another one, whose address became ours, is how a page gets around its origin (DNS rebinding). */
export const createOwnHost = ({addresses, local}: OwnHostSettings) => {
	const hostnames = new Set(addresses.map((address) => new URL(address).hostname));
	/** Clients call us by one name, over and over: it need not be read anew each time. */
	let lastOwn: string | undefined;
	return (host: string | undefined): boolean => {
		if (host !== undefined && host === lastOwn) return true;
		const hostname = URL.parse(`http://${host ?? ''}`)?.hostname;
		const isOwn = hostname !== undefined && (hostnames.has(hostname) || (local && isLoopbackName(hostname)));
		if (isOwn) lastOwn = host;
		return isOwn;
	};
};

/** Whether a request to that URL would reach us: of this machine, which others listen on too, only by a port of ours. */
export const createOwnAddress = (addresses: readonly string[]) => {
	const own = addresses.map((address) => new URL(address));
	const hostnames = new Set(own.map(({hostname}) => hostname));
	const ports = new Set(own.map(({port}) => port));
	return ({hostname, port}: URL): boolean => (isLoopbackName(hostname) ? ports.has(port) : hostnames.has(hostname));
};
