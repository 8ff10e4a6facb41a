/** What the command line of the probe takes, and what `--confirm` marks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { markConfirmed, readVerdicts } from '../../dev/probe/confirm.mts';
import { isProduction, readOptions, usage, UsageError } from '../../dev/probe/options.mts';
import { startProgress } from '../../dev/probe/progress.mts';

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
	it('ask the sandbox, and write nothing, by default', () => {
		expect(readOptions([])).toEqual({
			baseUrl: 'https://sandbox.api.portal.io',
			readOnly: false,
			ai: false,
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
		[['--json', 'same', '--markdown', 'same']],
		[['--confirm', 'r.json', '--ai']],
	])('are refused with a sentence: %j', (args) => {
		expect(refusal(...args)).toMatch(/\.$|report\.json$/);
	});

	it.each([
		[['--password', 'hunter2']],
		[['--app-key=hunter2']],
		[['hunter2']],
		[['--hunter2']],
		[['-x7hunter2']],
	])('never repeat what may be a key: %j', (args) => {
		expect(refusal(...args)).not.toContain('hunter2');
	});

	it('are the same in --help and in the documentation', () => {
		const page = readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8');
		const named = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort();
		const options = named(usage, /(?<=^ {2})--[a-z-]+/gm);
		expect(named(page, /(?<=^\| `)--[a-z-]+/gm)).toEqual(options.filter((one) => one !== '--help'));
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
	])('%s: %j', (url, is) => expect(isProduction(url)).toBe(is));

	it('is only read', () => {
		expect(refusal('--base-url', 'https://api.portal.io')).toContain('--read-only');
		expect(readOptions(['--base-url', 'https://api.portal.io', '--read-only']).readOnly).toBe(true);
	});
});

describe('--confirm', () => {
	const contract = readFileSync(
		new URL('../../dev/simulator/openapi.yaml', import.meta.url),
		'utf8',
	)
		// As it was before any report, whatever has been confirmed since.
		.replaceAll('x-mark: confirmed', 'x-mark: assumed');
	const report = (verdicts: Record<string, string>) => ({
		endpoints: Object.entries(verdicts).map(([operation, verdict]) => ({ operation, verdict })),
	});

	it('marks what a report confirms, and changes nothing else', () => {
		const marked = markConfirmed(
			contract,
			report({ 'item.add': 'confirmed', 'item.move': 'differs' }),
		);
		expect(marked.confirmed).toEqual(['item.add']);
		const { paths } = parse(marked.contract, { merge: true, maxAliasCount: -1 });
		expect(paths['/public/proposals/{ProposalId}/items'].post['x-mark']).toBe('confirmed');
		expect(marked.contract.replace('x-mark: confirmed', 'x-mark: assumed')).toBe(contract);
	});

	it('names what was confirmed before and is not now', () => {
		const { contract: before } = markConfirmed(contract, report({ 'item.add': 'confirmed' }));
		expect(markConfirmed(before, report({ 'item.add': 'no effect' }))).toEqual({
			contract: before,
			confirmed: [],
			doubtful: ['item.add'],
		});
	});

	it.each(['', '{}', 'null', '{"service":"https://api.portal.io.example","endpoints":[]}'])(
		'refuses what is no report of Portal.io: %s',
		(text) => expect(() => readVerdicts(text)).toThrow(UsageError),
	);
});

it('shows progress on one line of a terminal, cut to its width and without IDs', () => {
	let screen = '';
	const clear = () => true;
	const stream = { isTTY: true, columns: 60, cursorTo: clear, clearLine: clear };
	const write = (text: string) => void (screen = text);
	const progress = startProgress({ ...stream, write } as never);
	progress.step('item');
	progress.request('POST', '/public/proposals/48201/items/77001/recurringservice');
	expect(screen).toBe('  1 request. item: POST /public/proposals/…/items/…/recurrin'.slice(0, 59));
});
