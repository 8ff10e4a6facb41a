import { NodeOperationError, type INode } from 'n8n-workflow';
import { isLoopback } from '../../client/account';

/** Matches the n8n server itself, private networks, link-local addresses, and addresses shared by a provider's customers. */
const PRIVATE_IPV4 =
	/^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** Public IPv6 addresses never begin with zeros, unlike IPv4 addresses written as IPv6. */
const PRIVATE_IPV6 = /^\[(::|f[cd]|fe[89ab])/;
/** Matches names of a local network, and names without a dot. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan)$|^[^.:]+$/;

/**
 * Returns why Portal.io cannot deliver to a URL, which must be https and public; undefined if it can. Does
 * not resolve names, because a name may have another address here than at Portal.io.
 */
export function reasonUnreachable(url: string): string | undefined {
	if (!URL.canParse(url) || !/^https?:/i.test(url)) return 'not an absolute web address';
	const { protocol, hostname } = new URL(url);
	// The parser writes names in lower case, and every form of an IPv4 address as four decimals.
	const host = hostname.replace(/\.$/, '');
	const isPrivate = [PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((form) => form.test(host));
	// This reason comes first, because https does not make a private address reachable.
	if (isPrivate) return 'not a public address';
	return protocol === 'https:' ? undefined : 'not https';
}

/** Throws if the service at `baseUrl` cannot deliver to the webhook URL. A local simulator can. */
export function assertReachable(node: INode, url: string, baseUrl: string): void {
	const reason = reasonUnreachable(url);
	if (reason === undefined || (isLoopback(baseUrl) && isLoopback(url))) return;
	// n8n shows only the message, not the description, when a workflow is published.
	const message = `Portal.io cannot deliver to this n8n's webhook URL, which is ${reason}: set WEBHOOK_URL of n8n to its public https:// address, or use the Portal.io Polling Trigger, which does not need one`;
	const description = `The URL is ${url}. WEBHOOK_URL is an environment variable of n8n: the address at which the internet reaches it.`;
	throw new NodeOperationError(node, message, { description });
}

/** Compares normalized URLs, because Portal.io may return a URL in another form than it received. */
export function isSameUrl(first: string, second: string): boolean {
	const normalize = (url: string) => (URL.canParse(url) ? new URL(url).href : String(url).trim());
	return normalize(first) === normalize(second);
}
