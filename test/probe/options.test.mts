/** What the command line of the probe takes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProduction, readOptions, usage, UsageError } from '../../dev/probe/options.mts';

const refusal = (...args: string[]) => {
	try {
		readOptions(args);
	} catch (error) {
		expect(error).toBeInstanceOf(UsageError);
		return (error as Error).message;
	}
	throw new Error(`${args.join(' ')} was accepted`);
};

describe('the options', () => {
	it('asks the sandbox, and writes nothing, by default', () => {
		expect(readOptions([])).toEqual({
			baseUrl: 'https://sandbox.api.portal.io',
			readOnly: false,
			ai: false,
			describe: false,
			'wait-for-item': false,
			help: false,
		});
	});

	it.each([
		[['--frobnicate']],
		[['--json']],
		[['--ai=yes']],
		[['--read-only', '--ai']],
		[['--base-url', 'sandbox']],
		[['--base-url', 'http://sandbox.api.portal.io']],
		[['--base-url', 'https://name:word@sandbox.api.portal.io']],
		[['--base-url', 'https://sandbox.api.portal.io?x=1']],
	])('refuses options with a sentence: %j', (args) => {
		expect(refusal(...args)).toMatch(/\.$|report\.json$/);
	});

	it.each([
		[['--password', 'hunter2']],
		[['--app-key=hunter2']],
		[['hunter2']],
		[['--hunter2']],
		[['-x7hunter2']],
	])('repeats nothing of an option that may be a key: %j', (args) => {
		expect(refusal(...args)).not.toContain('hunter2');
	});

	it('describes the same options in --help and in the documentation', () => {
		const page = readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8');
		const named = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort();
		const options = named(usage, /(?<=^ {2})--[a-z-]+/gm);
		expect(named(page, /(?<=[ `])--[a-z][a-z-]+/g)).toEqual(
			options.filter((one) => one !== '--help'),
		);
		expect(named(page, /PORTAL_IO_\w+/g)).toEqual(named(usage, /PORTAL_IO_\w+/g));
	});
});

describe('production', () => {
	it.each([
		['https://api.portal.io', true],
		['https://API.portal.io./', true],
		['https://other.portal.io', true],
		['https://sandbox.api.portal.io', false],
		['http://127.0.0.1:4010', false],
		['https://api.portal.io.example', false],
	])('tells production by its address, %s: %j', (url, is) => expect(isProduction(url)).toBe(is));

	it('only reads from production', () => {
		expect(refusal('--base-url', 'https://api.portal.io')).toContain('--read-only');
		expect(readOptions(['--base-url', 'https://api.portal.io', '--read-only']).readOnly).toBe(true);
	});
});
