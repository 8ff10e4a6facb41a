import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
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
