import { isIP } from 'node:net';
import { invalid } from '../errors.mts';

/** Addresses that are not reachable over the public internet: private and link-local ones. */
const UNROUTABLE = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.|^\[(?:::|f[cde])/;

/** Whether the host of a URL is one of the usual loopback names. */
export const isLoopback = (url: URL): boolean =>
	['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);

/** Whether the host of a URL can be public. Names are judged by their form, without DNS. */
const isPublic = ({ hostname }: URL): boolean =>
	!UNROUTABLE.test(hostname) &&
	(isIP(hostname) !== 0 || (/[.:]/.test(hostname) && !/\.(?:local|internal)$/.test(hostname)));

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
