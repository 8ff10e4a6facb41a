import { expect, test } from 'vitest';
import { endpoints } from '../../probe/contract.mts';
import { growth, operationsWith, run } from './running.mts';

test('keeps what was learned when the subscription expires in the middle', async () => {
	const ran = await run(
		{},
		{
			onStep: (step, { control }) => {
				if (step === 'fields of items') control.failNext({ status: 402, times: 9999 });
			},
		},
	);
	const { report } = ran;
	expect(report.endedEarly).toBe(
		'The Portal.io subscription of this dealer is inactive or expired (402).',
	);
	const confirmed = operationsWith(report, 'confirmed');
	const notTried = operationsWith(report, 'not tried');
	expect(confirmed).toEqual(expect.arrayContaining(['proposal.create', 'item.add']));
	expect(notTried).toEqual(expect.arrayContaining(['item.updateQuantity', 'item.updateCost']));
	expect([...confirmed, ...notTried]).toHaveLength(endpoints.length);
	// Neither can it remove anything any more, and says so.
	expect(growth(ran)).toHaveProperty('proposal_items');
	expect(report.left).toEqual([
		expect.stringMatching(/^Items of the proposal 'n8n probe .*' could not be removed\.$/),
		expect.stringContaining('no endpoint deletes proposals'),
		expect.stringContaining('no endpoint deletes contacts'),
	]);
});
