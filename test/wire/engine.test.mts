/** What n8n's engine does with the node by its settings: pinned data, and what follows no output. */
import { describe, expect, it } from 'vitest';
import { restoredService } from './account.mts';
import { executeWorkflow, type Run } from '../../dev/testbed/nodeRunner.mts';

const service = restoredService();
const run = async (parameters: Run['parameters'], more: Partial<Run> = {}) =>
	await executeWorkflow({ credential: service.account, parameters, ...more });
const none = {
	resource: 'contact',
	operation: 'getMany',
	filters: { searchText: 'nobody has this name' },
};

it('sends nothing for pinned data, which the next step gets', async () => {
	const pinned = [{ json: { id: 1, email: 'pinned@example.com' } }];
	const create = { resource: 'contact', operation: 'create', firstName: 'Nora' };
	const { after, status } = await run(create, { pinned });
	expect(status).toBe('success');
	expect(after.map(({ json }) => json)).toEqual([pinned[0]!.json]);
	expect(service.control.requests).toEqual([]);
});

describe('a list in which nothing is found', () => {
	it('ends the branch, as there is nothing for the next step', async () => {
		const { after, status } = await run(none);
		expect(status).toBe('success');
		expect(after).toEqual([]);
	});

	it('gives the next step one empty item with Always Output Data', async () => {
		const { after, status } = await run(none, { settings: { alwaysOutputData: true } });
		expect(status).toBe('success');
		expect(after.map(({ json }) => json)).toEqual([{}]);
	});

	it('gives the next step what was found alone with Always Output Data', async () => {
		const { after } = await run(
			{ ...none, filters: { searchText: '={{ $json.name }}' } },
			{
				items: [{ name: 'nobody has this name' }, { name: 'Holt' }],
				settings: { alwaysOutputData: true },
			},
		);
		expect(after.length).toBeGreaterThan(0);
		for (const { json } of after) expect(JSON.stringify(json)).toContain('Holt');
	});
});
