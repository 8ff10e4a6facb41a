import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { readExamples } from '../../../dev/testbed/workflows.mts';
import { useExample } from './example.mts';
import { runSteps } from './steps.mts';

const { about, control, enter, messages, retry, run, runToFailure, systems } = useExample(
	'Accepted proposal to recurring invoices',
);
const xero = () => systems().xero;
const { staleTheater, submittedToo } = seed.proposals;
const start = (proposalId: number) => run('Accepted, Reopened or Declined', { proposalId });
const accepted = 'The proposal is accepted, with 49.00 a month: 1 × Care plan.';

/** The first day of the next month, by the clock of this machine, which n8n has too. */
function nextMonth(): string {
	const now = new Date();
	return new Date(Date.UTC(now.getFullYear(), now.getMonth() + 1, 1)).toISOString().slice(0, 10);
}

test('writes a repeating invoice with a line for each service, for a new contact', async () => {
	control().accept(staleTheater);
	await start(staleTheater);
	const { number } = control().proposal(staleTheater);
	const [contact] = xero().contacts;
	expect(contact).toMatchObject({ Name: 'Maren Holt', EmailAddress: 'maren.holt@clients.example' });
	expect(xero().writes.map(({ method }) => method)).toEqual(['POST', 'PUT']);
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
	expect(messages()).toEqual([
		about(
			staleTheater,
			`Xero creates a draft invoice every month, starting ${nextMonth()}. ${accepted}`,
		),
	]);
});

test('writes and says nothing twice, and nothing of a proposal without services', async () => {
	await start(staleTheater);
	control().accept(submittedToo);
	await start(submittedToo);
	expect(xero().writes).toHaveLength(2);
	expect(messages()).toHaveLength(1);
});

test('says once what a person has to change when the services or the status change', async () => {
	Object.assign(xero().repeating[0]!, { SubTotal: 83.5 });
	await start(staleTheater);
	await start(staleTheater);
	control().setStatus(staleTheater, 'Declined');
	await start(staleTheater);
	const invoice =
		'its repeating invoice in Xero is for 83.50 a month. Change or delete it in Xero by hand.';
	expect(messages().slice(1)).toEqual([
		about(staleTheater, `${invoice} ${accepted}`),
		about(staleTheater, `${invoice} The proposal is declined, with 0.00 a month.`),
	]);
	expect(xero().writes).toHaveLength(2);
});

test('asks a person when several contacts match, and writes nothing', async () => {
	xero().reset();
	for (const Name of ['Holt, Maren', 'M. Holt']) {
		xero().addContact({ Name, EmailAddress: 'maren.holt@clients.example' });
	}
	control().setStatus(staleTheater, 'Accepted');
	await start(staleTheater);
	expect(messages().at(-1)).toBe(
		about(
			staleTheater,
			`no repeating invoice was created in Xero: several contacts match Maren Holt. Create it by hand. ${accepted}`,
		),
	);
	expect(xero().writes).toEqual([]);
});

test('continues with an account code that was corrected since', async () => {
	xero().reset();
	await enter('Xero Income Account Code', '1');
	const input = { proposalId: staleTheater };
	const trigger = 'Accepted, Reopened or Declined';
	const failed = await runToFailure(trigger, 'Create Repeating Invoice', input);
	await enter('Xero Income Account Code', '2200');
	expect((await retry(failed)).status).toBe('success');
	expect(xero().repeating).toMatchObject([{ SubTotal: 49 }]);
});

test('asks Xero for four decimals, and finds its own invoice equal up to a cent per line', async () => {
	const service = { name: 'Monitoring', quantity: 3, sellPrice: 33.333, totalSell: 100 };
	const { error, output } = await runSteps(
		'Accepted proposal to recurring invoices',
		{
			'Accepted, Reopened or Declined': [{ json: {} }],
			Settings: [{ json: {} }],
			'Check Settings': [{ json: {} }],
			'Get Organizations': [{ json: {} }],
			'Get Proposal': [{ json: { status: 'Accepted' } }],
			'Get Recurring Services': [{ json: service }],
			'Choose Organization': [{ json: {} }],
			'Find Repeating Invoice': [
				{ json: { RepeatingInvoices: [{ Status: 'DRAFT', SubTotal: 99.99 }] } },
			],
		},
		'Compare Services',
	);
	expect(error).toBeUndefined();
	expect(output('Compare Services')).toMatchObject([{ action: 'nothing' }]);
	const { nodes } = (await readExamples()).find(
		({ name }) => name === 'Accepted proposal to recurring invoices',
	)!;
	const { parameters } = nodes.find(({ name }) => name === 'Create Repeating Invoice')!;
	expect(parameters.queryParameters).toEqual({ parameters: [{ name: 'unitdp', value: '4' }] });
});
