/** What the command line of the probe takes. */
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { isProduction, readOptions, usage, UsageError } from '../../probe/options.mts';

const refusal = (...args: string[]) => {
	try {
		readOptions(args, { PORTAL_IO_PASSWORD: 'open sesame' });
	} catch (error) {
		expect(error).toBeInstanceOf(UsageError);
		return (error as Error).message;
	}
	throw new Error(`${args.join(' ')} was accepted`);
};

describe('the options', () => {
	it('ask the sandbox, and write nothing, by default', () => {
		expect(readOptions([])).toEqual({
			baseUrl: 'https://sandbox.api.portal.io',
			readOnly: false,
			ai: false,
			webhook: undefined,
			webhookPort: 8484,
			json: undefined,
			markdown: undefined,
			confirm: undefined,
			help: false,
		});
	});

	it('take their values after a space or an equals sign', () => {
		const given = ['--base-url=http://127.0.0.1:4010/', '--json', 'r.json', '--markdown=r.md'];
		expect(readOptions([...given, '--ai'])).toMatchObject({
			baseUrl: 'http://127.0.0.1:4010',
			json: 'r.json',
			markdown: 'r.md',
			ai: true,
		});
	});

	it('include AI work in a test of webhooks, as nothing else brings an event about', () => {
		const options = readOptions([
			'--webhook',
			'https://tunnel.example/hook',
			'--webhook-port=9000',
		]);
		expect(options).toMatchObject({ ai: true, webhookPort: 9000 });
	});

	it.each([
		['--frobnicate'],
		['--json'],
		['--json', ''],
		['--ai=yes'],
		['--read-only', '--ai'],
		['--read-only', '--webhook', 'https://tunnel.example/'],
		['--webhook', 'not a URL'],
		['--webhook', 'https://tunnel.example/', '--webhook-port', 'many'],
		['--base-url', 'sandbox'],
		['--base-url', 'http://sandbox.api.portal.io'],
		['--base-url', 'https://name:word@sandbox.api.portal.io'],
		['--base-url', 'https://sandbox.api.portal.io?x=1'],
		['--json', 'same', '--markdown', 'same'],
		['--confirm', 'r.json', '--ai'],
	])('are refused with a sentence: %j %j %j %j', (...args) => {
		expect(refusal(...args.filter(Boolean).concat(args[1] === '' ? [''] : []))).toMatch(/\.$/);
	});
});

it('--help and the documentation name the same options and variables', () => {
	const page = readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8');
	const named = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort();
	const rows = page.match(/^\| `--.*/gm)!.join('\n');
	const options = named(usage, /^ {2}--[a-z-]+/gm).map((one) => one.trim());
	expect(named(rows, /(?<=\| `)--[a-z-]+/g)).toEqual(options.filter((one) => one !== '--help'));
	expect(named(page, /PORTAL_IO_\w+/g)).toEqual(named(usage, /PORTAL_IO_\w+/g));
});

describe('production', () => {
	it.each([
		['https://api.portal.io', true],
		['https://API.portal.io./', true],
		['https://other.portal.io', true],
		['https://portal.io', true],
		['https://sandbox.api.portal.io', false],
		['http://127.0.0.1:4010', false],
		['https://api.portal.io.example', false],
	])('%s: %j', (url, is) => {
		expect(isProduction(url)).toBe(is);
	});

	it('is only read', () => {
		expect(refusal('--base-url', 'https://api.portal.io')).toContain('--read-only');
		expect(refusal('--base-url', 'https://api.portal.io', '--ai')).toContain('--read-only');
		const options = readOptions(['--base-url', 'https://api.portal.io', '--read-only']);
		expect(options.readOnly).toBe(true);
	});
});

describe('keys in arguments', () => {
	const uuid = '4f1c9a7e-55aa-4b0e-9d7c-0a1b2c3d4e5f';
	const base64 = 'c2VjcmV0LWtleS1vZi10aGUtZGVhbGVy1w==';

	it.each([
		[['--password', 'hunter2'], 'hunter2'],
		[['--app-key=hunter2'], 'hunter2'],
		[['--secretKey', 'hunter2'], 'hunter2'],
		[[uuid], uuid],
		[['--json', base64], base64],
		[['avery@cedarandcoil.example'], 'avery'],
		[['--markdown', 'open sesame'], 'sesame'],
		[['open sesame'], 'sesame'],
	])('are refused, and not repeated: %j', (args, secret) => {
		const message = refusal(...args);
		expect(message).toContain('PORTAL_IO_PASSWORD');
		expect(message).not.toContain(secret);
	});

	it.each([['hunter2'], ['--hunter2'], ['-x7hunter2']])('are not repeated: %s', (argument) => {
		expect(refusal(argument)).not.toContain('hunter2');
	});
});
