/** Runs single steps of the examples with values as people type them. */
import { describe, expect, test } from 'vitest';
import { loadOfN8n } from '../../../dev/testbed/paths.mts';
import { readExamples } from '../../../dev/testbed/workflows.mts';
import { settingsOf } from './example.mts';
import { runSteps } from './steps.mts';

const examples = await readExamples();

describe('Parts list to proposal', () => {
	/** The items of the proposal. */
	const items = [
		{ id: 1, areaName: 'Den', brand: 'Sonance', model: 'Stream One', quantity: 2 },
		{ id: 2, areaName: 'Kitchen', brand: 'Corvane', model: 'CV-6C', quantity: 4 },
	];

	/** Reads a list; returns the rows to add, and the reasons for the others. */
	async function read(list: string | string[] | Buffer) {
		const content = Array.isArray(list) ? list.join('\n') : list;
		const data = Buffer.from(content as string).toString('base64');
		const file = { data, mimeType: 'text/csv', fileName: 'parts.csv' };
		const json = { 'Proposal Number': '1012' };
		const { error, output } = await runSteps(
			'Parts list to proposal',
			{
				'Parts List Form': [{ json, binary: { Parts_List: file } }],
				'Get Items': items.map((item) => ({ json: item })),
			},
			'Can Be Added',
		);
		expect(error).toBeUndefined();
		return {
			added: output('Can Be Added').map(({ quantity, part, area }) => [area, part, quantity]),
			refused: output('Can Be Added', 1).map(({ notAdded }) => notAdded),
		};
	}

	test.each([
		['Area,Model,Qty', 'Den,LX65,2', '2'],
		['Room;Part Number;Quantity', 'Den;LX65;1.5', '1.5'],
		['ZONE\tPart No.\tCount', 'Den\tLX65\t4 pcs', '4'],
		['Location,SKU,Pcs', 'Den,LX65,3 ea.', '3'],
		['Area,Model,Units,Amount', 'Den,LX65,2,438.00', '2'],
		['Area,Model,Qty,Quantity', 'Den,LX65,2,2', '2'],
		// The node rejects both.
		['Area,Model,Qty', 'Den,LX65,"2,000"', '2,000'],
		['Area,Model,Qty', 'Den,LX65,2 boxes', '2 boxes'],
	])('reads the quantity of the columns %s: %s', async (header, row, quantity) => {
		expect(await read([header, row])).toEqual({ added: [['Den', 'LX65', quantity]], refused: [] });
	});

	test.each([
		['Area,Model,Qty,Amount', 'Den,LX65,,329.00', 'LX65 in Den: no quantity'],
		['Area,Model,Amount', 'Den,LX65,438', 'LX65 in Den: no quantity'],
		['Area,Model,Qty,Qty 2', 'Den,LX65,2,50', 'LX65 in Den: two quantities, 2 and 50'],
		['Area,Model,Qty,Qty', 'Den,LX65,2,50', 'LX65 in Den: two quantities, 2 and 50'],
		['Area,Model,Qty,Count', 'Den,LX65,,5', 'LX65 in Den: two quantities, an empty cell and 5'],
		['Area,Room,Model,Qty', 'Den,Rack,LX65,2', 'LX65 in Den: two areas, Den and Rack'],
		['Area,Model,Qty', 'Den,LX65,0.00', 'LX65 in Den: the quantity is 0'],
		['Area,Brand,Model,Qty', 'Den,Lumenfold,,2', 'Lumenfold in Den: no model'],
		['Area,Model,Qty', ',LX65,2', 'LX65: no area'],
	])('leaves out a row of the columns %s: %s', async (header, row, reason) => {
		expect(await read([header, row])).toEqual({ added: [], refused: [`Row 2, ${reason}`] });
	});

	test('compares a part with those of its area as a whole, with or without its brand', async () => {
		const rows = ['Den,,One,2', 'Den,Sonance,stream one,2', 'Kitchen,,CV 6C,6', 'Patio,,CV-6C,4'];
		expect(await read(['Area,Brand,Model,Qty', ...rows])).toEqual({
			added: [
				['Den', 'One', '2'],
				['Patio', 'CV-6C', '4'],
			],
			refused: [
				'Row 3, Sonance stream one in Den: already in Den (quantity 2)',
				'Row 4, CV 6C in Kitchen: already in Kitchen (quantity 4). To change it to 6, edit the item in Portal.io',
			],
		});
	});

	test('names the rows that have the same part, by their place in the file', async () => {
		const list = 'Area,Brand,Model,Qty\nDen,,LX65,1\n,,,\n\nRack,,LX65,1\nden,Lumenfold,LX-65,2\n';
		expect(await read(list)).toEqual({
			added: [['Rack', 'LX65', '1']],
			refused: [
				'Row 2, LX65 in Den: the same part is also in row 6. Keep one of them',
				'Row 6, Lumenfold LX-65 in den: the same part is also in row 2. Keep one of them',
			],
		});
	});

	test.each(['', '\uFEFF'])('reads UTF-8 with "%s" at its start', async (mark) => {
		const list = [`${mark}Area,Model,Qty`, 'Küche 🍳,Läutwerk 3,1', '台所,LX65,2'];
		expect((await read(list)).added).toEqual([
			['Küche 🍳', 'Läutwerk 3', '1'],
			['台所', 'LX65', '2'],
		]);
	});

	test('reads a workbook of Excel', async () => {
		const { utils, write } = loadOfN8n('@e965/xlsx');
		const rows = [
			['Location', 'Make', 'Model', 'Qty', 'Amount'],
			['Rack', 'Arcwell', 'Rack 27', 1000, 5],
			[],
			['Rack', 'Arcwell', 'Rack 42', '', 5],
		];
		const book = { SheetNames: ['Parts'], Sheets: { Parts: utils.aoa_to_sheet(rows) } };
		expect(await read(write(book, { type: 'buffer', bookType: 'xlsx' }))).toEqual({
			added: [['Rack', 'Arcwell Rack 27', '1000']],
			refused: ['Row 4, Arcwell Rack 42 in Rack: no quantity'],
		});
	});

	test.each([
		['Area,Model,Qty\n', 'The list: it is empty'],
		['PK\u0003\u0004', 'The list: it could not be read'],
	])('adds nothing from the list %j', async (list, reason) => {
		expect(await read(list)).toEqual({ added: [], refused: [reason] });
	});
});

