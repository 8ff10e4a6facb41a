import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { useExample } from './example.mts';

const { control, messages, run, systems } = useExample('Won HubSpot deal to proposal');
const hubSpot = () => systems().hubSpot;
const look = () => run('Every Five Minutes');
const proposals = () => control().proposals().length;
let before: number;

test('creates a proposal with contact, location and areas', async () => {
	before = proposals();
	const [deal] = hubSpot().deals;
	await look();
	expect(proposals()).toBe(before + 1);
	const { id } = control().proposals().at(-1)!;
	expect(control().proposal(Number(id))).toMatchObject({
		name: `Nakamura media room (HubSpot ${deal!.id})`,
		status: 'Draft',
		dealer: { salesperson: { id: seed.users.dealer } },
		customer: {
			contactEmail: 'harper.nakamura@clients.example',
			firstName: 'Harper',
			location: { street: '9 Aspen Ridge', city: 'Golden', postalCode: '80401' },
		},
		areas: ['Living Room', 'Rack', 'Media Room', 'Terrace'].map((name) => ({ name })),
	});
});

test('creates no proposal twice, and none for a deal that comes from a proposal', async () => {
	const people = control().contacts().length;
	const description = 'Portal.io proposal 1042';
	hubSpot().addDeal({ dealname: '1042 Holt', dealstage: 'closedwon', description });
	await look();
	expect(proposals()).toBe(before + 1);
	expect(control().contacts()).toHaveLength(people);
	expect(messages()).toEqual([]);
});

test('reuses contact and location for another deal of the same person', async () => {
	const people = control().contacts().length;
	const { id } = hubSpot().contacts[0]!;
	hubSpot().addDeal({ dealname: 'Nakamura terrace', dealstage: 'closedwon' }, [id]);
	await look();
	expect(proposals()).toBe(before + 2);
	expect(control().contacts()).toHaveLength(people);
	const [first, second] = control().proposals().slice(-2);
	const placeOf = (one: { id?: unknown }) => control().proposal(Number(one.id)).customer.location;
	expect(placeOf(second!)).toEqual(placeOf(first!));
});

test('asks a person about deals without one contact with an address, once', async () => {
	const [contact] = hubSpot().contacts;
	const deal = (dealname: string, contacts: number[] = []) =>
		hubSpot().addDeal({ dealname, dealstage: 'closedwon' }, contacts).id;
	const ids = [deal('Nobody'), deal('Nowhere', [contact!.id])];
	delete contact!.properties.address;
	await look();
	await look();
	const texts = ['Nobody', 'Nowhere'].map(
		(name, index) =>
			`The won deal "${name}" has no proposal: it needs exactly one contact with an email and an ` +
			'address. Create the proposal by hand in https://app.portal.io and end its name with ' +
			`(HubSpot ${ids[index]}).`,
	);
	expect(messages().join('\n')).toBe(texts.join('\n'));
	expect(proposals()).toBe(before + 2);
});
