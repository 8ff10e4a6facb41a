/**
 * The lines that the shared workflow *Changed after Acceptance* gives, called in the real n8n. Prices and
 * quantities are those of the simulator's seed; sums are worked out here, in whole cents.
 */
import { expect, test } from 'vitest';
import { seed } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';
import { jobOn, line, short, sumOf } from './acceptedLines.mts';

const stage = ownStage({ examples: ['Changed after Acceptance', 'Once per Proposal'] });
const { changeOf, doJob } = jobOn(stage, 'accepted lines');

/** A sales tax in thousandths of a percent, on an amount in cents. */
const tax = (cents: number, rate: number) => Math.round((cents * rate) / 100_000);
const TEXAS = 8250;
const COLORADO = 7650;

test('gives the accepted options without recurring services, in the order of the areas', async () => {
	const { control } = stage().simulator;
	const { staleWholeHome: id } = seed.proposals;
	const [lobby] = control.proposal(id).areas;
	const [television77, television85] = lobby.options;
	control.setOptionStatus(television85.id, 'Declined');
	control.setStatus(id, 'Accepted');

	const rack = [
		line('Rack room', 9025, 1, 82_900),
		// Their prices are combined with the rack's, which shows the sum; here each has its own.
		line('Rack room', 9026, 1, 39_900),
		line('Rack room', 9027, 1, 94_900),
		line('Rack room', 9014, 1, 265_000),
	];
	const terrace = [line('Terrace', 9012, 6, 27_900), line('Terrace', 9011, 1, 119_900)];
	const televisions = [line('Lobby', 9002, 2, 299_900), line('Lobby', 9007, 2, 38_900)];
	const labor = [line('Lobby', 8001, 12, 12_500), line('Rack room', 8002, 8, 16_000)];
	const parts = sumOf([...televisions, ...rack, ...terrace]);
	const discount = Math.round(parts / 10);
	const salesTax = tax(parts - discount, TEXAS) + tax(sumOf(labor), TEXAS);
	const first = await changeOf(id);
	expect(first.lines.map(short)).toEqual([...televisions, labor[0], ...rack, labor[1], ...terrace]);
	expect(first).toMatchObject({
		change: 'new',
		targetId: '',
		proposalId: id,
		proposalNumber: control.proposal(id).number,
		proposalName: 'Quarry Street hotel lobby',
		status: 'Accepted',
		customer: {
			name: 'Theo Vance',
			company: 'Quarry Street Hospitality',
			email: 'theo@quarrystreet.example',
			location: { city: 'Austin', stateAbbrev: 'TX' },
		},
		salesperson: { id: seed.users.salesJordan },
		currency: 'USD',
		discount: discount / 100,
		salesTax: salesTax / 100,
		total: (parts - discount + sumOf(labor) + salesTax) / 100,
		removed: [],
	});
	expect(control.proposal(id).financialSummary.proposalTotal).toBe(first.total);
	expect(first.lines[0]).toMatchObject({
		key: 'lobby/Part/9002',
		areaId: lobby.id,
		itemType: 'Part',
		brand: 'Lumenfold',
		model: 'LX77',
		name: 'Lumenfold LX77',
		description: '77-inch 4K television',
		supplier: 'Meridian AV Supply',
		// The cost when it was added.
		unitCost: 1995,
		cost: 3990,
	});
	await doJob(first);
	expect(await changeOf(id)).toMatchObject({ change: 'none', version: first.version });

	// Reopened, and the same accepted again: nothing to do.
	control.setStatus(id, 'Draft');
	const reopened = await changeOf(id);
	expect(reopened).toMatchObject({
		change: 'withdrawn',
		version: 'withdrawn',
		targetId: 'T-1',
		lines: [],
		total: 0,
	});
	control.setStatus(id, 'Accepted');
	expect(await changeOf(id)).toMatchObject({ change: 'none', version: first.version });
	control.setStatus(id, 'Completed');
	expect(await changeOf(id)).toMatchObject({ change: 'none', version: first.version });

	// Reopened, and the other option accepted: the whole again, with the other television.
	control.setStatus(id, 'Draft');
	control.setOptionStatus(television77.id, 'Declined');
	control.setOptionStatus(television85.id, 'Draft');
	control.setStatus(id, 'Accepted');
	const second = await changeOf(id);
	expect(second).toMatchObject({ change: 'changed', targetId: 'T-1' });
	expect(second.version).not.toBe(first.version);
	expect(second.lines.map(short).slice(0, 4)).toEqual([
		line('Lobby', 9003, 2, 429_900),
		line('Lobby', 9007, 2, 38_900),
		line('Lobby', 8001, 14, 12_500),
		rack[0],
	]);
	expect(second.lines).toHaveLength(first.lines.length);
});

