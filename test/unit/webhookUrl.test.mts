/** Which addresses Portal.io can deliver to (docs/portal-api.md#webhook-subscriptions). */
import { describe, expect, it } from 'vitest';
import { isSameAddress, unreachable } from '../../nodes/PortalIoTrigger/webhookUrl.ts';

describe('a webhook URL', () => {
	it.each([
		'https://n8n.example.com/webhook/1/webhook',
		'https://n8n.example.com:8443/webhook',
		'https://8.8.8.8/webhook',
		'https://172.15.0.1/webhook',
		'https://172.32.0.1/webhook',
		'https://100.63.0.1/webhook',
		'https://100.128.0.1/webhook',
		'https://192.169.0.1/webhook',
		'https://110.0.0.1/webhook',
		'https://10.example.com/webhook',
		'https://10.0.0.1.example.com/webhook',
		'https://n8n.local.example.com/webhook',
		'https://fd.example.com/webhook',
		'https://[2600:1f18::1]/webhook',
	])('takes a webhook URL as reachable: %s', (url) => expect(unreachable(url)).toBeUndefined());

	it.each([
		'https://localhost/webhook',
		'https://n8n.localhost/webhook',
		'https://n8n/webhook',
		'https://n8n.local/webhook',
		'https://n8n.local./webhook',
		'https://n8n.internal/webhook',
		'https://nas.lan/webhook',
		'https://127.0.0.1/webhook',
		'https://0x7f000001/webhook',
		'https://0/webhook',
		'https://10.1.2.3/webhook',
		...[64, 79, 99, 100, 119, 127].map((second) => `https://100.${second}.0.1/webhook`),
		'https://169.254.169.254/webhook',
		'https://172.16.0.1/webhook',
		'https://172.20.0.1/webhook',
		'https://172.30.0.1/webhook',
		'https://172.31.255.255/webhook',
		'https://192.168.178.2/webhook',
		'https://[::]/webhook',
		'https://[::1]/webhook',
		'https://[::ffff:a00:1]/webhook',
		// An address that exists only within a machine, whatever it maps to.
		'https://[::ffff:8.8.8.8]/webhook',
		'https://[fc00::1]/webhook',
		'https://[fd12:3456::1]/webhook',
		...['fe80', 'fe90', 'fea0', 'febf'].map((first) => `https://[${first}::1]/webhook`),
		'http://192.168.178.2/webhook',
	])('takes a webhook URL as not public: %s', (url) =>
		expect(unreachable(url)).toBe('not a public address'),
	);

	it('refuses a webhook URL without https', () =>
		expect(unreachable('http://n8n.example.com/webhook')).toBe('not https'));

	it.each([
		...['', 'webhook', 'n8n.example.com/webhook', 'ftp://n8n.example.com/', 'https://'],
		'xhttps://n8n.example.com/',
	])('refuses what is no web address: "%s"', (url) =>
		expect(unreachable(url)).toBe('not an absolute web address'),
	);
});

describe('two addresses', () => {
	const url = 'https://n8n.example.com/webhook/Id-1/webhook';
	it.each([
		url,
		`  ${url} `,
		// A no-break space, which no address begins with.
		`\u00a0${url}`,
		'HTTPS://N8N.Example.com/webhook/Id-1/webhook',
		'https://n8n.example.com:443/webhook/Id-1/webhook',
	])('takes two addresses as one: %s', (other) => expect(isSameAddress(other, url)).toBe(true));

	it.each([
		'https://n8n.example.com/webhook/id-1/webhook',
		'https://n8n.example.com/webhook-test/Id-1/webhook',
		'https://n8n.example.com:8443/webhook/Id-1/webhook',
		'http://n8n.example.com/webhook/Id-1/webhook',
		'https://n8n.example.com/webhook/Id-1/webhook/',
		'',
	])('tells two addresses apart: %s', (other) => expect(isSameAddress(url, other)).toBe(false));
});
