/** Runs the example *Costs for my own list* and checks its data table. */
import { expect, it } from 'vitest';
import { newRequests } from '../executions.mts';
import { useExample } from './example.mts';

const { control, environment, run, workflow } = useExample('Costs for my own list');
const rows = async () => await environment().n8n.dataTableRows('portal_costs');
const add = async (...parts: [brand: string, model: string][]) =>
	await environment().n8n.addDataTableRows(
		'portal_costs',
		parts.map(([brand, model]) => ({ brand, model })),
	);

const television = {
	cost: 1240,
	supplier: 'Meridian AV Supply',
	isInStock: true,
	msrp: 1799,
	isDiscontinued: false,
	updatedOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
	result: 'found: Lumenfold LX65',
};

it('succeeds with an empty list', async () => {
	await run('Start by Hand');
	expect(await rows()).toEqual([]);
});

it('fails without changing a row if no costs can be read', async () => {
	await add(['Lumenfold', 'LX65']);
	control().failNext({ operationId: 'catalog.search', status: 403 });
	const { status, error } = await environment().n8n.runManually(workflow(), 'Start by Hand');
	expect([status, error?.message]).toEqual(['error', expect.stringMatching(/^No row got costs\./)]);
	expect(await rows()).toMatchObject([{ model: 'LX65', cost: null, updatedOn: null }]);
});

it('fills in hundreds of rows with at most two requests each', async () => {
	const parts: [string, string][] = [
		['', 'lx-65'],
		['Corvane', 'CV'],
		['', ''],
		['Nobody', 'Unheard 5'],
	];
	while (parts.length < 200) parts.push(['Lumenfold', 'LX65']);
	await add(...parts);
	const requests = newRequests(environment());
	await run('Every Night at 03:00');
	expect(requests().length).toBeLessThanOrEqual(2 * 201);
	const [first, withoutBrand, ambiguous, empty, unknown, ...others] = await rows();
	expect(first).toEqual({ brand: 'Lumenfold', model: 'LX65', ...television });
	expect(withoutBrand).toEqual({ brand: '', model: 'lx-65', ...television });
	expect(others).toEqual(Array(196).fill(first));
	expect(empty).toMatchObject({ cost: null, result: null });
	expect(ambiguous).toMatchObject({
		cost: null,
		result: expect.stringMatching(/Similar items: .*Corvane CV-6C/),
	});
	expect(unknown).toMatchObject({
		cost: null,
		result: expect.stringContaining("no part has the model 'Nobody Unheard 5'"),
	});
});

it('preserves the values in a row whose part no longer exists', async () => {
	control().update('catalog_items', { id: 9001 }, { isDiscontinued: true });
	const before = await rows();
	await add(['Stillgrip', 'SG-T80']);
	await run('Start by Hand');
	const [first] = await rows();
	expect(first).toEqual({ ...before[0], result: expect.stringMatching(/discontinued|no part/) });
});
