/** How n8n's own nodes reach the stand-ins of other systems, and nothing else. */
import axios from 'axios';
import { expect, test } from 'vitest';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { chain, manualStart, type Part } from '../../testbed/workflowBuilder.mts';
import { adapt } from '../../testbed/workflows.mts';
import { ownStage } from './stages.mts';

const stage = ownStage();
const quickBooks = () => stage().others.systems.quickBooks;

/** Creates a workflow and gives its step the credential of the system that it asks. */
const createAdapted = async (name: string, parts: Part[]) =>
	await stage().n8n.createWorkflow(adapt(chain(name, parts, stage().credential), stage()));

const getItems = {
	name: 'Get Items',
	type: 'n8n-nodes-base.quickbooks',
	parameters: { resource: 'item', operation: 'getAll', returnAll: true },
};

test('the QuickBooks node reads from the stand-in', async () => {
	const workflow = await createAdapted('Read QuickBooks', [manualStart, getItems]);
	const names = async () => {
		const execution = await stage().n8n.runManually(workflow, 'Start');
		expect(execution.error).toBeUndefined();
		return itemsOf<{ Name: string }>(execution, 'Get Items').map(({ Name }) => Name);
	};
	const expected = quickBooks().items.map(({ Name }) => Name);
	expect(expected.length).toBeGreaterThan(10);
	expect(await names()).toEqual(expected);
});

test('every other host is refused', async () => {
	const parameters = { url: 'https://www.example.com/', options: {} };
	const ask = { name: 'Ask', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.4, parameters };
	const workflow = await createAdapted('Ask another host', [manualStart, ask]);
	const { status, error } = await stage().n8n.runManually(workflow, 'Start');
	expect(status).toBe('error');
	expect(error?.description ?? error?.message).toContain('www.example.com is not played here');
});

test('a person sees what a stand-in holds', async () => {
	quickBooks().addCustomer({ DisplayName: 'Maren <b>Holt</b>' });
	const { data } = await axios.get<string>(stage().others.pageOf(quickBooks()));
	expect(data).toContain('Maren &lt;b&gt;Holt&lt;/b&gt;');
});
