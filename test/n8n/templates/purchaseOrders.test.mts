/** The example *Purchase orders by supplier*, with QuickBooks and with email drafts. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { toQuantity } from '../../../dev/simulator/money.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { linkTo, useExample } from './example.mts';

const { control, edit, enter, messages, pin, retry, run, runToFailure, systems } = useExample(
	'Purchase orders by supplier',
);
const { freshLighting, submitted } = seed.proposals;
const books = () => systems().quickBooks;
const drafts = () => systems().gmail.drafts;
const start = (proposalId: number) => run('Proposal Is Accepted', { proposalId });

/** The lines of each purchase order: quantity, description and amount. */
const orders = () =>
	books().purchaseOrders.map(({ DocNumber, Line }) => [
		DocNumber,
		...(Line as Json[]).map(
			({ Amount, Description, ItemBasedExpenseLineDetail: part }) =>
				`${part.Qty} ${Description}: ${Amount}`,
		),
	]);
const orderNumber = (proposalId: number, supplier: string) => {
	const vendor = books().vendors.find(({ DisplayName }) => DisplayName === supplier)!;
	return `P-${control().proposal(proposalId).number}-${vendor.Id}`;
};
const note = (proposalId: number, ...lines: string[]) => {
	const { number, name } = control().proposal(proposalId);
	return [`Orders for proposal ${number} (${name}): ${linkTo(proposalId)}`, ...lines].join('\n');
};

/** Makes a change order of the seed an accepted one of the proposal, with one item. */
function changeOrder(quantity: number, fields: object = {}) {
	const { accepted } = seed.changeOrders;
	const [item] = control().proposal(accepted).areas[0].options[0].items;
	control().update('proposals', { id: accepted }, { parentId: submitted });
	control().update(
		'proposal_items',
		{ id: item.id },
		{ quantity: toQuantity(quantity), ...fields },
	);
}

const meridian = 'Meridian AV Supply';
const northgate = 'Northgate Distribution';
const inProposal = () => `(proposal ${control().proposal(submitted).number})`;
const televisions = (quantity: number) => [
	orderNumber(submitted, meridian),
	`${quantity} Lumenfold LX65 ${inProposal()}: ${quantity * 1240}`,
];
const mounts = () => [
	orderNumber(submitted, northgate),
	`1 Stillgrip SG-A90 ${inProposal()}: 196`,
	`1 Stillgrip SG-T80 ${inProposal()}: 71.5`,
];

test('continues with a corrected company ID, and creates one order per supplier', async () => {
	control().accept(submitted);
	const companyId = '9130350000000001';
	await enter('QuickBooks Company ID', '1111');
	const failed = await runToFailure('Proposal Is Accepted', 'Find Orders', {
		proposalId: submitted,
	});
	await enter('QuickBooks Company ID', companyId);
	books().loseNextResponse('/purchaseorder');
	expect((await retry(failed)).status).toBe('success');
	expect(orders()).toEqual([televisions(2), mounts()]);
	expect(messages()).toEqual([
		note(
			submitted,
			`Purchase order ${orderNumber(submitted, meridian)} for ${meridian}: +2 × Lumenfold LX65`,
			`Purchase order ${orderNumber(submitted, northgate)} for ${northgate}: +1 × Stillgrip SG-A90, +1 × Stillgrip SG-T80`,
		),
	]);
});

test('orders nothing twice when the proposal is reopened and accepted again', async () => {
	control().setStatus(submitted, 'Draft');
	control().accept(submitted);
	await start(submitted);
	expect(orders()).toEqual([televisions(2), mounts()]);
	expect(messages()).toHaveLength(1);
});

