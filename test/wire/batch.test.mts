/** Many inputs at once, some of which fail. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed, startService } from './account.mts';
import { execute } from '../../dev/testbed/nodeRunner.mts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => await service.simulator.stop());

it('Continue on Fail over a hundred inputs: each its result or its reason, linked, in order', async () => {
	const good = [seed.proposals.staleTheatre, seed.proposals.staleWholeHome];
	const bad: [unknown, RegExp][] = [
		['not an ID', /must be an ID/],
		[99999999, /No record found with this ID/],
		[seed.proposals.accepted, /state prevents this change/],
		['', /is empty/],
	];
	const inputs = Array.from({ length: 100 }, (_, index) =>
		index % 3 === 0 ? bad[index % 4]![0] : good[index % 2],
	);
	const output = await execute({
		credential: service.credential(),
		parameters: {
			resource: 'proposal',
			operation: 'update',
			proposalId: '={{ $json.id }}',
			updateFields: { description: '=Input {{ $itemIndex }}' },
			simplify: false,
		},
		items: inputs.map((id) => ({ id: id as string })),
		continueOnFail: true,
	});
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(inputs.map((_, item) => ({ item })));
	for (const [index, { json, error }] of output.entries()) {
		const reason = index % 3 === 0 ? bad[index % 4]![1] : undefined;
		if (reason === undefined) {
			expect(json).toMatchObject({ id: inputs[index], projectDescription: `Input ${index}` });
			expect(error).toBeUndefined();
		} else {
			expect(json.error).toMatch(reason);
			expect(error?.context.itemIndex).toBe(index);
		}
	}
});
