/** Tests which URLs Portal.io can deliver to (docs/dev/portal-api.md#webhook-subscriptions). */
import { expect, it } from 'vitest';
import { isSameUrl, reasonUnreachable } from '../../nodes/PortalIoTrigger/webhookUrl.ts';

it.each([
	'n8n.example.com',
	'n8n.example.com:8443',
	'8.8.8.8',
	'172.15.0.1',
	'172.32.0.1',
	'100.63.0.1',
	'100.128.0.1',
	'192.169.0.1',
	'110.0.0.1',
	'[2600:1f18::1]',
	'10.example.com',
	'10.0.0.1.example.com',
	'n8n.local.example.com',
	'fd.example.com',
])('accepts a webhook URL at the public host %s', (host) =>
	expect(reasonUnreachable(`https://${host}/webhook`)).toBeUndefined(),
);

it.each([
	'localhost',
	'n8n.localhost',
	'n8n',
	'n8n.local',
	'n8n.local.',
	'n8n.internal',
	'nas.lan',
	'127.0.0.1',
	'0x7f000001',
	'0',
	'10.1.2.3',
	'169.254.169.254',
	'192.168.178.2',
	...[64, 79, 99, 100, 119, 127].map((second) => `100.${second}.0.1`),
	'172.16.0.1',
	'172.20.0.1',
	'172.30.0.1',
	'172.31.255.255',
	'[::]',
	'[::1]',
	'[::ffff:a00:1]',
	// Reject even a public IPv4 address written as IPv6, because such addresses are only used within a server.
	'[::ffff:8.8.8.8]',
	'[fc00::1]',
	'[fd12:3456::1]',
	...['fe80', 'fe90', 'fea0', 'febf'].map((first) => `[${first}::1]`),
])('rejects a webhook URL at the private host %s', (host) => {
	for (const scheme of ['https', 'http'])
		expect(reasonUnreachable(`${scheme}://${host}/webhook`)).toBe('not a public URL');
});

it('rejects a webhook URL without https', () =>
	expect(reasonUnreachable('http://n8n.example.com/webhook')).toBe('not https'));

it.each([
	'',
	'webhook',
	'n8n.example.com/webhook',
	'ftp://n8n.example.com/',
	'https://',
	'xhttps://n8n.example.com/',
])('rejects a webhook URL that cannot be parsed: "%s"', (url) =>
	expect(reasonUnreachable(url)).toBe('not an absolute URL'),
);

const url = 'https://n8n.example.com/webhook/Id-1/webhook';

it.each([
	url,
	`  ${url} `,
	`\u00a0${url}`,
	url.replace('.com', '.com:443'),
	'HTTPS://N8N.Example.com/webhook/Id-1/webhook',
])('recognizes another form of the same URL: %s', (other) =>
	expect(isSameUrl(other, url)).toBe(true),
);

it.each([
	url.toLowerCase(),
	url.replace('webhook', 'webhook-test'),
	url.replace('.com', '.com:8443'),
	url.replace('https', 'http'),
	`${url}/`,
	'',
])('distinguishes another URL: "%s"', (other) => expect(isSameUrl(url, other)).toBe(false));
