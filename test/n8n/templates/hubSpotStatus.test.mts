import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { linkTo, useExample } from './example.mts';

const { control, enter, messages, retry, run, runToFailure, systems } = useExample(
	'Proposal status to HubSpot',
);
const hubSpot = () => systems().hubSpot;
const { submitted, submittedToo } = seed.proposals;
const start = (proposalId: number) => run('Proposal Status Changed', { proposalId });
const numberOf = (proposalId: number) => control().proposal(proposalId).number;
const dealsOf = (proposalId: number) =>
	hubSpot().deals.filter(({ properties }) =>
		properties.dealname!.startsWith(`${numberOf(proposalId)} `),
	);

test('creates a deal with its contact, and moves it with the status', async () => {
	await start(submitted);
	const contact = hubSpot().contacts.at(-1)!;
	expect(contact.properties).toMatchObject({
		email: 'maren.holt@clients.example',
		firstname: 'Maren',
		lastname: 'Holt',
	});
	const { proposalTotal } = control().proposal(submitted).financialSummary;
	const properties = { dealstage: 'contractsent', amount: String(proposalTotal) };
	expect(dealsOf(submitted)).toMatchObject([{ properties, contacts: [contact.id] }]);
	control().accept(submitted);
	await start(submitted);
	await start(submitted);
	expect(dealsOf(submitted)).toMatchObject([{ properties: { dealstage: 'closedwon' } }]);
	expect(hubSpot().writes.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'PUT']);
	// A status without a stage leaves the deal where it is.
	control().setStatus(submitted, 'Draft');
	await start(submitted);
	expect(dealsOf(submitted)).toMatchObject([{ properties: { dealstage: 'closedwon' } }]);
	expect(messages()).toEqual([]);
});

test('moves the won deal that the proposal comes from', async () => {
	const [won] = hubSpot().deals;
	control().update('proposals', { id: submittedToo }, { name: `Nakamura (HubSpot ${won!.id})` });
	control().setStatus(submittedToo, 'Declined');
	await start(submittedToo);
	expect(won!.properties.dealstage).toBe('closedlost');
	expect(dealsOf(submittedToo)).toEqual([]);
});

test('asks a person about several deals, and about one that is gone', async () => {
	control().setStatus(submitted, 'Submitted');
	const before = hubSpot().writes.length;
	const dealname = `${numberOf(submitted)} Holt, second try`;
	const other = hubSpot().addDeal({ dealname, dealstage: 'contractsent' });
	await start(submitted);
	const { id } = dealsOf(submitted)[0]!;
	for (const { properties } of [...dealsOf(submitted), other]) properties.dealname = 'Renamed';
	await start(submitted);
	const link = `The proposal is now Submitted: ${linkTo(submitted)}`;
	expect(messages()).toEqual([
		`The names of several HubSpot deals begin with ${numberOf(submitted)}. Rename all but one. ${link}`,
		`HubSpot found no deal whose name begins with ${numberOf(submitted)}, although deal ${id} was created ` +
			`for it. If there is one now, move it by hand; if it was renamed, put the number back in front. ${link}`,
	]);
	expect(hubSpot().writes).toHaveLength(before);
});

test('continues with a stage that was corrected since, and then has a single deal', async () => {
	const { viewed } = seed.proposals;
	await enter('ViewedByClient', 'no stage');
	const input = { proposalId: viewed };
	const failed = await runToFailure('Proposal Status Changed', 'Create Deal', input);
	expect(dealsOf(viewed)).toEqual([]);
	await enter('ViewedByClient', 'contractsent');
	expect((await retry(failed)).status).toBe('success');
	await start(viewed);
	expect(dealsOf(viewed)).toMatchObject([{ properties: { dealstage: 'contractsent' } }]);
});

test('creates the deal of a proposal whose first try failed and was not retried', async () => {
	const { delayed } = seed.proposals;
	await enter('Delayed', 'no stage');
	await runToFailure('Proposal Status Changed', 'Create Deal', { proposalId: delayed });
	await enter('Delayed', 'contractsent');
	await start(delayed);
	expect(dealsOf(delayed)).toHaveLength(1);
});