describe('Nightly cost refresh', () => {
	test.each([
		[35, 34.99, true],
		[60, 0, true],
		[30, 29, true],
		[60, 35, false],
		[30, 34.99, false],
		[30, 30, false],
		[null, null, false],
	])('reports a margin of %d that is then %d percent: %s', async (before, after, isReported) => {
		const margins = { marginBefore: before, margin: after };
		const refreshed = { proposalId: 1, number: 1042, ...margins, profitBefore: 1.3, profit: 1.1 };
		const { error, output } = await runSteps(
			'Nightly cost refresh',
			{
				'Every Night at 02:00': [{ json: {} }],
				'Check Settings': [{ json: {} }],
				'Create Report Table': [{ json: {} }],
				'Get Draft Proposals': [{ json: { proposalId: 1 } }],
				'Refresh Costs': [{ json: refreshed }],
			},
			'Keep Margins Below Minimum',
		);
		expect(error).toBeUndefined();
		const report = { marginBefore: before, marginAfter: after, profitChange: -0.2 };
		expect(output('Keep Margins Below Minimum')).toMatchObject(isReported ? [report] : []);
	});
});

describe('an existing location', () => {
	test.each([
		['12 elm st.', 'boulder', 7],
		[' 12  Elm St ', '', 7],
		['12 Elm St', 'Golden', null],
		['112 Elm St', 'Boulder', null],
		['12 Elm St 3', 'Boulder', null],
	])('has the address %j in %j: location %j', async (Street, City, id) => {
		const row = { row_number: 2, Status: 'create', Email: 'a@x.example', 'Proposal Name': 'A' };
		const { error, output } = await runSteps(
			'Spreadsheet to proposal',
			{
				'Every Five Minutes': [{ json: {} }],
				'Check Settings': [{ json: {} }],
				'Get Clients': [{ json: { ...row, Street, City } }],
				'Get Parts': [{ json: {} }],
				'Get Locations': [{ json: { locationId: 7, street: '12 Elm St', city: 'Boulder' } }],
			},
			'Find Location',
		);
		expect(error).toBeUndefined();
		expect(output('Find Location').map(({ locationId }) => locationId)).toEqual([id]);
	});
});

/** Settings that may stay empty: a status without a stage leaves the deal where it is. */
const OPTIONAL =
	/^(Settings Complete .*|Xero Organization|QuickBooks Company ID|Submitted|ViewedByClient|Delayed|EmailFailed|Expired|Accepted|Completed|Declined)$/;
const required = examples.flatMap((example) =>
	settingsOf(example)
		.filter(({ name }) => !OPTIONAL.test(name))
		.map(({ name }) => [example.name, name] as const),
);

test.each(required)('%s does nothing and names the missing setting %s', async (name, missing) => {
	const example = structuredClone(examples.find((one) => one.name === name)!);
	for (const setting of settingsOf(example)) {
		setting.value ||= 'something';
		if (setting.name === missing) setting.value = '';
	}
	const trigger = example.nodes.find(({ type }) => /trigger$/i.test(type))!.name;
	const { error, steps } = await runSteps(example, { [trigger]: [{ json: {} }] });
	expect(error?.message.toLowerCase()).toContain(`enter ${missing.toLowerCase()} in `);
	expect(steps).toEqual([trigger, 'Settings', 'Check Settings']);
});
