/**
 * An accepted proposal becomes a Slack message and a purchase list, in the real n8n. Amounts are worked
 * out from the seed of the simulator, in whole cents.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../testbed/until.mts';
import { portal, byId } from '../../../testbed/workflowBuilder.mts';
import { seed } from '../../../simulator/index.mts';
import { runOnce } from '../runs.mts';
import { ownStage } from '../stages.mts';
import { allDone, checkNow } from './jobs.mts';
import { PURCHASE_LIST, purchaseListOf } from './purchaseList.mts';

const { empty, staleTheatre, staleAudio, viewed } = seed.proposals;
const stage = ownStage({ examples: [PURCHASE_LIST] });
const { workflow, sheet, texts, headline, rowsOf, expectNothingTwice } = purchaseListOf(stage);
const control = () => stage().simulator.control;
const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);
const dollars = (cents: number) =>
	`$${Math.trunc(cents / 100).toLocaleString('en-US')}.${String(cents % 100).padStart(2, '0')}`;

const messages = async (count: number) => {
	await until(`message ${count}`, () => texts().length >= count || undefined);
	await allDone(stage(), workflow());
	expect(texts()).toHaveLength(count);
	return texts().at(-1);
};

async function addItem(proposalId: number, itemType: string, itemId: number, quantity: number) {
	const { areas } = control().proposal(proposalId);
	const items = { item: [{ itemType, itemId: byId(itemId), quantity }] };
	const areaOptionId = byId(areas[0].options[0].id);
	const parameters = { resource: 'item', operation: 'add', proposalId: byId(proposalId) };
	const { error } = await runOnce(stage(), 'Add an item', [
		portal({ ...parameters, areaOptionId, items, options: {} }),
	]);
	expect(error).toBeUndefined();
}

beforeAll(async () => await stage().n8n.activate(workflow()));
afterAll(async () => await stage().n8n.deactivate(workflow()));

/** What the message says of the purchase list. */
const summary = (items: number, cancelled: number, without: number) =>
	`Purchase list: ${items} items, ${cancelled} cancelled, ${without} without a supplier`;

