import {BlockList, isIP, isIPv4, isIPv6} from 'node:net';

/** Which addresses the service may connect to on somebody's behalf. */
export type AddressGuard = Readonly<{
	/** False for everything that is not plainly a public address, unless the operator let it through. */
	allows(address: string): boolean;
}>;

/** IANA special-purpose ranges, and 168.63.129.16, where Azure answers its machines from a public address. */
const blockedIPv4 = [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'168.63.129.16/32',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.88.99.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/4',
	'240.0.0.0/4',
];

/** Within global unicast, 2000::/3: protocol assignments with Teredo, documentation, and 6to4, which embeds any IPv4. */
const blockedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const addSubnet = (list: BlockList, cidr: string): BlockList => {
	const [address = '', prefix] = cidr.split('/');
	const version = isIP(address);
	const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
	if (version === 0 || prefix === '' || !Number.isInteger(bits)) throw new Error(`not a range of addresses: ${cidr}`);
	list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
	return list;
};

const blockListOf = (cidrs: readonly string[]): BlockList => cidrs.reduce(addSubnet, new BlockList());

const special = {ipv4: blockListOf(blockedIPv4), ipv6: blockListOf(blockedIPv6)};
const globalUnicast = blockListOf(['2000::/3']);
const nat64 = blockListOf(['64:ff9b::/96']);
const mapped = blockListOf(['::ffff:0:0/96']);

/** The IPv4 address in the last 32 bits. URL writes every spelling of an IPv6 address as hexadecimal groups. */
const embeddedIPv4 = (address: string): string => {
	const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
	const groups = (tail === undefined ? head : tail).split(':').filter((group) => group !== '');
	const [high = 0, low = 0] = ['0', '0', ...groups].slice(-2).map((group) => Number.parseInt(group, 16));
	return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

const isPublicIPv6 = (address: string): boolean =>
	nat64.check(address, 'ipv6')
		? !special.ipv4.check(embeddedIPv4(address), 'ipv4')
		: globalUnicast.check(address, 'ipv6') && !special.ipv6.check(address, 'ipv6');

/** @param allowedCidrs what the operator lets through. @throws Error for one that is not a range of addresses. */
export const createAddressGuard = (allowedCidrs: readonly string[]): AddressGuard => {
	const allowed = blockListOf(allowedCidrs);
	const allowsIPv4 = (address: string): boolean =>
		allowed.check(address, 'ipv4') || !special.ipv4.check(address, 'ipv4');
	return {
		allows: (address) => {
			if (isIPv4(address)) return allowsIPv4(address);
			// A zone index names an interface of this machine: nothing public has one.
			if (!isIPv6(address) || address.includes('%')) return false;
			if (mapped.check(address, 'ipv6')) return allowsIPv4(embeddedIPv4(address));
			return allowed.check(address, 'ipv6') || isPublicIPv6(address);
		},
	};
};
