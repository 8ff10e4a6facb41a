/** Runs the example *Pipeline report* and checks the email that a mail server receives. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { money, useExample } from './example.mts';

const { control, run, systems } = useExample('Pipeline report');
const OPEN = ['Draft', 'Submitted', 'ViewedByClient', 'Delayed', 'EmailFailed'];

async function report() {
	await run('Every Morning at 07:00');
	return systems().email.messages.at(-1)!;
}

/** Returns the cells of each row. */
const parseRows = (html: string): string[][] =>
	[...html.matchAll(/<tr +>(.*?)<\/tr>/g)].map(([, row]) =>
		[...row!.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell!),
	);
const open = () =>
	control()
		.proposals()
		.filter((row) => row.account_id === seed.accounts.dealer && OPEN.includes(String(row.status)))
		.filter((row) => row.parent_id === null && !row.is_archived)
		.map(({ id }) => control().proposal(Number(id)));

it('lists every open proposal, and the totals and shares by status', async () => {
	const { subject, html } = await report();
	expect(subject).toMatch(/^Pipeline of [A-Z]\w+ \d+$/);
	const totals = new Map<string, number>();
	for (const { number, status, financialSummary } of open()) {
		const total = financialSummary.proposalTotal;
		totals.set(status, (totals.get(status) ?? 0) + total);
		const row = parseRows(html).find(([first]) => first === String(number));
		expect(row).toContain(money(total));
	}
	const numbers = parseRows(html).filter(([first]) => /^\d+$/.test(first!));
	expect(numbers).toHaveLength(open().length);
	const sum = [...totals.values()].reduce((one, other) => one + other);
	for (const [status, total] of totals) {
		const row = parseRows(html).find(([first]) => first!.replaceAll(' ', '') === status)!;
		expect(row.slice(2)).toEqual([money(total), `${Math.round((100 * total) / sum)}%`]);
	}
});

it("escapes HTML in a proposal's name", async () => {
	const name = '<script>alert(1)</script> & Co.';
	control().update('proposals', { id: seed.proposals.submitted }, { name });
	const { html } = await report();
	expect(html).toContain('&lt;script>alert(1)&lt;/script> &amp; Co.');
	expect(html).not.toContain('<script');
});