describe('"Accepted proposal to Slack and purchase list"', () => {
	const meridian = 'Meridian AV Supply';
	const northgate = 'Northgate Distribution';
	const harbor = 'Harbor Low Voltage';
	const television = [meridian, 'Lumenfold LX65', 1, 118_000, 118_000];
	const speakers = [meridian, 'Corvane CV-W5', 3, 23_150, 69_450];
	const mount = [northgate, 'Stillgrip SG-T80', 1, 6_825, 6_825];
	const kit = ['', 'Prewire kit', 2, 11_875, 23_750];
	/** The same row when nothing is to be ordered. */
	const cancelled = (row: (string | number)[]) => [...row.with(2, 0).with(4, 0), 'Cancelled'];

	test('lists parts and custom items by supplier, and posts number, customer and total', async () => {
		await addItem(staleTheatre, 'CustomItem', seed.catalogItems.prewireKit, 2);
		control().accept(staleTheatre);
		const goods = 179_900 + 14_995 + 3 * 44_900 + 2 * 24_000;
		const labor = 81_250;
		const total = goods + labor + 9_500 + coloradoTax(goods) + coloradoTax(labor);
		expect(await messages(1)).toBe(
			[
				headline(staleTheatre, 'Holt theatre', 'for Maren Holt is accepted'),
				`Total: ${dollars(total)}`,
				summary(4, 0, 1),
			].join('\n'),
		);
		expect(rowsOf(staleTheatre)).toEqual(
			[kit, speakers, television, mount].map((row) => [...row, 'To Order']),
		);
		await checkNow(stage(), workflow());
		expect(await messages(1)).toBeDefined();
	});

	test('lists two proposals once that are accepted and checked at the same time', async () => {
		stage().others.systems.googleSheets.tokens.expire();
		control().accept(staleAudio);
		control().accept(viewed);
		await Promise.all([checkNow(stage(), workflow()), checkNow(stage(), workflow())]);
		await messages(3);
		expect(rowsOf(staleAudio)).toEqual([
			[meridian, 'Corvane CV-6C', 2, 11_200, 22_400, 'To Order'],
			[meridian, 'Corvane Garden 4', 4, 15_520, 62_080, 'To Order'],
			[meridian, 'Ostrava Audio Stream One', 1, 33_900, 33_900, 'To Order'],
		]);
		expect(rowsOf(viewed)).toEqual([
			[harbor, 'Brightloom Hub', 1, 39_100, 39_100, 'To Order'],
			[harbor, 'Shadewright Drape 14', 1, 83_800, 83_800, 'To Order'],
			[harbor, 'Shadewright Roll 72', 6, 44_800, 268_800, 'To Order'],
		]);
		expect(sheet().records()).toHaveLength(10);
	});

	test('cancels the rows of a reopened proposal, and follows what is accepted then', async () => {
		control().setStatus(staleTheatre, 'Draft');
		expect(await messages(4)).toMatch(
			headline(staleTheatre, 'Holt theatre', 'for Maren Holt is no longer accepted'),
		);
		expect(texts().at(-1)).toMatch(summary(0, 4, 0));
		expect(rowsOf(staleTheatre)).toEqual([kit, speakers, television, mount].map(cancelled));
		// A second mount, at another cost: the first was added at an older one.
		await addItem(staleTheatre, 'Part', seed.catalogItems.mount, 1);
		control().accept(staleTheatre);
		expect(await messages(5)).toMatch(
			headline(staleTheatre, 'Holt theatre', 'for Maren Holt is accepted with changes'),
		);
		const mounts = [northgate, 'Stillgrip SG-T80', 2, 6_988, 6_825 + 7_150];
		expect(rowsOf(staleTheatre)).toEqual(
			[kit, speakers, television, mounts].map((row) => [...row, 'To Order']),
		);
	});

	test('follows an accepted change order that takes items back, beside the notes of a person', async () => {
		// A person adds a column: it stays.
		const [columns] = sheet().read({ firstRow: 1, firstColumn: 0 });
		const firstColumn = columns!.length;
		sheet().write({ firstRow: 1, firstColumn }, [['Ordered On'], ['Monday']]);
		const items = [
			{ ref: seed.catalogItems.speaker, quantity: 1 },
			// At another price than it was sold for: the money differs, and nothing is to be ordered.
			{ ref: seed.catalogItems.mount, quantity: -2, price: 100 },
		];
		const changeOrder = control().addChangeOrder(staleTheatre, {
			name: 'One speaker more',
			areas: [['Theatre', { items }]],
		});
		control().accept(changeOrder);
		await checkNow(stage(), workflow());
		expect(await messages(6)).toMatch(summary(3, 1, 1));
		const more = [meridian, 'Corvane CV-W5', 4, (69_450 + 24_300) / 4, 69_450 + 24_300];
		expect(rowsOf(staleTheatre)).toEqual([
			[...kit, 'To Order'],
			[...more.with(3, Math.round(Number(more[3]))), 'Changed'],
			[...television, 'To Order'],
			[northgate, 'Stillgrip SG-T80', 0, 6_988, 0, 'Cancelled'],
		]);
		expect(sheet().records()[0]).toMatchObject({ Model: 'Prewire kit', 'Ordered On': 'Monday' });
		await checkNow(stage(), workflow());
		expect(await messages(6)).toBeDefined();
	});

	test('cancels everything when the proposal is declined', async () => {
		control().setStatus(staleTheatre, 'Declined');
		expect(await messages(7)).toMatch(summary(0, 4, 0));
		expect(new Set(rowsOf(staleTheatre).map((row) => row.at(-1)))).toEqual(new Set(['Cancelled']));
		expect(sheet().records()[0]).toMatchObject({ Status: 'Cancelled', 'Ordered On': 'Monday' });
	});

	test('posts a proposal without parts and customer', async () => {
		control().accept(empty);
		expect(await messages(8)).toBe(
			[
				headline(empty, 'Untitled walkthrough', 'is accepted'),
				'Total: $0.00',
				summary(0, 0, 0),
			].join('\n'),
		);
		expect(rowsOf(empty)).toEqual([]);
	});

	test('has posted one message for each job, and listed nothing twice', async () => {
		await expectNothingTwice();
	});
});
