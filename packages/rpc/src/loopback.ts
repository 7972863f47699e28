import {BlockList, isIP} from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether what is sent to a host stays on this machine. Takes `localhost` and IP addresses, IPv6 in brackets or not. */
export const isLoopback = (host: string): boolean => {
	const address = host.replace(/^\[(.*)\]$/, '$1');
	const family = isIP(address);
	return family === 0 ? address === 'localhost' : loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
};
