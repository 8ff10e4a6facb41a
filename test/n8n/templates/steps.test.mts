/** Runs single steps of the examples with values as people would type them. */
import { describe, expect, it } from 'vitest';
import { readExamples } from '../../../dev/testbed/workflows.mts';
import { findSettings } from './example.mts';
import { runSteps } from './steps.mts';

const examples = await readExamples();

describe('Nightly cost refresh', () => {
	it.each([
		[35, 34.99, true],
		[60, 0, true],
		[30, 29, true],
		[60, 35, false],
		[30, 34.99, false],
		[30, 30, false],
		[null, null, false],
	])(
		'reports a margin only if it falls and ends up below 35, from %d to %d: %s',
		async (before, after, isReported) => {
			const margins = { marginBefore: before, margin: after };
			const refreshed = { proposalId: 1, number: 1042, ...margins, profitBefore: 1.3, profit: 1.1 };
			const { error, output } = await runSteps(
				'Nightly cost refresh',
				{
					'Every Night at 02:00': [{ json: {} }],
					'Create Report Table': [{ json: {} }],
					'Get Draft Proposals': [{ json: { proposalId: 1 } }],
					'Refresh Costs': [{ json: refreshed }],
				},
				'Describe Change',
			);
			expect(error).toBeUndefined();
			const report = { marginBefore: before, marginAfter: after, profitChange: -0.2 };
			expect(output('Describe Change')).toMatchObject(isReported ? [report] : []);
		},
	);

	it('escapes formulas in the cells of the CSV file', async () => {
		const json = { proposalName: '=1+1', client: '@cmd', salesperson: '-1', marginAfter: 1 };
		const { output } = await runSteps(
			'Nightly cost refresh',
			{ 'Collect Report': [{ json }] },
			'Escape Text for CSV',
		);
		expect(output('Escape Text for CSV')).toMatchObject([
			{ proposalName: "'=1+1", client: "'@cmd", salesperson: "'-1", marginAfter: 1 },
		]);
	});
});

it.each([
	[null, []],
	[75.1, [24.9]],
	[75, []],
])('reports a low margin for a price of 100 and a cost of %d: %j', async (cost, reported) => {
	const { error, output } = await runSteps(
		'Draft check',
		{
			'Proposal Is Updated': [{ json: { proposalId: 1, status: 'Draft' } }],
			'Get Items': [{ json: { itemType: 'Labor', cost, sellPrice: 100 } }],
		},
		'Keep Low Margins',
	);
	expect(error).toBeUndefined();
	const margins = output('Keep Low Margins').map(({ margin }) => Number(margin).toFixed(1));
	expect(margins).toEqual(reported.map((margin) => margin.toFixed(1)));
});

it("escapes formulas in the order list's cells", async () => {
	const json = { supplier: '=1+1', part: '@cmd', area: '-1', client: '+1', proposalName: '=A1' };
	const { output } = await runSteps(
		'Proposal accepted',
		{ 'Collect Lines and Totals': [{ json: { ...json, quantity: -1, unitCost: null } }] },
		'Escape Text for CSV',
	);
	const escaped = Object.entries(json).map(([name, text]) => [name, `'${text}`]);
	expect(output('Escape Text for CSV')).toEqual([
		{ ...Object.fromEntries(escaped), quantity: -1, unitCost: null },
	]);
});

it('counts the parts without a cost in a purchase order', async () => {
	const items = [10, null].map((cost) => ({ supplier: 'A', name: 'B', quantity: 1, cost }));
	const { error, output } = await runSteps(
		'Purchase orders by supplier',
		{
			'Get Items': items.map((json) => ({ json: { ...json, costAmount: json.cost } })),
			'Get Part': items.map((_, item) => ({ json: {}, pairedItem: { item } })),
		},
		'Collect Rows per Supplier',
	);
	expect(error).toBeUndefined();
	expect(output('Collect Rows per Supplier')).toMatchObject([
		{
			count_cost: 1,
			count_row: 2,
			concatenated_row: expect.stringContaining('<td>1</td><td></td></tr>'),
		},
	]);
});

