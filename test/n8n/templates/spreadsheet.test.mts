/** The example *Spreadsheet to proposal*: what somebody has typed into two sheets. */
import { expect, test } from 'vitest';
import { useExample } from './example.mts';

const { control, environment, run, systems, workflow } = useExample('Spreadsheet to proposal');
const sheets = () => systems().googleSheets;
const start = () => run('Every Five Minutes');
const results = () =>
	sheets()
		.rows('Clients')
		.map(({ Status, Result }) => [Status, Result]);
const proposals = () =>
	control()
		.proposals()
		.map(({ id }) => control().proposal(Number(id)));

/** Types a client into the next row. */
const type = (email: string, proposal: string, row: Record<string, string | number> = {}) => {
	const client = { 'First Name': 'Robin', Email: email, 'Proposal Name': proposal, ...row };
	const [names] = sheets().sheets.Clients!;
	const cells = { Status: 'create', ...client } as Record<string, string | number>;
	sheets().sheets.Clients!.push(names!.map((name) => cells[String(name)] ?? ''));
};

test('creates a client, an address and a proposal with the parts, and writes what is missing', async () => {
	const people = control().contacts().length;
	await start();
	expect(control().contacts()).toHaveLength(people + 1);
	const created = proposals().at(-1)!;
	expect(created).toMatchObject({
		name: 'Nakamura media room',
		status: 'Draft',
		customer: {
			firstName: 'Harper',
			lastName: 'Nakamura',
			contactEmail: 'harper.nakamura@clients.example',
			contactPhone: '303-555-0188',
			location: { street: '9 Aspen Ridge', city: 'Golden', postalCode: '80401' },
		},
		areas: [
			{
				name: 'Media room',
				options: [
					{
						items: [
							{ model: 'LX77', quantity: 1 },
							{ model: 'SG-T80', quantity: 1 },
						],
					},
				],
			},
			{ name: 'Terrace', options: [{ items: [{ model: 'Garden 4', quantity: 6 }] }] },
		],
	});
	expect(results()).toEqual([
		[
			'created',
			expect.stringMatching(
				/^Proposal \d+\. 3 of 4 parts added\. Not added: Unheard 5 in Terrace \(.*no part has the model 'Unheard 5'.*\)$/,
			),
		],
	]);
	expect(results()[0]![1]).toContain(`Proposal ${created.number}.`);
});

test('creates nothing twice', async () => {
	const before = [control().proposals().length, results()];
	await start();
	expect([control().proposals().length, results()]).toEqual(before);
});

test('goes on after a client that cannot be created, and uses a client and an address again', async () => {
	const people = control().contacts().length;
	const { customer } = proposals().at(-1)!;
	type('nobody at all', 'Nothing');
	const address = { Street: '9 ASPEN RIDGE', City: 'Golden', State: 'CO', 'Postal Code': 80401 };
	type('quiet@clients.example', 'Neither address nor parts');
	type('Harper.Nakamura@clients.example', 'Nakamura terrace', address);
	await start();
	const [quiet, again] = proposals().slice(-2);
	expect(again.customer).toMatchObject({ id: customer.id, location: customer.location });
	expect(control().contacts()).toHaveLength(people + 1);
	expect(results().slice(1)).toEqual([
		['not created', expect.stringMatching(/email/i)],
		['created', `Proposal ${quiet.number}. 0 of 0 parts added.`],
		['created', expect.stringContaining(`Proposal ${again.number}. 3 of 4 parts added.`)],
	]);
});

test('leaves a row to a person when the execution stopped at it', async () => {
	type('stopped@clients.example', 'Stopped');
	control().failNext({ operationId: 'location.getMany', status: 403 });
	const { n8n } = environment();
	const { status } = await n8n.runManually(workflow(), 'Every Five Minutes');
	const before = control().proposals().length;
	await start();
	expect([status, results().at(-1)]).toEqual(['error', ['creating', '']]);
	expect(control().proposals()).toHaveLength(before);
});
