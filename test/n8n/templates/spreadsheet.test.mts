/** The example *Spreadsheet to proposal*: what somebody has typed into two sheets. */
import { expect, test } from 'vitest';
import { useExample } from './example.mts';

const { areasOf, control, environment, retryWithCorrected, run, systems, workflow } =
	useExample('Spreadsheet to proposal');
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

/** Types a row at the end of a sheet. */
const type = (title: 'Clients' | 'Parts', row: Record<string, string | number>) => {
	const [names] = sheets().sheets[title]!;
	sheets().sheets[title]!.push(names!.map((name) => row[String(name)] ?? ''));
};
const typeClient = (email: string, proposal: string, row: Record<string, string | number> = {}) =>
	type('Clients', {
		'First Name': 'Robin',
		Email: email,
		'Proposal Name': proposal,
		Status: 'create',
		...row,
	});

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
	});
	expect(areasOf(created.id)).toEqual([
		['Media room', '1 LX77, 1 SG-T80'],
		['Terrace', '6 Garden 4'],
	]);
	expect(results()).toEqual([
		[
			'incomplete',
			expect.stringMatching(
				/^Proposal \d+\. 3 of 4 parts were added\. Not added: row 5, Unheard 5 in Terrace \(.*no part has the model 'Unheard 5'.*\)$/,
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

test('adds to each of two proposals of a client its own parts, and reports all others', async () => {
	const people = control().contacts().length;
	const { customer } = proposals().at(-1)!;
	const Email = 'Harper.Nakamura@clients.example';
	const address = { Street: '9 ASPEN RIDGE.', City: 'Golden', State: 'CO', 'Postal Code': 80401 };
	for (const name of ['Terrace', 'Cabin']) typeClient(Email, name, address);
	const part = { Email, Quantity: 2 };
	type('Parts', { ...part, 'Proposal Name': 'cabin ', Area: 'Den', Model: 'LX65' });
	type('Parts', { ...part, 'Proposal Name': 'Terrace', Area: 'Patio', Model: 'Garden 4' });
	type('Parts', { ...part, 'Proposal Name': 'Cabin', Area: 'Den', Model: 'CV-6C' });
	type('Parts', { ...part, 'Proposal Name': 'Cabin', Area: 'den', Model: 'CV-6C' });
	type('Parts', { ...part, Area: 'Den', Model: 'CV-8C' });
	await start();
	const [terrace, cabin] = proposals().slice(-2);
	expect(areasOf(terrace.id)).toEqual([['Patio', '2 Garden 4']]);
	expect(areasOf(cabin.id)).toEqual([['Den', '2 LX65']]);
	for (const { customer: one } of [terrace, cabin]) {
		expect(one).toMatchObject({ id: customer.id, location: customer.location });
	}
	expect(control().contacts()).toHaveLength(people);
	const orphan = 'row 10, CV-8C in Den (no row of Clients has this Email and Proposal Name)';
	expect(results().slice(1)).toEqual([
		['incomplete', `Proposal ${terrace.number}. 1 of 2 parts were added. Not added: ${orphan}`],
		[
			'incomplete',
			`Proposal ${cabin.number}. 1 of 4 parts were added. Not added: ` +
				`row 8, CV-6C in Den (it is also in row 9); row 9, CV-6C in den (it is also in row 8); ${orphan}`,
		],
	]);
	sheets().sheets.Parts!.pop();
});

test('continues after rows that cannot be created, and says why', async () => {
	const before = proposals().length;
	typeClient('nobody at all', 'Nothing');
	for (const Email of ['twice@clients.example', 'Twice@clients.example '])
		typeClient(Email, 'Twice');
	typeClient('quiet@clients.example', '');
	typeClient('quiet@clients.example', 'Neither address nor parts');
	await start();
	expect(proposals()).toHaveLength(before + 1);
	expect(results().slice(3)).toEqual([
		['not created', expect.stringMatching(/email/i)],
		['not created', 'The same Email and Proposal Name are also in row 7'],
		['not created', 'The same Email and Proposal Name are also in row 6'],
		['not created', 'Email and Proposal Name are required'],
		['created', `Proposal ${proposals().at(-1)!.number}. 0 of 0 parts were added.`],
	]);
});

test('leaves a row to a person when the execution stopped at it', async () => {
	typeClient('stopped@clients.example', 'Stopped');
	control().failNext({ operationId: 'location.getMany', status: 403 });
	const { n8n } = environment();
	const { status } = await n8n.runManually(workflow(), 'Every Five Minutes');
	const before = control().proposals().length;
	await start();
	expect([status, results().at(-1)]).toEqual(['error', ['creating', '']]);
	expect(control().proposals()).toHaveLength(before);
});

test('writes a result to the row of its client after someone inserted a row above it', async () => {
	typeClient('moved@clients.example', 'Moved');
	const above = ['Kim', '', 'above@clients.example', '', '', '', '', '', 'Above', 'create'];
	sheets().editAfterNextWrite(() => sheets().sheets.Clients!.splice(1, 0, above));
	await start();
	const resultOf = (name: string) => {
		const row = sheets()
			.rows('Clients')
			.find((client) => client['Proposal Name'] === name)!;
		return [row.Status, row.Result];
	};
	const createdAs = (number: unknown) => [
		'created',
		`Proposal ${number}. 0 of 0 parts were added.`,
	];
	expect(resultOf('Above')).toEqual(['create', '']);
	expect(resultOf('Moved')).toEqual(createdAs(proposals().at(-1)!.number));
	await start();
	expect(resultOf('Above')).toEqual(createdAs(proposals().at(-1)!.number));
});

test('names the result that no row can hold, because someone copied the row', async () => {
	typeClient('copied@clients.example', 'Copied');
	sheets().editAfterNextWrite(() => {
		const { Clients } = sheets().sheets;
		Clients!.push([...Clients!.at(-1)!]);
	});
	const { status, error } = await environment().n8n.runManually(workflow(), 'Every Five Minutes');
	const { number } = proposals().at(-1)!;
	expect([status, error?.message]).toEqual([
		'error',
		`Not written into 'Clients': copied@clients.example, Copied (2 rows have this Email and Proposal Name): created. Proposal ${number}. 0 of 0 parts were added.`,
	]);
	expect(results().slice(-2)).toEqual([
		['creating', ''],
		['creating', ''],
	]);
});

test.each([
	['', 'Retried'],
	[
		'https://docs.google.com/spreadsheets/d/1AnotherSpreadsheetThatDoesNotExist/edit',
		'Retried again',
	],
])(
	'continues a retried execution with the right spreadsheet in place of %j',
	async (wrong, name) => {
		typeClient('retried@clients.example', name);
		await retryWithCorrected('Every Five Minutes', 'Spreadsheet URL', wrong);
		const { number } = proposals().at(-1)!;
		expect(results().at(-1)).toEqual(['created', `Proposal ${number}. 0 of 0 parts were added.`]);
	},
);
