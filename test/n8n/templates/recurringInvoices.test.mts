/** Runs the example *Accepted proposal to recurring invoices*. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { linkTo, useExample } from './example.mts';

const { control, messages, run, systems } = useExample('Accepted proposal to recurring invoices');
const xero = () => systems().xero;
const { staleTheater, submittedToo } = seed.proposals;
const start = (proposalId: number, clientName: string | null = 'Maren Holt') => {
	const { number, name } = control().proposal(proposalId);
	const clientEmail = 'maren.holt@clients.example';
	return run('Proposal Is Accepted', { proposalId, number, name, clientName, clientEmail });
};
const about = (proposalId: number, sentence: string) => {
	const { number, name } = control().proposal(proposalId);
	return `Proposal ${number} (${name}) is accepted. ${sentence} ${linkTo(proposalId)}`;
};

/** Returns the first day of next month by this machine's clock, which n8n also uses. */
function nextMonth(): string {
	const now = new Date();
	return new Date(Date.UTC(now.getFullYear(), now.getMonth() + 1, 1)).toISOString().slice(0, 10);
}

it('writes a repeating invoice with a line per service for a new contact', async () => {
	control().accept(staleTheater);
	await Promise.all([start(staleTheater), start(staleTheater)]);
	const { number } = control().proposal(staleTheater);
	const [contact] = xero().contacts;
	expect(contact).toMatchObject({ Name: 'Maren Holt', EmailAddress: 'maren.holt@clients.example' });
	expect(xero().contacts).toHaveLength(1);
	expect(xero().repeating).toMatchObject([
		{
			Type: 'ACCREC',
			Reference: `P-${number}`,
			Contact: { ContactID: contact!.ContactID },
			Schedule: { Period: 1, Unit: 'MONTHLY', StartDate: nextMonth() },
			Status: 'DRAFT',
			LineItems: [{ Description: 'Care plan', Quantity: 1, UnitAmount: 49, AccountCode: '2200' }],
			SubTotal: 49,
		},
	]);
	const created = `Xero creates a draft invoice every month, starting ${nextMonth()}, for 1 × Care plan at 49.`;
	expect(messages()[0]).toBe(about(staleTheater, created));
});

it('asks a person if the proposal is accepted again or has no client', async () => {
	const { number } = control().proposal(staleTheater);
	const problem = `No repeating invoice was created in Xero: it has one with the reference P-${number}, or the client or a price is missing. Check it by hand. Its services: 1 × Care plan at 49.`;
	await start(staleTheater);
	expect(messages().at(-1)).toBe(about(staleTheater, problem));
	xero().reset();
	await start(staleTheater, null);
	expect(messages().at(-1)).toBe(about(staleTheater, problem));
	expect(xero().writes).toEqual([]);
});

it('ignores a proposal without services', async () => {
	const { length } = messages();
	control().accept(submittedToo);
	await start(submittedToo);
	expect([xero().writes, messages().length]).toEqual([[], length]);
});
