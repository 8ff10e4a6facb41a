import { beforeAll, describe, expect, it } from 'vitest';
import { by, restoredService, seed } from './account.mts';

const service = restoredService();
const proposalId = seed.proposals.staleTheater;
const { changes, fail } = service;

const addRows = async (rows: object[], options: object = {}) => {
	const catalogItemId = by('model', '={{ $json.model }}');
	const item = [{ itemType: 'Part', catalogItemId, quantity: '={{ $json.quantity }}' }];
	const areaOptionId = by('name', '={{ $json.room }}');
	const parameters = { proposalId, areaOptionId, items: { item }, options };
	return await service.workflow('item.add', parameters, { items: rows as never });
};
let good: { room: string; model: string; quantity: number };
let wrong: object[];
beforeAll(() => {
	good = { room: service.control.proposal(proposalId).areas[0].name, model: 'CV-6C', quantity: 1 };
	const mistakes = [{ quantity: 'two' }, { model: 'None' }, { room: 'Attic' }];
	wrong = mistakes.map((one) => ({ ...good, ...one }));
});

describe('invalid input items', () => {
	it('changes nothing if one input item is invalid', async () => {
		for (const row of wrong) {
			const { error } = await addRows([good, good, row]);
			expect(error?.message).toMatch(/^Input item 2: .*'.+' (must be|was not found)/);
			expect(error?.description).toContain('Nothing was changed.');
		}
		expect(changes()).toEqual([]);
	});

	it('lists every invalid input item in one error', async () => {
		const rows = [{ ...good, quantity: 'two' }, good, { ...good, quantity: '3 pcs' }];
		const { error } = await addRows(rows);
		expect(error?.message).toBe('2 of 3 input items cannot be processed');
		const must = "Row 1: 'Quantity' must be a quantity such as 2 or 1.5, without a unit";
		expect(error!.description!.split('\n')).toEqual([
			`Input item 0: ${must}; it is 'two'.`,
			`Input item 2: ${must}; it is '3 pcs'.`,
			'Nothing was changed.',
			"To continue with the other input items when one fails, open this step's settings and set 'On Error' to 'Continue (using error output)'.",
		]);
	});

	it('lists every input item whose record is not found in one error', async () => {
		const { error } = await addRows([good, ...wrong.slice(1)]);
		expect(error!.description!.split('\n').slice(0, 3)).toEqual([
			expect.stringMatching(/^Input item 1: .*no part has the model 'None'/),
			expect.stringMatching(/^Input item 2: .*no area 'Attic'/),
			'Nothing was changed.',
		]);
	});

	it('suggests processing the other input items only if there are any', async () => {
		const { error } = await addRows(wrong.slice(1));
		expect(error?.message).toBe('2 of 2 input items cannot be processed');
		expect(error!.description!.split('\n').at(-1)).toBe('Nothing was changed.');
	});

	it('lists the first ten invalid input items', async () => {
		const rows = Array.from({ length: 12 }, (_, index) => ({ ...good, quantity: `${index} pcs` }));
		const { error } = await addRows([good, ...rows]);
		const lines = error!.description!.split('\n');
		expect(lines[9]).toMatch(/^Input item 10: .*; it is '9 pcs'\.$/);
		expect(lines[10]).toBe('And 2 more.');
	});

	it('lists all invalid fields of an input item before any lookup', async () => {
		const wrongFields = { proposalId: 'x', areaOptionId: by('name', 'Attic') };
		const items = {
			item: [{ itemType: 'Part', catalogItemId: by('model', 'None'), quantity: 'two' }],
		};
		const { error } = await service.workflow('item.add', { ...wrongFields, items, options: {} });
		expect(error?.message).toBe('2 values are invalid');
		expect(error!.description!.split('\n')).toEqual([
			expect.stringMatching(/^'Proposal' must be a numeric ID, .*; it is 'x'/),
			expect.stringMatching(/^Row 1: 'Quantity' must be .*; it is 'two'\.$/),
		]);
		expect(service.control.requests).toEqual([]);
	});

	it('finds an area that an earlier row creates', async () => {
		const rows = [true, false].map((creates) => ({ ...good, room: 'Attic', creates }));
		const { outputs } = await addRows(rows, { createMissingArea: '={{ $json.creates }}' });
		expect(outputs[0]!.map(({ json }) => json.areaName)).toEqual(['Attic', 'Attic']);
		expect(changes()).toEqual(['area.create', 'item.add', 'item.add']);
	});

	it('creates no area if a later row is invalid', async () => {
		await addRows([{ ...good, room: 'Attic' }, wrong[1]!], { createMissingArea: true });
		expect(changes()).toEqual([]);
	});
});

