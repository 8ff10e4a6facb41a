import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { divideRounded, extend, toUnits } from '../../dev/simulator/money.mts';

let simulator: Simulator;
const detail = (id: number) => simulator.control.proposal(id);

beforeAll(async () => {
	simulator = await startSimulator({ today: '2026-06-26' });
	simulator.control.keepState();
});
beforeEach(() => simulator.control.restoreState());
afterAll(() => simulator.stop());

// Every expected number below is worked out on paper from the prices in seed.yaml, not by our code.

test('a small proposal, by hand', () => {
	// parts 1799 + 149.95 + 3 x 449 = 3295.95; labour 6.5 x 125 = 812.50; fee 95; care plan 49 a month
	// Colorado 7.65 %: parts 252.140175 -> 252.14, labour 62.15625 -> 62.16
	const { financialSummary, recurringServices, profit, areas } = detail(
		seed.proposals.staleTheatre,
	);
	expect(financialSummary).toMatchObject({
		partsSubtotal: 3295.95,
		partsTotal: 3295.95,
		laborTotal: 812.5,
		feeTotal: 95,
		proposalSubtotal: 4203.45,
		proposalTotal: 4517.75,
		currency: { code: 'USD', symbol: '$' },
		salesTax: {
			taxStatus: 'Ok',
			total: 314.3,
			calculation: {
				method: 'ClientLocation',
				applyTo: ['Parts', 'Labor'],
				partsTax: 7.65,
				partsTotalTax: 252.14,
				laborTotalTax: 62.16,
			},
		},
	});
	expect(financialSummary).not.toHaveProperty('partsDiscount');
	expect(recurringServices).toEqual({
		items: [{ name: 'Care plan', sellPrice: 49, quantity: 1, totalSell: 49 }],
		totalRecurringService: 49,
	});
	expect(areas[0].options[0]).toMatchObject({ total: 4203.45, totalRecurringService: 49 });
	// costs 1180 + 68.25 + 3 x 231.50 = 1942.75; labour 6.5 x 58 = 377; delivery 60
	// part profit 1353.20 of 3295.95 = 41.06 %; labour 435.50 of 812.50 = 53.60 %
	// all: 4203.45 - 2379.75 = 1823.70 = 43.39 %
	expect(profit).toEqual({
		total: 1823.7,
		percentage: 43.39,
		partTotal: 1353.2,
		partPercentage: 41.06,
		laborTotal: 435.5,
		laborPercentage: 53.6,
		isProfitIncludeCos: false,
	});
});

test('discount in percent, declined option left out, combined price, two states of a total', () => {
	// counted parts: lobby 1: 2 x 2999 + 2 x 389 = 6776; lobby 2: 2 x 4299 + 778 = 9376;
	// rack 829 + 399 + 949 + 2650 = 4827; terrace 6 x 279 + 1199 = 2873; sum 23852; less 10 % 2385.20
	// labour 12 x 125 + 14 x 125 + 8 x 160 = 4530; Texas 8.25 %: 1771.011 -> 1771.01, 373.725 -> 373.73
	const { financialSummary, areas, recurringServices } = detail(seed.proposals.staleWholeHome);
	expect(financialSummary).toMatchObject({
		partsSubtotal: 23852,
		partsDiscountType: 'Percentage',
		partsDiscountPercentage: 10,
		partsDiscount: 2385.2,
		partsDiscountTaxable: 2385.2,
		partsDiscountTaxExempt: 0,
		partsTotal: 21466.8,
		laborTotal: 4530,
		proposalSubtotal: 25996.8,
		salesTax: { total: 2144.74, calculation: { partsTotalTax: 1771.01, laborTotalTax: 373.73 } },
		proposalTotal: 28141.54,
	});
	const [rack, surge, hold] = areas[1].options[0].items;
	expect(rack.total).toMatchObject({ amount: 2177, isCombinedPrice: true });
	expect(surge).toMatchObject({
		parentId: rack.id,
		total: { amount: 399, isCombinedPrice: false },
	});
	expect(hold).toMatchObject({ parentId: rack.id, total: { amount: 949 } });
	// combined or not, each item counts once: 829 + 399 + 949 + 2650 + 8 x 160
	expect(areas[1].options[0].total).toBe(6107);
	expect(areas[0].options.map((one: Json) => one.status)).toEqual(['Draft', 'Draft', 'Declined']);
	expect(recurringServices.totalRecurringService).toBe(118);
});

