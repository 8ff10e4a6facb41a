/** Why the service would not deliver to an address. */
export type Unreachable = 'not an absolute web address' | 'not https' | 'not a public address';

/**
 * IPv4 networks that nobody reaches over the public internet (RFC 6890), as address and prefix.
 * The standard library's list of networks is not open to community nodes.
 */
const PRIVATE_IPV4: Array<[string, number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3],
];
/** Their counterparts of IPv6: the first bits, as the first 16-bit groups and a prefix. */
const PRIVATE_IPV6: Array<[number[], number]> = [
	[[0x64, 0xff9b, 1], 48],
	[[0x100, 0, 0, 0], 64],
	[[0x2001, 0xdb8], 32],
	[[0xfc00], 7],
	[[0xfe80], 10],
	[[0xff00], 8],
];
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|lan|home\.arpa|test|invalid|example)$/;
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/**
 * Says why the service refuses an address for deliveries, which have to be absolute, https and
 * publicly routable (public reference, 9.1). Names are judged by their look and not looked up:
 * what they resolve to here says little about what the service sees.
 *
 * @returns undefined when nothing speaks against the address
 */
export function unreachable(address: string): Unreachable | undefined {
	if (!URL.canParse(address)) return 'not an absolute web address';
	const { protocol, hostname } = new URL(address);
	if (!/^https?:$/.test(protocol)) return 'not an absolute web address';
	// The host is what decides whether a change of the scheme would help, so it comes first.
	if (!isPublicHost(hostname)) return 'not a public address';
	return protocol === 'https:' ? undefined : 'not https';
}

/**
 * Whether two addresses are one, however they are written: the service may keep an address in
 * another form than it got (public reference, 9.1, says only that it is trimmed).
 */
export function isSameAddress(one: string, other: string | undefined): boolean {
	const normal = (address: string) =>
		URL.canParse(address) ? new URL(address).href : address.trim();
	return other !== undefined && normal(one) === normal(other);
}

function isPublicHost(hostname: string): boolean {
	// The URL parser has lower-cased names and written every form of IPv4 as four decimals.
	const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
	if (host.includes(':')) return isPublicIpv6(groupsOf(host));
	if (IPV4.test(host)) return isPublicIpv4(numberOf(host));
	return host.includes('.') && !PRIVATE_NAMES.test(host);
}

function numberOf(ipv4: string): number {
	return ipv4.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function isPublicIpv4(address: number): boolean {
	return !PRIVATE_IPV4.some(([network, prefix]) => {
		const size = 2 ** (32 - prefix);
		return Math.floor(address / size) === Math.floor(numberOf(network) / size);
	});
}

/** The eight 16-bit groups of an address; the URL parser has left no IPv4 notation in it. */
function groupsOf(ipv6: string): number[] {
	const [head = '', tail] = ipv6.split('::');
	const parse = (part: string) =>
		part === '' ? [] : part.split(':').map((hex) => parseInt(hex, 16));
	if (tail === undefined) return parse(head);
	const [left, right] = [parse(head), parse(tail)];
	return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function isPublicIpv6(groups: number[]): boolean {
	const [high = 0, low = 0] = groups.slice(6);
	const leading = groups.slice(0, 5).every((group) => group === 0);
	// An IPv4 address inside an IPv6 one; what is left of the block is unspecified or loopback.
	if (leading && groups[5] === 0xffff) return isPublicIpv4(high * 65_536 + low);
	if (leading && groups[5] === 0) return false;
	return !PRIVATE_IPV6.some(([network, prefix]) =>
		network.every((part, index) => {
			const bits = Math.min(16, prefix - index * 16);
			const shift = 16 - bits;
			return bits <= 0 || (groups[index] ?? 0) >> shift === part >> shift;
		}),
	);
}
