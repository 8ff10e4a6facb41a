import { BlockList, isIP } from 'node:net';

import { invalid } from '../errors.mts';

/** Addresses that are not reachable over the public internet: private, loopback, link-local. */
const unroutable = new BlockList();
for (const [network, prefix] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
] as const) {
	unroutable.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
	['::', 127],
	['fc00::', 7],
	['fe80::', 10],
] as const) {
	unroutable.addSubnet(network, prefix, 'ipv6');
}

/** Whether the host of a URL is one of the usual loopback names. */
export const isLoopback = (url: URL): boolean =>
	['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);

/** Whether the host of a URL can be public. Names are judged by their form, without DNS. */
function isPublic({ hostname }: URL): boolean {
	const host = hostname.replace(/^\[|\]$/g, '');
	const family = isIP(host);
	if (family) return !unroutable.check(host, family === 4 ? 'ipv4' : 'ipv6');
	return host.includes('.') && !/\.(local|internal)$/.test(host);
}

/**
 * Checks and trims the URL of a subscription: absolute, https and publicly routable; 400 for `Url`
 * otherwise. URLs on this machine are accepted too, also with http: an n8n on it needs them.
 */
export function checkWebhookUrl(text: string): string {
	const trimmed = text.trim();
	const url = URL.parse(trimmed);
	if (url && /^https?:$/.test(url.protocol) && isLoopback(url)) return trimmed;
	if (url?.protocol !== 'https:') throw invalid('Url', 'Url must be an absolute https:// URL.');
	if (!isPublic(url)) throw invalid('Url', 'Url must be publicly routable.');
	return trimmed;
}