describe('failed requests', () => {
	it('fails because of a rejected lookup before anything is changed', async () => {
		fail('catalog.search', { status: 403 });
		const { error } = await addRows([good, good]);
		expect(error).toMatchObject({ httpCode: '403' });
		expect(changes()).toEqual([]);
	});

	const updateFields = { description: 'Seen' };

	it("adds the input item's number to the error of a failed request", async () => {
		const { accepted } = seed.proposals;
		const update = async (ids: number[], itemsInParallel = 1, more = {}) => {
			const items = ids.map((id) => ({ id }));
			const proposalId = by('id', '={{ $json.id }}');
			const parameters = { proposalId, updateFields, requestOptions: { itemsInParallel } };
			return await service.workflow('proposal.update', parameters, { items, ...more });
		};
		const why = "The proposal's state prevents this change";
		const several = await update([proposalId, accepted]);
		expect(several.error?.message).toBe(`Input item 1: ${why}`);
		expect(several.error).toMatchObject({ httpCode: '409' });
		const { description } = several.error!;
		expect(description).toContain('To continue with the other input items when one fails');
		expect(description).toContain('Processed 1 of 2 input items.');
		expect(description).toContain(
			"To process a list of proposals, set its 'Statuses' filter to Draft.",
		);
		const single = await update([accepted]);
		expect(single.error?.message).toBe(why);
		expect(single.error?.description).not.toMatch(/other input items|Processed/);
		const notDone = await update([accepted, proposalId]);
		expect(notDone.error?.description).not.toContain('Processed');
		// Expect an error that names no input item, because it concerns all of them.
		const credential = service.credential('dealer', { password: 'other' });
		const wrongLogin = await update([proposalId, accepted], 1, { credential });
		expect(wrongLogin.error?.message).toContain('email or password');
		const wrongSetting = await update([proposalId, accepted], 0);
		expect(wrongSetting.error?.message).toBe(
			"'Items in Parallel' must be a whole number from 1 to 50; it is '0'",
		);
	});

	it('explains how to use the number that was entered as an ID', async () => {
		const { number } = service.control.proposal(proposalId);
		const advice =
			"A proposal's number is not its ID.\nTo use the number, set 'Proposal' to 'Number'.";
		const run = async (operation: string, mode: string) => {
			const parameters = { proposalId: by(mode, number as number), updateFields };
			return (await service.workflow(operation, parameters)).error;
		};
		expect((await run('proposal.get', 'id'))?.description).toContain(advice);
		expect((await run('proposal.update', 'id'))?.description).toContain(advice);
		expect(await run('proposal.get', 'number')).toBeUndefined();
	});

	it('lists the input items in which an expression fails', async () => {
		const update = async (count: number) => {
			const parameters = { proposalId: "={{ $('After').item.json.id }}", updateFields };
			const items = Array(count).fill({});
			return (await service.workflow('proposal.update', parameters, { items })).error;
		};
		expect(await update(1)).toMatchObject({ context: { itemIndex: 0 } });
		const lines =
			/^Input item 0: Invalid expression\.\nInput item 1: Invalid expression\.\nNothing was changed\.$/;
		expect(await update(2)).toMatchObject({
			description: expect.stringMatching(lines),
			context: { itemIndex: 0 },
		});
	});

	it('explains how to continue after reads that fail', async () => {
		const rows = [{ id: seed.proposals.viewed }, { id: 'LX65' }];
		const parameters = { proposalId: by('id', '={{ $json.id }}') };
		const { error } = await service.workflow('proposal.get', parameters, { items: rows });
		expect(error?.message).toMatch(/^Input item 1: 'Proposal' must be a numeric ID/);
		expect(error?.description).toMatch(/set 'On Error' to 'Continue \(using error output\)'\.$/);
		expect(error?.description).not.toContain('Nothing was changed');
	});
});
