import { NodeOperationError, type INode } from 'n8n-workflow';
import { isLoopback } from '../../client/account';

/** The n8n server itself, private networks, link-local addresses, and addresses that providers share. */
const PRIVATE_IPV4 =
	/^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** Public IPv6 addresses never begin with zeros, unlike IPv4 addresses written as IPv6. */
const PRIVATE_IPV6 = /^\[(::|f[cd]|fe[89ab])/;
/** Names of a local network, and names without a dot. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan)$|^[^.:]+$/;

/**
 * Says why Portal.io cannot deliver to a URL, which must be https and public; undefined if it can. Does
 * not resolve names, because a name may lead to another address here than at Portal.io.
 */
export function reasonUnreachable(address: string): string | undefined {
	if (!URL.canParse(address) || !/^https?:/i.test(address)) return 'not an absolute web address';
	const { protocol, hostname } = new URL(address);
	// The parser writes names in lower case, and every form of an IPv4 address as four decimals.
	const host = hostname.replace(/\.$/, '');
	const isPrivate = [PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((form) => form.test(host));
	// Another scheme would not help a private address, so this reason comes first.
	if (isPrivate) return 'not a public address';
	return protocol === 'https:' ? undefined : 'not https';
}

/** Rejects a webhook URL that the service at `baseUrl` cannot deliver to. A local simulator can. */
export function assertReachable(node: INode, url: string, baseUrl: string): void {
	const reason = reasonUnreachable(url);
	if (reason === undefined || (isLoopback(baseUrl) && isLoopback(url))) return;
	// When a workflow is published, n8n shows the message without the description.
	const message = `Portal.io cannot deliver to this n8n's webhook URL, which is ${reason}: set WEBHOOK_URL of n8n to its public https:// address, or use the Portal.io Polling Trigger, which does not need one`;
	const description = `The URL is ${url}. WEBHOOK_URL is an environment variable of n8n: the address at which the internet reaches it.`;
	throw new NodeOperationError(node, message, { description });
}

/** Compares two URLs by their normalized form: Portal.io may return a URL in another form than it received. */
export function isSameAddress(first: string, second: string): boolean {
	const normalize = (url: string) => (URL.canParse(url) ? new URL(url).href : String(url).trim());
	return normalize(first) === normalize(second);
}
