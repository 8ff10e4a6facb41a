/** Runs the example *Proposal status to HubSpot*, which connects a proposal and its deal by their IDs. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { linkTo, useExample } from './example.mts';

const { control, environment, messages, run, systems } = useExample('Proposal status to HubSpot');
const hubSpot = () => systems().hubSpot;
const { delayed, submitted, viewed } = seed.proposals;
const start = (proposalId: number) => run('Proposal Status Changed', { proposalId });
const findDeals = (proposalId: number) => {
	const description = `Portal.io proposal ${control().proposal(proposalId).number}`;
	return hubSpot().deals.filter(({ properties }) => properties.description === description);
};

it('creates only one deal for two events, and updates its stage', async () => {
	await Promise.all([start(submitted), start(submitted)]);
	const contact = hubSpot().contacts.at(-1)!;
	expect(contact.properties).toMatchObject({ email: 'maren.holt@clients.example' });
	const { name, number, financialSummary } = control().proposal(submitted);
	const amount = String(financialSummary.proposalTotal);
	const properties = { dealname: `${number} ${name}`, dealstage: 'contractsent', amount };
	expect(findDeals(submitted)).toMatchObject([{ properties, contacts: [contact.id] }]);

	// Rename the deal and the proposal.
	const [deal] = findDeals(submitted);
	deal!.properties.dealname = 'Holt, the big one';
	control().update('proposals', { id: submitted }, { name: 'Holt televisions' });
	control().accept(submitted);
	await start(submitted);
	expect(findDeals(submitted)).toMatchObject([
		{ id: deal!.id, properties: { dealname: 'Holt, the big one', dealstage: 'closedwon' } },
	]);

	// A status without a stage doesn't move the deal.
	control().setStatus(submitted, 'Draft');
	await start(submitted);
	expect(findDeals(submitted)).toMatchObject([{ properties: { dealstage: 'closedwon' } }]);
	// Ignore the message about the second event, which can arrive while the first one creates the deal.
	const texts = messages().filter((text) => !text.includes('which was just being created'));
	expect(texts).toEqual([]);
});

it('asks a person about a deleted deal instead of creating another one', async () => {
	const [deal] = findDeals(submitted);
	hubSpot().deals.splice(hubSpot().deals.indexOf(deal!), 1);
	control().setStatus(submitted, 'Submitted');
	await start(submitted);
	const { number, name } = control().proposal(submitted);
	expect(messages().at(-1)).toBe(
		`Proposal ${number} (${name}) is now Submitted, but its HubSpot deal ${deal!.id} was not moved. Do it by hand: ${linkTo(submitted)}`,
	);
	expect(findDeals(submitted)).toEqual([]);
});

it('creates the deal at the next status if the first attempt failed', async () => {
	hubSpot().rejectNext('/deals/v1/deal');
	await start(viewed);
	expect(findDeals(viewed)).toEqual([]);
	expect(messages().at(-1)).toContain('was not created. Do it by hand: ');
	await start(viewed);
	expect(findDeals(viewed)).toMatchObject([{ properties: { dealstage: 'contractsent' } }]);
	const rows = await environment().n8n.dataTableRows('portal_hubspot_deals');
	expect(rows.filter(({ proposalId, dealId }) => proposalId === viewed && dealId)).toHaveLength(1);
});

it('creates a deal for a proposal whose client has no email', async () => {
	control().setStatus(delayed, 'Submitted');
	control().update('proposals', { id: delayed }, { contactId: null, locationId: null });
	await start(delayed);
	expect(findDeals(delayed)).toMatchObject([{ contacts: [] }]);
});
