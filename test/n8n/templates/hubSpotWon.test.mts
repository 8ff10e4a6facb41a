import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { useExample } from './example.mts';
import { runSteps } from './steps.mts';

const { control, environment, messages, run, runToFailure, systems, workflow } = useExample(
	'Won HubSpot deal to proposal',
);
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
			'address. Complete it in HubSpot within seven days of winning it. Or create the proposal by hand in https://app.portal.io and end its name with ' +
			`(HubSpot ${ids[index]}).`,
	);
	expect(messages().join('\n')).toBe(texts.join('\n'));
	expect(proposals()).toBe(before + 2);
});

test('creates the proposal of a deal as soon as its contact is complete', async () => {
	hubSpot().contacts[0]!.properties.address = '9 Aspen Ridge';
	await look();
	expect(proposals()).toBe(before + 3);
	expect(control().proposal(Number(control().proposals().at(-1)!.id))).toMatchObject({
		name: expect.stringMatching(/^Nowhere \(HubSpot \d+\)$/),
	});
});

test('creates the proposal of a deal whose first try failed and was not retried', async () => {
	const { id } = hubSpot().contacts[0]!;
	hubSpot().addDeal({ dealname: 'Nakamura den', dealstage: 'closedwon' }, [id]);
	const { nodes } = structuredClone(workflow());
	nodes.find(({ name }) => name === 'Create Proposal')!.parameters.salesPersonId = {
		__rl: true,
		mode: 'id',
		value: 99,
	};
	const { n8n } = environment();
	await n8n.updateWorkflow(workflow(), { nodes });
	await runToFailure('Every Five Minutes', 'Create Proposal');
	await n8n.updateWorkflow(workflow(), { nodes: workflow().nodes });
	await look();
	expect(proposals()).toBe(before + 4);
});

const value = (text: string) => ({ value: text });
test.each([
	[
		'version 1',
		{
			dealId: 7,
			properties: { dealname: value('Den'), rooms: value('Rack') },
			associations: { associatedVids: [4] },
		},
		{ vid: 4, properties: { email: value('a@x.example'), address: value(' 1 Elm St ') } },
	],
	[
		'a newer version',
		{
			id: '7',
			properties: { dealname: 'Den', rooms: 'Rack', hs_note: null },
			associations: { contacts: { results: [{ id: '4', type: 'deal_to_contact' }] } },
		},
		{ id: '4', properties: { email: 'a@x.example', address: ' 1 Elm St ', phone: null } },
	],
])('reads a deal and its contact as HubSpot returns them in %s', async (_, deal, contact) => {
	const { error, output } = await runSteps(
		'Won HubSpot deal to proposal',
		{
			'Get Deal': [{ json: deal }],
			'Get Contact': [{ json: contact }],
			'Find Proposal': [{ json: {} }],
		},
		'Describe Client',
	);
	expect(error).toBeUndefined();
	expect(output('Describe Client')).toMatchObject([
		{
			action: 'create',
			dealId: '7',
			dealName: 'Den',
			rooms: 'Rack',
			email: 'a@x.example',
			firstName: 'a',
			street: '1 Elm St',
			phone: '',
		},
	]);
});

test.each([
	['12 elm st.', 'boulder', 7],
	[' 12  Elm St ', '', 7],
	['12 Elm St', 'Golden', ''],
	['112 Elm St', 'Boulder', ''],
])('finds the location of the address %j in %j: %j', async (street, city, locationId) => {
	const { output } = await runSteps(
		'Won HubSpot deal to proposal',
		{
			'Describe Client': [{ json: { street, city } }],
			'Create Contact': [{ json: {} }],
			'Get Locations': [{ json: { locationId: 7, street: '12 Elm St', city: 'Boulder' } }],
			'Choose Action': [{ json: {} }],
		},
		'Match Location',
	);
	expect(output('Match Location')).toEqual([{ locationId }]);
});
