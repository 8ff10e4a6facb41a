import { NodeOperationError, type INode } from 'n8n-workflow';
import { isLoopback } from '../../client/account';

/**
 * IPv4 addresses of the local machine, of private and link-local networks, and of the range that internet providers
 * share among customers.
 */
const PRIVATE_IPV4 =
	/^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** IPv6 addresses that are not public, including IPv4 addresses written as IPv6, which begin with `::`. */
const PRIVATE_IPV6 = /^\[(::|f[cd]|fe[89ab])/;
/** Names in a local network, and names without a dot. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan)$|^[^.:]+$/;

/**
 * Returns why Portal.io cannot deliver to a URL, which must be public and use https; undefined if it can. Does not
 * resolve names, because a name can have a different address for Portal.io than for n8n.
 */
export function reasonUnreachable(url: string): string | undefined {
	if (!URL.canParse(url) || !/^https?:/i.test(url)) return 'not an absolute URL';
	const { protocol, hostname } = new URL(url);
	// Remove only a final dot, because `URL` has already converted the name to lower case, and an IPv4 address in
	// any form to four decimals.
	const host = hostname.replace(/\.$/, '');
	const isPrivate = [PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((form) => form.test(host));
	// Check this first, because https does not make a private address reachable.
	if (isPrivate) return 'not a public URL';
	return protocol === 'https:' ? undefined : 'not https';
}

/**
 * Throws if the service at `baseUrl` cannot deliver to the webhook URL. Only a local simulator can deliver to a local
 * URL.
 */
export function assertReachable(node: INode, url: string, baseUrl: string): void {
	const reason = reasonUnreachable(url);
	if (reason === undefined || (isLoopback(baseUrl) && isLoopback(url))) return;
	// Put the advice in the message, because n8n does not show the description when a workflow is published.
	const message = `Portal.io cannot deliver to this n8n instance's webhook URL, which is ${reason}. Set n8n's WEBHOOK_URL to its public https:// URL, or use the Portal.io Polling Trigger, which does not need one`;
	const description = `The URL is ${url}. WEBHOOK_URL is the environment variable for n8n's public URL.`;
	throw new NodeOperationError(node, message, { description });
}

/**
 * Returns whether two URLs are the same. Normalizes them, because Portal.io can return a URL in a different form than
 * it received.
 */
export function isSameUrl(first: string, second: string): boolean {
	const normalize = (url: string) => (URL.canParse(url) ? new URL(url).href : String(url).trim());
	return normalize(first) === normalize(second);
}
