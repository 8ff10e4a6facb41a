/** Runs the example *Won HubSpot deal to proposal*. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { useExample } from './example.mts';

const { control, environment, messages, run, systems } = useExample('Won HubSpot deal to proposal');
const hubSpot = () => systems().hubSpot;
const look = () => run('Every Five Minutes');
const proposals = () => control().proposals().length;
const newest = () => control().proposal(Number(control().proposals().at(-1)!.id));
let before: number;

it('creates one proposal with its contact and location, even if two runs find the deal', async () => {
	before = proposals();
	await Promise.all([look(), look()]);
	expect(proposals()).toBe(before + 1);
	expect(newest()).toMatchObject({
		name: 'Nakamura media room',
		status: 'Draft',
		dealer: { salesperson: { id: seed.users.dealer } },
		customer: {
			contactEmail: 'harper.nakamura@clients.example',
			firstName: 'Harper',
			location: { street: '9 Aspen Ridge', city: 'Golden', postalCode: '80401' },
		},
	});
});

it('creates only one proposal per deal, even if both are renamed', async () => {
	control().update('proposals', { id: newest().id }, { name: 'Renamed' });
	hubSpot().deals[0]!.properties.dealname = 'Renamed, too';
	const rows = await environment().n8n.dataTableRows('portal_hubspot_deals');
	await look();
	expect(proposals()).toBe(before + 1);
	expect(rows.filter(({ proposalId }) => proposalId !== null)).toMatchObject([
		{ dealId: String(hubSpot().deals[0]!.id), proposalId: newest().id, state: 'created' },
	]);
	expect(messages()).toEqual([]);
});

it('processes the other deals if one is incomplete or rejected', async () => {
	const [contact] = hubSpot().contacts;
	const deal = (dealname: string, contacts: number[] = []) =>
		hubSpot().addDeal({ dealname, dealstage: 'closedwon' }, contacts).id;
	deal('Nobody');
	const stranger = hubSpot().addContact({ email: 'x@clients.example', address: 'x'.repeat(300) });
	deal('Rejected', [stranger.id]);
	const incomplete = hubSpot().addContact({ email: 'y@clients.example' });
	deal('Incomplete', [incomplete.id]);
	deal('Nakamura terrace', [contact!.id]);
	const people = control().contacts().length;
	await look();
	await look();
	expect(proposals()).toBe(before + 2);
	// Expect one new contact, that of the rejected deal, although both runs processed the deal. The last deal reuses
	// its contact and location.
	expect(control().contacts()).toHaveLength(people + 1);
	const [first, second] = control().proposals().slice(-2);
	const placeOf = (one: { id?: unknown }) => control().proposal(Number(one.id)).customer.location;
	expect(placeOf(second!)).toEqual(placeOf(first!));
	expect(messages().toSorted()).toEqual([
		expect.stringMatching(
			/^The won deal "Incomplete" has no proposal yet\. It needs exactly one contact/,
		),
		expect.stringMatching(
			/^The won deal "Nobody" has no proposal yet\. It needs exactly one contact/,
		),
		expect.stringMatching(/^The won deal "Rejected" has no proposal yet\. Portal\.io rejected it/),
	]);
	stranger.properties.address = '1 Elm Street';
	incomplete.properties.address = '2 Elm Street';
	await look();
	expect(proposals()).toBe(before + 4);
});