test('adds to an order and takes back from it what a change order says, and keeps other lines', async () => {
	const [order] = books().purchaseOrders;
	const freight = {
		Amount: 35,
		DetailType: 'ItemBasedExpenseLineDetail',
		Description: 'Freight',
		ItemBasedExpenseLineDetail: { ItemRef: { value: books().items[0]!.Id }, Qty: 1, UnitPrice: 35 },
	};
	(order!.Line as Json[]).unshift(freight);
	const [number, ...lines] = televisions(1);
	changeOrder(-1, { brand: 'Lumenfold', model: 'LX65', supplier_id: 71 });
	await start(submitted);
	expect(orders()).toEqual([[number, '1 Freight: 35', ...lines], mounts()]);
	changeOrder(1);
	await start(submitted);
	const [, more] = televisions(3);
	expect(orders()).toEqual([[number, '1 Freight: 35', more], mounts()]);
	expect(messages().slice(1)).toEqual([
		note(submitted, `Purchase order ${number} for ${meridian}, changed: −1 × Lumenfold LX65`),
		note(submitted, `Purchase order ${number} for ${meridian}, changed: +2 × Lumenfold LX65`),
	]);
});

test('asks a person to change an order that is closed', async () => {
	const [order] = books().purchaseOrders;
	order!.POStatus = 'Closed';
	changeOrder(-1);
	await start(submitted);
	expect(messages().at(-1)).toBe(
		note(
			submitted,
			`The purchase order ${orderNumber(submitted, meridian)} for ${meridian} is closed. Change it by hand: −2 × Lumenfold LX65`,
		),
	);
	expect(books().purchaseOrders[0]).toEqual(order);
});

test('lists items without a supplier, and suppliers and parts that QuickBooks does not have', async () => {
	const [option] = control().proposal(freshLighting).areas[0].options;
	const item = { itemType: 'CustomItem', catalogItemId: byId(8102), quantity: 1 };
	await edit('item', 'add', freshLighting, {
		areaOptionId: byId(option.id),
		items: { item: [item] },
	});
	control().accept(freshLighting);
	await start(freshLighting);
	const text = messages().at(-1)!;
	expect(text).toMatch(/\nNo supplier: 1 × Custom cabinet$/);
	expect(text).toMatch(/\nQuickBooks has no vendor named Harbor Low Voltage\. Not ordered: \S/);
	expect(text).not.toContain('Purchase order');
});

/** Two change orders of one proposal and one of another are accepted between two polls. */
const pollThree = async () => {
	const ids = [submitted, freshLighting, submitted];
	const changes = ids.map((proposalId, index) => ({ id: index, proposalId, status: 'Accepted' }));
	await pin('Change Order Is Accepted', changes);
	await run('Change Order Is Accepted');
};

test('orders nothing twice when a poll brings two change orders of one proposal', async () => {
	const before = structuredClone(books().purchaseOrders);
	await pollThree();
	expect(books().purchaseOrders).toEqual(before);
	expect(messages().slice(-2)).toEqual([
		expect.stringContaining('is closed. Change it by hand: −2'),
		expect.stringContaining('No supplier: 1 × Custom cabinet'),
	]);
});

test('creates an email draft with a CSV file per supplier, and then only for changes', async () => {
	await enter('QuickBooks Company ID', '');
	changeOrder(1, { supplier_id: null });
	await start(submitted);
	await start(submitted);
	const files = drafts().map(({ text: folded }) => {
		const text = folded.replaceAll(/\r\n[ \t]+/g, ' ');
		const [, name] = /filename="?([^"\r\n]+)"?/.exec(text)!;
		const [, data] = /Content-Disposition: attachment[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(text)!;
		return [name, Buffer.from(data!, 'base64').toString()];
	});
	const { number } = control().proposal(submitted);
	const csv = (...rows: string[]) => ['"Part","Quantity","Unit Cost"', ...rows].join('\r\n');
	expect(files).toEqual([
		[`P-${number} ${meridian}.csv`, csv('"Lumenfold LX65","2","1240"')],
		[
			`P-${number} ${northgate}.csv`,
			csv('"Stillgrip SG-A90","1","196"', '"Stillgrip SG-T80","1","71.5"'),
		],
	]);
	changeOrder(-1, { supplier_id: 71 });
	await pollThree();
	const [ofSubmitted, ofLighting] = messages().slice(-2);
	expect(ofSubmitted).toBe(note(submitted, `Email draft for ${meridian}: −1 × Lumenfold LX65`));
	expect(ofLighting).toMatch(/\nEmail draft for Harbor Low Voltage: \+\d/);
	const count = drafts().length;
	await pollThree();
	expect(drafts()).toHaveLength(count);
});
