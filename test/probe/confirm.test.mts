/** From a report to the marks of the contract. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { markConfirmed, readVerdicts } from '../../probe/confirm.mts';
import { UsageError } from '../../probe/options.mts';
import { makeFolder } from './command.mts';

const contract = readFileSync(new URL('../../simulator/openapi.yaml', import.meta.url), 'utf8')
	// As it was before any report, whatever has been confirmed since.
	.replaceAll('x-mark: confirmed', 'x-mark: assumed');
const service = 'https://sandbox.api.portal.io';
const reportOf = (verdicts: Record<string, string>) => ({
	service,
	endpoints: Object.entries(verdicts).map(([operation, verdict]) => ({ operation, verdict })),
});

interface Entry {
	operationId: string;
	'x-mark': string;
}
const marksOf = (text: string) => {
	const { paths } = parse(text, { merge: true }) as { paths: Record<string, object> };
	const entries = Object.values(paths).flatMap((one) => Object.values(one) as Entry[]);
	return Object.fromEntries(
		entries.filter((one) => one.operationId).map((one) => [one.operationId, one['x-mark']]),
	);
};

it('marks what the report confirms, and changes nothing else', () => {
	const verdicts = {
		'item.updateQuantity': 'confirmed',
		'item.move': 'differs',
		'aiContent.delete.alternate': 'confirmed',
		'proposal.get': 'confirmed',
		'item.copy': 'not tried',
	};
	const marked = markConfirmed(contract, reportOf(verdicts));
	const names = ['proposal.get', 'item.updateQuantity', 'aiContent.delete.alternate'];
	expect(marked.confirmed).toEqual(names);
	const expected = Object.fromEntries(names.map((name) => [name, 'confirmed']));
	expect(marksOf(marked.contract)).toEqual({ ...marksOf(contract), ...expected });
	const lines = [contract, marked.contract].map((text) => text.split('\n'));
	const changed = lines[1]!.filter((line, at) => line !== lines[0]![at]);
	expect(changed).toEqual(Array(3).fill('      x-mark: confirmed'));
	expect(lines[1]).toHaveLength(lines[0]!.length);
});

it('can confirm every operation, and then changes nothing any more', () => {
	const all = reportOf(
		Object.fromEntries(Object.keys(marksOf(contract)).map((name) => [name, 'confirmed'])),
	);
	const marked = markConfirmed(contract, all);
	expect(new Set(Object.values(marksOf(marked.contract)))).toEqual(new Set(['confirmed']));
	expect(markConfirmed(marked.contract, all)).toEqual({
		contract: marked.contract,
		confirmed: [],
		doubtful: [],
	});
});

it('names what was confirmed before and is not so now, and leaves its mark', () => {
	const first = markConfirmed(contract, reportOf({ 'item.move': 'confirmed' }));
	const then = markConfirmed(
		first.contract,
		reportOf({ 'item.move': 'refused', 'item.copy': 'refused' }),
	);
	expect(then).toEqual({ contract: first.contract, confirmed: [], doubtful: ['item.move'] });
});

it.each([
	['no JSON', /cannot be read/],
	['{}', /not a report/],
	['null', /not a report/],
	[JSON.stringify({ service: 'http://127.0.0.1:4010', endpoints: [] }), /not about Portal\.io/],
	[JSON.stringify({ service: 'https://portal.io.example', endpoints: [] }), /not about Portal\.io/],
])('refuses %s', async (content, words) => {
	const file = join(await makeFolder({ onTestFinished }), 'report.json');
	await writeFile(file, content);
	expect(() => readVerdicts(file)).toThrow(UsageError);
	expect(() => readVerdicts(file)).toThrow(words);
	await writeFile(file, JSON.stringify(reportOf({ 'item.move': 'confirmed' })));
	expect(readVerdicts(file).service).toBe(service);
});