it('lists the parts without a cost in the message about a purchase list', async () => {
	const items = [10, null].map((costAmount, index) => ({
		name: `Part ${index + 1}`,
		supplier: 'A',
		costAmount,
	}));
	const { error, output } = await runSteps(
		'Accepted proposal to Slack and purchase list',
		{
			'Describe Document': [{ json: { title: 'Proposal 1042', total: 25, proposalId: 7 } }],
			'Create Acceptance Table': [{ json: {} }],
			'Record Acceptance': [{ json: { id: 1 } }],
			'Get First Acceptance': [{ json: { id: 1 } }],
			'Get Proposal Items': items.map((json) => ({ json })),
		},
		'Write Message',
	);
	expect(error).toBeUndefined();
	expect(output('Write Message')).toEqual([
		{
			text: 'Proposal 1042 is accepted: $25.00, with parts for $10.00 to order. https://app.portal.io/proposals/7\nNo cost, so not in the sum: Part 2',
		},
	]);
});

it("replaces a supplier's name after the edit that the example's note explains", async () => {
	const example = structuredClone(
		examples.find(({ name }) => name === 'Purchase orders by supplier')!,
	);
	const { parameters } = example.nodes.find(({ name }) => name === 'Write Row')!;
	const { assignments } = parameters.assignments as {
		assignments: { name: string; value: string }[];
	};
	const supplier = assignments.find(({ name }) => name === 'supplier')!;
	supplier.value = supplier.value.replace('}}', ".replace('Supplier A', 'Your name') }}");
	const { output } = await runSteps(
		example,
		{
			'Get Items': [{ json: { supplier: 'Supplier A', name: 'B', quantity: 1 } }],
			'Get Part': [{ json: {} }],
		},
		'Write Row',
	);
	expect(output('Write Row')).toMatchObject([{ supplier: 'Your name' }]);
});

it('leaves the difference empty for a part without a cost', async () => {
	const part = { catalogItemId: 1, msrp: 100, isInStock: null, shortDescription: 'A' };
	const { output } = await runSteps(
		'Catalog to spreadsheet',
		{
			'Search Catalog': [{ json: { ...part, cost: null } }, { json: { ...part, cost: 99.9 } }],
		},
		'Choose Columns',
	);
	expect(output('Choose Columns')).toMatchObject([
		{ Cost: null, Difference: null, 'In Stock': '' },
		{ Cost: 99.9, Difference: 0.1, 'In Stock': '' },
	]);
});

it('keeps a row whose model is a number', async () => {
	const rows = [{ model: 4100 }, { model: ' ' }, { model: null }];
	const { error, output } = await runSteps(
		'Costs for my own list',
		{ 'Get Rows': rows.map((json) => ({ json })) },
		'Keep Rows With Model',
	);
	expect(error).toBeUndefined();
	expect(output('Keep Rows With Model')).toEqual([{ model: 4100 }]);
});

/** Setting that can stay empty, for example if there is only one organization. */
const OPTIONAL = 'Xero Organization';
const required = examples.flatMap((example) =>
	findSettings(example)
		.filter(({ name }) => name !== OPTIONAL)
		.map(({ name }) => [example.name, name] as const),
);

it.each(required)('%s stops and reports the missing setting %s', async (name, missing) => {
	const example = structuredClone(examples.find((one) => one.name === name)!);
	for (const { parameters } of example.nodes) {
		// Fill in the other empty fields, because n8n itself requires them.
		if (parameters.fromEmail === '') parameters.fromEmail = 'a@x.example';
		if (parameters.channelId)
			parameters.channelId = { __rl: true, mode: 'id', value: 'C0SALES0001' };
	}
	for (const setting of findSettings(example)) {
		setting.value ||= 'something';
		if (setting.name === missing) setting.value = '';
	}
	const trigger = example.nodes.find(({ type }) => /trigger$/i.test(type))!.name;
	const { error, steps } = await runSteps(example, {
		[trigger]: [{ json: {} }],
		'Get Organizations': [{ json: { tenantId: '1', tenantName: 'something' } }],
	});
	expect(error?.message).toMatch(
		new RegExp(`^enter .*${missing.replace(/[()]/g, '.')}.* in `, 'i'),
	);
	const checking = [
		trigger,
		'Settings',
		'Get Organizations',
		'Keep Organization',
		'Check Settings',
		'Name Missing Settings',
	];
	expect(steps.filter((step) => !checking.includes(step))).toEqual([]);
});
