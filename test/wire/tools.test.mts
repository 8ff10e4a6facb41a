/** Tests the AI agent tools in the examples (docs/ai-agents.md#mistakes-of-a-model). */
import { readFileSync } from 'node:fs';
import type { IDataObject, INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { callTools, type ToolCall } from '../../dev/testbed/nodeRunner.mts';
import { ADVICE_FOR_PEOPLE, restoredService, seed } from './account.mts';

const service = restoredService();
const { changes, requestsOf } = service;
const control = () => service.control;

const stepsOf = (example: string): INode[] => {
	const { nodes } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8'));
	return nodes.filter(({ type }: INode) => type === 'n8n-nodes-portal-io.portalIoTool');
};
const server = stepsOf('portal-mcp-server');

const { accepted, staleTheater } = seed.proposals;
const proposalId = String(staleTheater);
const itemsBefore = () => control().items(staleTheater);

it('shares the reading tools of the assistant with the MCP server', () => {
	const parametersOf = (steps: INode[]) =>
		Object.fromEntries(steps.map(({ name, parameters }) => [name, parameters]));
	// Exclude tools that a person approves, because the person reads numbers, emails, and models instead of IDs.
	const APPROVED = ['Add Items', 'Create Proposal'];
	const assistant = stepsOf('proposal-assistant').filter(({ name }) => !APPROVED.includes(name));
	expect(parametersOf(server)).toMatchObject(parametersOf(assistant));
});

/** Returns the records from a tool without `reused`, which differs in the second call. */
const withoutReused = (text: string): IDataObject[] =>
	JSON.parse(text).map(({ reused: _, ...record }: IDataObject) => record);

const reusedOf = (text: string) => JSON.parse(text).map(({ reused }: IDataObject) => reused);

/** Valid arguments of each tool. */
const valid: Record<string, IDataObject> = {
	'Find Proposals': { searchText: 'Holt', statuses: 'Draft', limit: 5 },
	'Read Proposal': { proposalId },
	'List Items': { proposalId, area: 'Theater', itemTypes: 'Part', searchText: 'LX65', limit: 5 },
	'List Areas': { proposalId, limit: 5 },
	'Find Catalog Items': { searchText: 'LX65', brands: 'Lumenfold', limit: 3 },
	'Find Users': { limit: 5 },
	'Find Contacts': { searchText: 'Holt', partyTypes: 'Person', limit: 5 },
	'Create Proposal': { salesPersonId: String(seed.users.dealer), name: 'Loft' },
	'Create Area': { proposalId, name: 'Den' },
	'Add Items': { proposalId, area: 'Den', items: '[{ "catalogItemId": 9001, "quantity": 2 }]' },
	'Update Item': { proposalId, itemId: '700001', quantity: '2', sellPrice: '1650.5' },
};

const isId = (name: string) => name.endsWith('Id');
const isText = (name: string) => ['name', 'area'].includes(name);
const isNeeded = (name: string) => isId(name) || ['area', 'items'].includes(name);
const isItems = (name: string) => name === 'items';
const isNumber = (name: string) => ['quantity', 'limit'].includes(name);

/** Wrong values, with the parameters that receive them and what the error says. */
const wrongValues: Array<[string, (name: string) => boolean, unknown, RegExp]> = [
	['a name in place of an ID', isId, 'Holt residence', /must be a numeric ID/],
	['an ID that does not exist', isId, '999999', /No record found with this ID.*Check the IDs/],
	['several IDs in place of one', isId, '48201, 48202', /must be a numeric ID/],
	['a list instead of an ID', isId, ['48201'], /must be a numeric ID|Expected string/],
	['an object', isText, { value: 'Den' }, /must be text|Expected string/],
	['an object for an ID', isId, { id: 48201 }, /must be a numeric ID|Expected string/],
	['null', isNeeded, null, /is empty|Expected string/],
	['empty text', isNeeded, '', /is empty/],
	['a missing value', isNeeded, undefined, /is empty|Required/],
	['a number as words', isNumber, 'two', /must be a quantity|'Limit' is empty|Expected number/],
	['items that are not JSON', isItems, 'two LX65', /must be a JSON list such as/],
	['an unknown field of an item', isItems, '[{ "sku": "LX65" }]', /Use 'catalogItemId' or 'model'/],
	[
		'a model as the ID of an item',
		isItems,
		'[{ "catalogItemId": "LX65" }]',
		/use 'model' instead of/,
	],
	[
		'a unit in items',
		isItems,
		'[{ "catalogItemId": 9001, "quantity": "2 pcs" }]',
		/'quantity' must be/,
	],
	[
		'a unit',
		(name) => name === 'quantity',
		'2 pcs',
		/must be a quantity such as 2 or 1.5|Expected/,
	],
	['another currency', (name) => name === 'sellPrice', 'EUR 1,650', /must be an amount such as/],
	['a negative amount', (name) => name === 'sellPrice', '-5', /must be 0 or more/],
	['a limit of 0', (name) => name === 'limit', 0, /must be a whole number of at least 1/],
	['an unknown type', (name) => /^itemTypes?$/.test(name), 'Cable', /must be one of CustomItem, /],
];

/**
 * Returns whether a tool treats a value differently than `wrongValues` says: *List Items* filters by any text, and
 * *Update Item* has its own error for an item that does not exist.
 */
const isOptional = (tool: string, name: string, value: unknown) =>
	(tool === 'List Items' && name === 'area' && !(value instanceof Object)) ||
	(tool === 'Update Item' && name === 'itemId' && value === '999999');

describe.each(['inAgent', 'inEngine'] as const)('with tools that run %s', (how) => {
	const call = async (...calls: ToolCall[]) => await callTools(service.account, server, how, calls);

	it.each(wrongValues)(
		'explains the mistake without changing anything: %s',
		async (_, isFor, value, text) => {
			const calls = Object.entries(valid).flatMap(([tool, given]) =>
				Object.keys(given)
					.filter((name) => isFor(name) && !isOptional(tool, name, value))
					.map((name): ToolCall => [tool, { ...given, [name]: value }]),
			);
			const before = [control().proposals().length, itemsBefore()];
			const texts = await call(...calls);
			expect(texts).toHaveLength(calls.length);
			for (const read of texts) {
				expect(read).toMatch(new RegExp(text.source, 's'));
				expect(read).not.toMatch(ADVICE_FOR_PEOPLE);
			}
			expect([control().proposals().length, itemsBefore()]).toEqual(before);
		},
	);

	it('runs two identical calls in one message only once', async () => {
		const before = itemsBefore();
		for (const [tool, name, made] of [
			['Create Proposal', 'name', ['proposal.create']],
			['Create Area', 'areaName', ['area.create']],
			['Add Items', 'name', ['item.add']],
		] as const) {
			service.control.clearRequests();
			const [first, second] = await call([tool, valid[tool]!], [tool, valid[tool]!]);
			expect(JSON.parse(first!)).toEqual([expect.objectContaining({ [name]: expect.anything() })]);
			expect(withoutReused(second!)).toEqual(withoutReused(first!));
			expect(reusedOf(first!)).toEqual([false]);
			expect(reusedOf(second!)).toEqual([true]);
			expect(changes()).toEqual(made);
		}
		const added = itemsBefore().filter(({ id }) => !before.some((item) => item.id === id));
		expect(added).toMatchObject([{ referenced_item_id: 9001 }]);
		const twice = await call(
			['Update Item', valid['Update Item']!],
			['Update Item', valid['Update Item']!],
		);
		for (const text of twice) {
			expect(JSON.parse(text)).toMatchObject([{ quantity: 2, sellPrice: 1650.5 }]);
		}
	});

	it('runs two updates of an item in one message in order', async () => {
		const update = (quantity: string): ToolCall => [
			'Update Item',
			{ proposalId, itemId: '700001', quantity },
		];
		// Omit the proposal from the response, so the check reads the proposal.
		service.respond('item.updateQuantity', { success: true }, { when: 'after', times: 2 });
		const texts = await call(update('3'), update('4'));
		expect(texts.map((text) => JSON.parse(text)[0].quantity)).toEqual([3, 4]);
	});

	it('suggests reading the proposal again after a conflicting update', async () => {
		service.fail('item.updateQuantity', {
			when: 'after',
			status: 200,
			body: control().proposal(staleTheater),
		});
		const update = { proposalId, itemId: '700001', quantity: '9' };
		const [text] = await call(['Update Item', update]);
		expect(text).toMatch(/'Quantity' is \S+, not 9.*Read the proposal again.*tell the user/s);
		expect(text).not.toMatch(ADVICE_FOR_PEOPLE);
	});

	it.each([
		[{ quantity: '5' }, ['item.updateQuantity']],
		[{ quantity: '5', sellPrice: '' }, ['item.updateQuantity']],
		[{ sellPrice: '1799.004', comment: 'as the client asked' }, ['item.updateSellPrice']],
	])('sends only the values that the AI model changes: %j', async (given, sent) => {
		const [text] = await call(['Update Item', { proposalId, itemId: '700001', ...given }]);
		expect(JSON.parse(text!)).toMatchObject([{ itemId: 700001 }]);
		expect(changes()).toEqual(sent);
		const [request] = requestsOf('item.updateSellPrice');
		expect(request?.bodyText ?? 'SellPrice=1799.004').toBe('SellPrice=1799.004');
	});

	it.each(['Create Area', 'Add Items', 'Update Item'])(
		'rejects a change to an accepted proposal: %s',
		async (tool) => {
			const itemId =
				tool === 'Update Item' ? { itemId: String(control().items(accepted)[0]!.id) } : {};
			const [area] = control().proposal(accepted).areas;
			const given = { ...valid[tool], ...itemId, proposalId: String(accepted) };
			const [text] = await call([tool, 'area' in given ? { ...given, area: area.name } : given]);
			expect(text).toMatch(/The proposal's state prevents this change.*Use a change order/s);
		},
	);

	it("distinguishes a proposal's number from its ID", async () => {
		const { number } = control().proposal(staleTheater);
		const [text] = await call(['Read Proposal', { proposalId: String(number) }]);
		expect(text).toContain("A proposal's number is not its ID.");
		expect(text).not.toMatch(ADVICE_FOR_PEOPLE);
	});

	it('rejects arguments that are text in a code block', async () => {
		const block = { input: `\`\`\`json\n${JSON.stringify(valid['Create Proposal'])}\n\`\`\`` };
		expect(await call(['Create Proposal', block])).toEqual([
			expect.stringMatching(/'Salesperson' is empty|Required/),
		]);
		expect(changes()).toEqual([]);
	});

	it.each([
		['Find Proposals', {}, 50],
		['List Items', { proposalId: String(seed.proposals.staleWholeHome) }, 100],
		['List Areas', { proposalId: String(seed.proposals.staleWholeHome) }, 100],
		['Find Catalog Items', { searchText: '' }, 50],
		['Find Users', {}, 200],
		['Find Contacts', {}, 50],
	])('reports the count of a shortened list: %s', async (tool, given, most) => {
		const [cut, whole] = await call(
			[tool, { ...given, limit: 1 }],
			[tool, { ...given, limit: 10_000 }],
		);
		const all = JSON.parse(whole!);
		const { length } = all.filter(({ note }: { note?: string }) => note === undefined);
		expect(length).toBeLessThanOrEqual(most);
		expect(JSON.parse(cut!)).toEqual([
			all[0],
			{ note: `1 of ${length} items. Narrow the search, or set a higher limit.` },
		]);
		expect(Object.keys(all[0]).length).toBeLessThanOrEqual(10);
	});
});

it('creates only one contact for two calls with the same email in one message', async () => {
	const parameters = {
		resource: 'contact',
		operation: 'create',
		contactType: 'Client',
		firstName: "={{ $fromAI('firstName', 'The first name', 'string') }}",
		additionalFields: { contactEmail: "={{ $fromAI('email', 'The email', 'string') }}" },
		options: { reuseExisting: true },
	};
	const step: INode = { ...server[0]!, name: 'Create Contact', parameters };
	const nora: ToolCall = ['Create Contact', { firstName: 'Nora', email: 'nora@example.com' }];
	const [first, second] = await callTools(service.account, [step], 'inAgent', [nora, nora]);
	expect(JSON.parse(first!)).toMatchObject([{ firstName: 'Nora' }]);
	expect(withoutReused(second!)).toEqual(withoutReused(first!));
	expect(changes()).toEqual(['contact.create']);
});
