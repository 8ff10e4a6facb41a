/**
 * The template that makes proposals of won HubSpot deals, in the real n8n, over its own HubSpot node.
 * What it must have written is counted.
 */
import { describe, expect, test } from 'vitest';
import { seed } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';
import { STATUS, Templates, WON } from './hubSpot.mts';

const stage = ownStage({ examples: [STATUS, WON] });
const templates = new Templates(stage);
const control = () => stage().simulator.control;

describe('a won deal', () => {
	const robin = {
		...{ firstname: 'Robin', lastname: 'Achterberg', email: 'robin@achterberg.example' },
		...{ phone: '303-555-0177', address: '12 Juniper Way', city: 'Boulder', state: 'CO' },
		zip: '80302',
	};
	const won = (dealname: string, contacts: number[], more: Record<string, string> = {}) =>
		templates.hubSpot.addDeal({ dealname, dealstage: 'closedwon', ...more }, contacts);

	test('becomes one proposal with contact, location, salesperson and areas', async () => {
		const { hubSpot } = templates;
		const { id } = hubSpot.addContact(robin);
		const days = (count: number) => String(Date.now() - count * 86_400_000);
		// The oldest deal is on the second page; the others come from proposals.
		const deal = won('Achterberg home', [id], { rooms: 'Kitchen; Patio, living room' });
		const other = { dealname: 'Not mine', description: 'Portal.io proposal 1' };
		for (let count = 0; count < 100; count++) won('From a proposal', [], other);
		const open = hubSpot.addDeal({ dealname: 'Open', dealstage: 'contractsent' }, [id]);
		const old = won('Won long ago', [id], { closedate: days(40) });
		await templates.lookForDeals();
		await templates.lookForDeals();
		const [proposal, ...others] = templates.proposalsOf(deal);
		expect(others).toEqual([]);
		expect(proposal).toMatchObject({
			name: `Achterberg home (HubSpot ${deal.id})`,
			status: 'Draft',
			customer: {
				firstName: 'Robin',
				lastName: 'Achterberg',
				contactEmail: robin.email,
				contactPhone: robin.phone,
				location: { street: '12 Juniper Way', city: 'Boulder', postalCode: '80302' },
			},
			dealer: { salesperson: { id: seed.users.dealer } },
		});
		expect(templates.areasOf(proposal)).toEqual(['Living Room', 'Rack', 'Kitchen', 'Patio']);
		expect([open, old].flatMap((one) => templates.proposalsOf(one))).toEqual([]);
		expect(await templates.linkOf(proposal.id)).toEqual([String(deal.id)]);

		// The proposal moves its own deal, and not before the customer has decided.
		await templates.setStatus(proposal.id, 'Submitted');
		expect(deal.stages).toEqual(['closedwon']);
		await templates.setStatus(proposal.id, 'Declined');
		expect(deal.stages).toEqual(['closedwon', 'closedlost']);
		expect(templates.dealsOf(proposal.id)).toEqual([]);
	});

	test('becomes one proposal when it is found twice at once, for the known contact', async () => {
		const [{ id } = { id: 0 }] = templates.hubSpot.contacts.filter(
			({ properties }) => properties.email === robin.email,
		);
		const known = control().contacts().length;
		const deal = won('Achterberg cabin', [id]);
		await Promise.all([templates.lookForDeals(), templates.lookForDeals()]);
		const proposals = templates.proposalsOf(deal);
		expect(proposals).toHaveLength(1);
		expect(templates.areasOf(proposals[0])).toEqual(['Living Room', 'Rack']);
		expect(control().contacts()).toHaveLength(known);
		expect(control().locations(proposals[0].customer.id)).toHaveLength(1);
	});

	test('is held without one contact with an email, and goes on later', async () => {
		const { hubSpot } = templates;
		const nameless = hubSpot.addContact({ firstname: 'Kim' });
		const kim = hubSpot.addContact({ firstname: 'Kim', email: 'kim@kim.example' });
		const lonely = won('Nobody', []);
		const both = won('Two', [nameless.id, kim.id]);
		const silent = won('No email', [nameless.id]);
		await templates.lookForDeals();
		expect([lonely, both, silent].flatMap((deal) => templates.proposalsOf(deal))).toEqual([]);
		const reasons = async () =>
			(
				await Promise.all(
					[lonely, both, silent].map(async (deal) => await templates.jobs('hubspot-deal', deal.id)),
				)
			).map(([job]) => [job!.state, job!.reason]);
		const hint = 'Leave the one who is the customer.';
		expect(await reasons()).toEqual([
			['held', `The HubSpot deal has 0 contacts. ${hint}`],
			['held', `The HubSpot deal has 2 contacts. ${hint}`],
			['held', 'The contact of the HubSpot deal has no email. Enter it in HubSpot.'],
		]);
		lonely.contacts = [kim.id];
		hubSpot.mergeContacts(kim.id, nameless.id);
		await templates.lookForDeals();
		for (const deal of [lonely, both, silent]) {
			const [proposal, ...others] = templates.proposalsOf(deal);
			expect(others).toEqual([]);
			// Without an address there is no location.
			expect(proposal.customer).toMatchObject({ contactEmail: 'kim@kim.example' });
			expect(proposal.customer.location).toBeUndefined();
		}
	});
});
