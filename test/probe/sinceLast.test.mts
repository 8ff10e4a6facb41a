/** What the nightly run says of two reports. */
import { expect, it } from 'vitest';
import type { EndpointReport, Report } from '../../probe/model.mts';
import { changesSince, knownSince } from '../../probe/sinceLast.mts';

const QTY = '/public/proposals/{ProposalId}/items/{ProposalItemId}/qty';

function reportOf(verdict: EndpointReport['verdict'], more: Partial<EndpointReport> = {}): Report {
	const users = { method: 'GET', path: '/public/users', operation: 'user.getMany' };
	const quantity = { method: 'POST', path: QTY, operation: 'item.updateQuantity' };
	return {
		service: 'https://sandbox.api.portal.io',
		startedAt: '2026-11-22T04:41:00.000Z',
		seconds: 70,
		requests: 296,
		endpoints: [
			{ ...users, verdict: 'confirmed' },
			{ ...quantity, verdict, ...more },
		],
		facts: {},
		left: [],
		changes: [`item/update.ts: send \`Qty\` (\`POST ${QTY}\`)`, 'something else'],
	};
}

const correction = { format: 'form', names: { Quantity: 'Qty' } } as const;

it('says nothing as long as nothing changes', () => {
	expect(changesSince(undefined, reportOf('confirmed'))).toBeUndefined();
	expect(changesSince(reportOf('refused'), reportOf('refused'))).toBeUndefined();
	const differs = reportOf('differs', { correction });
	expect(changesSince(differs, { ...differs, requests: 300, facts: { a: 1 } })).toBeUndefined();
});

it('names the verdict that changed, what to send, and what to change', () => {
	const page = changesSince(reportOf('confirmed'), reportOf('differs', { correction }));
	expect(page).toContain('differs from the report of 2026-11-22');
	expect(page).toContain(
		'| item.updateQuantity | confirmed | differs | send `Qty` instead of `Quantity` |',
	);
	expect(page).toContain('- item/update.ts: send `Qty`');
	expect(page).not.toMatch(/something else|user\.getMany/);
	expect(page).toContain('1 endpoints differ');
});

it('takes another correction for a change', () => {
	const other = { ...correction, names: { Quantity: 'Amount' } };
	const before = reportOf('differs', { correction });
	expect(changesSince(before, reportOf('differs', { correction: other }))).toContain('`Amount`');
	expect(changesSince(before, reportOf('confirmed'))).toContain('| differs | confirmed |');
});

it('compares the first report with what the package expects', () => {
	const page = changesSince(undefined, reportOf('refused'));
	expect(page).toContain('differs from what this package expects');
});

it('does not take for a change what could not be tried', () => {
	expect(changesSince(reportOf('confirmed'), reportOf('not tried'))).toBeUndefined();
	expect(changesSince(reportOf('not tried'), reportOf('confirmed'))).toBeUndefined();
	expect(changesSince(reportOf('not tried'), reportOf('refused'))).toBeDefined();
});

it('remembers what was known before a night without a trial', () => {
	const differs = reportOf('differs', { correction });
	const known = knownSince(knownSince(undefined, differs), reportOf('not tried'));
	expect(changesSince(known, differs)).toBeUndefined();
	expect(changesSince(known, reportOf('confirmed'))).toContain('| differs | confirmed |');
});

it('says once, after three reports, that something can no longer be tried', () => {
	const untried = reportOf('not tried');
	let known = knownSince(undefined, reportOf('confirmed'));
	const pages = [1, 2, 3, 4].map(() => {
		const page = changesSince(known, untried);
		known = knownSince(known, untried);
		return page;
	});
	expect(pages.map((page) => page?.includes('| confirmed | not tried |'))).toEqual([
		undefined,
		undefined,
		true,
		undefined,
	]);
	// What was never tried is no news.
	expect(knownSince(untried, untried)).toEqual(untried);
});
