/** The example *Pipeline report*: the email that a mail server gets. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { money, useExample } from './example.mts';

const { control, run, systems } = useExample('Pipeline report');
const OPEN = ['Draft', 'Submitted', 'ViewedByClient', 'Delayed', 'EmailFailed'];

async function report() {
	await run('Every Morning at 07:00');
	return systems().email.messages.at(-1)!;
}

const open = () =>
	control()
		.proposals()
		.filter((row) => row.account_id === seed.accounts.dealer && OPEN.includes(String(row.status)))
		.filter((row) => row.parent_id === null && !row.is_archived)
		.map(({ id }) => control().proposal(Number(id)));
test('lists each open proposal, and the sum of each status with its bar', async () => {
	const { subject, html } = await report();
	expect(subject).toMatch(/^Pipeline of [A-Z]\w+ \d+$/);
	const totals = new Map<string, number>();
	for (const { number, status, financialSummary } of open()) {
		const total = financialSummary.proposalTotal;
		totals.set(status, (totals.get(status) ?? 0) + total);
		const row = html.split('<tr>').find((one) => one.startsWith(`<td>${number}</td>`));
		expect(row).toContain(`>${money(total)}</td>`);
	}
	expect(html.match(/<tr><td>\d+<\/td>/g)).toHaveLength(open().length);
	for (const total of totals.values()) expect(html).toContain(`>${money(total)}</td>`);
	const widths = [...html.matchAll(/width: (\d+)%"/g)].map(([, width]) => Number(width));
	const largest = Math.max(...totals.values());
	expect(widths.toSorted()).toEqual(
		[...totals.values()].map((sum) => Math.round((100 * sum) / largest)).toSorted(),
	);
});

test('shows a name that looks like HTML as it is', async () => {
	const name = '<script>alert(1)</script> & Co.';
	control().update('proposals', { id: seed.proposals.submitted }, { name });
	const { html } = await report();
	expect(html).toContain('&lt;script>alert(1)&lt;/script> &amp; Co.');
	expect(html).not.toContain('<script');
});
