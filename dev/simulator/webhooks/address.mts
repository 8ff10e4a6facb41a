import { BlockList, isIP } from 'node:net';

import { invalid } from '../errors.mts';

// special-purpose addresses (RFC 6890): none of them is reachable over the public internet
const unroutable = new BlockList();
for (const [network, prefix] of [
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
] as const) {
	unroutable.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
	['::', 128],
	['::1', 128],
	['64:ff9b:1::', 48],
	['100::', 64],
	['2001:db8::', 32],
	['fc00::', 7],
	['fe80::', 10],
	['ff00::', 8],
] as const) {
	unroutable.addSubnet(network, prefix, 'ipv6');
}

const localNames = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/** The host of a URL without IPv6 brackets and a trailing dot. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether the host of a URL is one of the usual loopback names. */
export function isLoopback(url: URL): boolean {
	return ['127.0.0.1', '::1', 'localhost'].includes(hostOf(url));
}

/** Whether the host of a URL can be public. Names are judged by their form, without DNS. */
function isPublic(url: URL): boolean {
	const host = hostOf(url);
	const family = isIP(host);
	// an IPv4 address inside an IPv6 one is checked as IPv4 by BlockList
	if (family) return !unroutable.check(host, family === 4 ? 'ipv4' : 'ipv6');
	return host.includes('.') && !localNames.test(host);
}

/**
 * Checks and trims the URL of a subscription: absolute, https, publicly routable; 400 for `Url`
 * otherwise. With `allowLoopback`, URLs on this machine are accepted too, also with http.
 */
export function checkWebhookUrl(text: string, allowLoopback: boolean): string {
	const trimmed = text.trim();
	const url = URL.parse(trimmed);
	if (!url) throw invalid('Url', 'Url must be an absolute https:// URL.');
	const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
	if (allowLoopback && isWeb && isLoopback(url)) return trimmed;
	if (url.protocol !== 'https:') throw invalid('Url', 'Url must be an absolute https:// URL.');
	if (!isPublic(url)) throw invalid('Url', 'Url must be publicly routable.');
	return trimmed;
}
