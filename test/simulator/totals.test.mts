import { expect, test } from 'vitest';

import { seed } from '../../dev/simulator/index.mts';
import { startForTest } from './start.mts';

// Every expected number below is worked out on paper from the prices in seed.yaml, not by our code.

test('computes the totals of a small proposal as by hand', async () => {
	const { simulator } = await startForTest();
	// Parts 1799 + 149.95 + 3 x 449 = 3295.95; labour 6.5 x 125 = 812.50; fee 95; care plan 49 a month
	// Colorado 7.65 %: parts 252.140175 -> 252.14, labour 62.15625 -> 62.16.
	const { financialSummary, recurringServices, profit, areas } = simulator.control.proposal(
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
	// Costs 1180 + 68.25 + 3 x 231.50 = 1942.75; labour 6.5 x 58 = 377; delivery 60
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
