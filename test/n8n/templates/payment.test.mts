/**
 * A paid payment becomes an invoice and its payment in Xero, in the real n8n. Amounts are those of the
 * payment requests, in whole cents.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { itemsOf } from '../../../testbed/n8n/database.mts';
import { until } from '../../../testbed/until.mts';
import { seed } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';
import { allDone, checkNow, jobRows } from './jobs.mts';
import { PAYMENT, PAYMENT_JOB, paymentsOf } from './payment.mts';

const { accepted, completed, viewed } = seed.proposals;
const stage = ownStage({ examples: [PAYMENT] });
const { workflow, xero, books, payments, keyOf, pay, request, setUp } = paymentsOf(stage);
const control = () => stage().simulator.control;

const paymentsBooked = async (count: number) => {
	await until(`payment ${count}`, () => xero().payments.length >= count || undefined);
	await allDone(stage(), workflow());
	expect(payments()).toHaveLength(count);
};

/** How often the hourly check tells bookkeeping something; each payment has an execution of its own. */
async function told(): Promise<number> {
	const { id: after } = await checkNow(stage(), workflow());
	const checked = stage().n8n.executions({ workflowId: workflow().id, after });
	for (const { error } of checked) expect(error).toBeUndefined();
	return checked.flatMap((one) => itemsOf(one, 'Tell Bookkeeping')).length;
}

beforeAll(setUp);

describe('"Payment to Xero"', () => {
	const paid = { proposalId: accepted, id: 81_002, cents: 300_000 };
	const company = 'Quarry Street Hospitality';
	let held: number;

	test('books what is paid, for a new contact, and not what is due before the day', async () => {
		await stage().n8n.activate(workflow());
		xero().tokens.expire();
		pay(accepted, paid.id);
		await paymentsBooked(1);
		await stage().n8n.deactivate(workflow());
		const number = keyOf(accepted, paid.id);
		expect(books()).toEqual([[number, 'Maren Holt', 'PAID', paid.cents, paid.cents]]);
		expect(xero().invoices[0]).toMatchObject({
			LineAmountTypes: 'NoTax',
			LineItems: [
				{
					Description: `Proposal ${control().proposal(accepted).number} (Holt family room): Equipment delivered`,
					AccountCode: '2200',
				},
			],
		});
		expect(xero().payments).toMatchObject([
			{ Account: { Code: '090' }, Reference: `Portal.io payment ${paid.id}` },
		]);
		expect(xero().contacts).toMatchObject([
			{
				Name: 'Maren Holt',
				FirstName: 'Maren',
				LastName: 'Holt',
				EmailAddress: 'maren.holt@clients.example',
				AccountNumber: `portal-${seed.contacts.withPrimary}`,
			},
		]);
		// The deposit was paid before, and is in the books.
		await checkNow(stage(), workflow());
		expect(payments()).toHaveLength(1);
	});

	test('books two payments once that are polled and checked at the same time', async () => {
		const known = xero().addContact({ Name: 'Wren Castellan' });
		const [one, other] = [request(accepted, 123_456), request(viewed, 78_910)];
		await stage().n8n.activate(workflow());
		pay(accepted, one);
		pay(viewed, other);
		await Promise.all([checkNow(stage(), workflow()), checkNow(stage(), workflow())]);
		await paymentsBooked(3);
		await stage().n8n.deactivate(workflow());
		expect(books().slice(1).toSorted()).toEqual(
			[
				[keyOf(accepted, one), 'Maren Holt', 'PAID', 123_456, 123_456],
				[keyOf(viewed, other), 'Wren Castellan', 'PAID', 78_910, 78_910],
			].toSorted(),
		);
		expect(xero().contacts.map(({ ContactID }) => ContactID)).toContain(known.ContactID);
		expect(xero().contacts).toHaveLength(2);
	});

	test('holds a payment of which several contacts match, and tells so once', async () => {
		const ids = ['Quarry Street Bar', 'Quarry Street Hotel'].map(
			(Name, index) =>
				xero().addContact({ Name, EmailAddress: `desk${index}@quarrystreet.example` }).ContactID,
		);
		held = request(completed, 55_000);
		pay(completed, held);
		expect(await told()).toBe(1);
		expect(await told()).toBe(0);
		expect(payments()).toHaveLength(3);
		expect(xero().contacts).toHaveLength(4);
		const [row] = (await jobRows(stage(), PAYMENT_JOB)).filter(({ state }) => state === 'held');
		expect(row).toMatchObject({
			proposalId: held,
			proposalNumber: control().proposal(completed).number,
		});
		for (const id of ids) expect(row!.reason).toContain(id);
		expect(row!.reason).toContain(`portal-${seed.contacts.company} as Account Number`);
	});

	test('books it when somebody has said which contact it is', async () => {
		const hotel = xero().contacts.find(({ Name }) => Name === 'Quarry Street Hotel')!;
		hotel.AccountNumber = `portal-${seed.contacts.company}`;
		expect(await told()).toBe(0);
		expect(books().at(-1)).toEqual([
			keyOf(completed, held),
			'Quarry Street Hotel',
			'PAID',
			55_000,
			55_000,
		]);
		expect(xero().contacts.map(({ Name }) => Name)).not.toContain(company);
	});

	test('holds a payment whose invoice somebody has changed', async () => {
		const changed = request(completed, 20_000);
		const draft = xero().addInvoice({
			InvoiceNumber: keyOf(completed, changed),
			Contact: { ContactID: xero().contacts[0]!.ContactID },
		});
		pay(completed, changed);
		expect(await told()).toBe(1);
		const [row] = (await jobRows(stage(), PAYMENT_JOB)).filter(({ state }) => state === 'held');
		expect(row!.reason).toContain(`Invoice ${draft.InvoiceNumber} in Xero is DRAFT with 0 due`);
		expect(payments()).toHaveLength(4);
		// Somebody has corrected and approved it.
		Object.assign(draft, { Status: 'AUTHORISED', total: 20_000 });
		expect(await told()).toBe(0);
		expect(payments().at(-1)).toEqual([draft.InvoiceNumber, 20_000]);
	});

	test('leaves the books alone when the proposal is reopened or declined, or the money returned', async () => {
		const before = structuredClone(xero().records());
		for (const status of ['Draft', 'Accepted', 'Declined']) {
			control().setStatus(accepted, status);
			expect(await told()).toBe(0);
		}
		control().updatePayment(paid.id, { status: 'Refunded' });
		expect(await told()).toBe(0);
		pay(accepted, paid.id);
		expect(await told()).toBe(0);
		expect(xero().records()).toEqual(before);
		const states = (await jobRows(stage(), PAYMENT_JOB)).map(({ state }) => state);
		expect(new Set(states)).toEqual(new Set(['done']));
	});
});