test('adds change orders up with the proposal, with their signs', async () => {
	const { control } = stage().simulator;
	const { accepted: id } = seed.proposals;
	const room = 'Family room';
	const lines = [
		line(room, 9002, 1, 299_900),
		line(room, 9013, 1, 219_900),
		line(room, 9010, 5, 44_900),
		line(room, 8001, 10, 12_500),
		// Of the accepted change order. The one in Draft does not count.
		line(room, 9018, 1, 42_000),
	];
	const first = await changeOf(id);
	expect(first.change).toBe('new');
	expect(first.lines.map(short)).toEqual(lines);
	const [area] = control.proposal(id).areas;
	expect(new Set(first.lines.map(({ areaId }) => areaId))).toEqual(new Set([area.id]));
	const taxOf = (parts: number, labor: number) => tax(parts, COLORADO) + tax(labor, COLORADO);
	const parts = sumOf(lines.slice(0, 3));
	const taxes = taxOf(parts, 125_000) + taxOf(42_000, 0);
	expect(Math.round(first.total * 100)).toBe(sumOf(lines) + taxes);
	await doJob(first);

	// Takes back a receiver, two speakers and two and a half hours; adds a subwoofer and a new area.
	const changeOrder = control.addChangeOrder(id, {
		name: 'Smaller system',
		areas: [
			['Terrace', { items: [{ ref: 9012, quantity: 4 }] }],
			[
				' family ROOM ',
				{
					items: [
						{ ref: 9013, quantity: -1 },
						{ ref: 9010, quantity: -2 },
						{ ref: 8001, quantity: -2.5 },
						{ ref: 9011, quantity: 1 },
						{ ref: 8103, quantity: 1 },
					],
				},
			],
		],
	});
	expect((await changeOf(id)).change).toBe('none');
	control.setStatus(changeOrder, 'Submitted');
	expect((await changeOf(id)).change).toBe('none');
	control.setStatus(changeOrder, 'Accepted');
	const second = await changeOf(id);
	const smaller = [
		line(room, 9002, 1, 299_900),
		line(room, 9010, 3, 44_900),
		line(room, 8001, 7.5, 12_500),
		line(room, 9018, 1, 42_000),
		line(room, 9011, 1, 119_900),
		line('Terrace', 9012, 4, 27_900),
	];
	expect(second).toMatchObject({ change: 'changed', targetId: 'T-1' });
	expect(second.lines.map(short)).toEqual(smaller);
	expect(second.removed).toEqual(['family room/Part/9013']);
	const changedParts = 4 * 27_900 - 219_900 - 2 * 44_900 + 119_900;
	const changedTaxes = taxOf(changedParts, -2.5 * 12_500);
	expect(Math.round(second.total * 100)).toBe(sumOf(smaller) + taxes + changedTaxes);
	await doJob(second);
	expect((await changeOf(id)).change).toBe('none');

	// At other prices: the money stays right, and what is gone leaves its difference.
	const priced = control.addChangeOrder(id, {
		name: 'Other prices',
		areas: [
			[
				room,
				{
					items: [
						{ ref: 9002, quantity: -1, price: 2500 },
						{ ref: 9010, quantity: 1, price: 400 },
					],
				},
			],
		],
	});
	control.setStatus(priced, 'Accepted');
	const third = await changeOf(id);
	const speakers = 3 * 44_900 + 40_000;
	expect(third.change).toBe('changed');
	expect(third.lines.map(short).slice(0, 2)).toEqual([
		[room, 9002, 1, 299_900 - 250_000, 299_900 - 250_000],
		[room, 9010, 4, speakers / 4, speakers],
	]);
	await doJob(third);

	// The customer declines a change order that was accepted before: its items are gone again.
	control.setStatus(priced, 'Declined');
	const fourth = await changeOf(id);
	expect(fourth.change).toBe('changed');
	expect(fourth.lines.map(short)).toEqual(smaller);
	expect(fourth.version).toBe(second.version);
});