test('fixed discount and an exempt item', () => {
	// parts 899 + 489 + 2 x 189 (exempt) + 3 x 249 = 2513; less 150, of which 150 x 378 / 2513 = 22.56 exempt
	const { financialSummary } = detail(seed.proposals.freshNetwork);
	expect(financialSummary).toMatchObject({
		partsSubtotal: 2513,
		partsDiscountType: 'Fixed',
		partsDiscount: 150,
		partsDiscountTaxExempt: 22.56,
		partsDiscountTaxable: 127.44,
		partsTotal: 2363,
		laborTotal: 375,
		proposalSubtotal: 2738,
		proposalTotal: 2738,
		salesTax: { taxStatus: 'OutOfCountry', total: 0 },
	});
});

test('an exempt item bears no tax and no taxed share of the discount', () => {
	const { control } = simulator;
	control.updateProposal(48207, { contactId: 5101, locationId: 6101 });
	// taxable parts 2513 - 378 - 127.44 = 2007.56 x 7.65 % = 153.578.. -> 153.58; labour 375 -> 28.69
	expect(detail(seed.proposals.freshNetwork).financialSummary.salesTax).toMatchObject({
		total: 182.27,
		calculation: { partsTotalTax: 153.58, laborTotalTax: 28.69 },
	});
});

test('tax status says why there is no tax', () => {
	const status = (id: number) => detail(id).financialSummary.salesTax.taxStatus;
	expect(status(seed.proposals.staleOffice)).toBe('NoClient');
	expect(status(seed.proposals.staleAudio)).toBe('NoClientAddress');
	expect(status(seed.proposals.freshLighting)).toBe('IncompleteClientAddress');
	expect(status(seed.proposals.viewed)).toBe('NoState');
});

test('a payment schedule adds up to the total', () => {
	// 8693 + tax 7443 x 7.65 % = 569.3895 -> 569.39 and 1250 x 7.65 % = 95.625 -> 95.63: 9358.02
	const { paymentSchedule, financialSummary, changeOrders } = detail(seed.proposals.accepted);
	expect(financialSummary.proposalTotal).toBe(9358.02);
	expect(paymentSchedule.payments).toEqual([
		{ calculation: 'Percentage', amount: 2807.41, due: { date: '2026-03-24T12:00:00.000Z' } },
		{ calculation: 'Percentage', amount: 3743.21, due: { milestone: 'Equipment delivered' } },
		{ calculation: 'Balance', amount: 2807.4, due: { milestone: 'Completion' } },
	]);
	expect(changeOrders.map((one: Json) => one.id)).toEqual([48301, 48302]);
});

test('cents are exact: half away from zero, no binary drift', () => {
	expect(toUnits(1.005, 100)).toBe(101);
	expect(toUnits(-1.005, 100)).toBe(-101);
	expect(toUnits(8.115, 100)).toBe(812);
	expect(toUnits(1e-7, 100)).toBe(0);
	expect(toUnits(1e21, 1)).toBe(1e21);
	expect(extend(12_345_678_901, 99_999_999)).toBe(123_456_787_775_432);
	fc.assert(
		fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(1n, 10n ** 6n), (top, bottom) => {
			const rounded = divideRounded(top, bottom);
			const error = 2n * (top - rounded * bottom);
			// nearest, and away from zero when two are equally near
			expect(error < 0n ? -error : error).toBeLessThanOrEqual(bottom);
			if (error === bottom || error === -bottom) expect(rounded > 0n === top > 0n).toBe(true);
			expect(divideRounded(-top, bottom)).toBe(-rounded);
		}),
	);
});
