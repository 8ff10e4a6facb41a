import { NodeOperationError, type INode } from 'n8n-workflow';
import { isLoopback } from '../../client/account';

/** This machine, private networks, link-local addresses, and those that providers share. */
const PRIVATE_IPV4 =
	/^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** The same of IPv6; public addresses never begin with zeros, as IPv4 written in IPv6 does. */
const PRIVATE_IPV6 = /^\[(::|f[cd]|fe[89ab])/;
/** Names of a local network, and names without a dot. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan)$|^[^.:]+$/;

/**
 * Says why Portal.io cannot deliver to an address, which must be https and public. Names are not
 * resolved: what they mean here says little about what Portal.io sees. Undefined if it looks reachable.
 */
export function unreachable(address: string): string | undefined {
	if (!URL.canParse(address) || !/^https?:/i.test(address)) return 'not an absolute web address';
	const { protocol, hostname } = new URL(address);
	// The parser writes names in lower case, and every form of an IPv4 address as four decimals.
	const host = hostname.replace(/\.$/, '');
	const isPrivate = [PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((form) => form.test(host));
	// First, since another scheme would not help then.
	if (isPrivate) return 'not a public address';
	return protocol === 'https:' ? undefined : 'not https';
}

/** Rejects a webhook URL that the service at `baseUrl` cannot deliver to. A local simulator can. */
export function assertReachable(node: INode, url: string, baseUrl: string): void {
	const reason = unreachable(url);
	if (reason === undefined || (isLoopback(baseUrl) && isLoopback(url))) return;
	// At an activation n8n shows the message and not the description, so all of it is here.
	const message = `Portal.io cannot deliver to this n8n's webhook URL, which is ${reason}: set WEBHOOK_URL of n8n to its public https:// address, or use the Portal.io Polling Trigger, which does not need one`;
	const description = `The URL is ${url}. WEBHOOK_URL is an environment variable of n8n: the address at which the internet reaches it.`;
	throw new NodeOperationError(node, message, { description });
}

/** Whether two addresses are the same: Portal.io may return one in another form than it got. */
export function isSameAddress(one: string, other: string): boolean {
	const normal = (address: string) =>
		URL.canParse(address) ? new URL(address).href : String(address).trim();
	return normal(one) === normal(other);
}
