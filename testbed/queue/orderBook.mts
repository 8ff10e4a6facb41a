/**
 * The workflows that the queue is tried with. One enters each accepted proposal into a table; the
 * other, run from time to time, asks the service which accepted proposals are not in it.
 */
import assert from 'node:assert/strict';
import type { DataTable, StoredWorkflow } from '../n8n/n8n.mts';
import type { Stage } from '../stage.mts';
import { byId, createChain, portal, portalTrigger, type Part } from '../workflowBuilder.mts';

/** Both workflows, in an n8n. */
export interface OrderBook {
	/** Starts with every accepted proposal. */
	enter: StoredWorkflow;
	/** Starts at the trigger `byTheClock`. */
	catchUp: StoredWorkflow;
}

/** The table of the accepted proposals: one row for each. */
export const table: DataTable = {
	name: 'accepted_proposals',
	columns: [
		{ name: 'proposalId', type: 'number' },
		{ name: 'name', type: 'string' },
		{ name: 'total', type: 'number' },
		// The event that brought it; empty when no event did.
		{ name: 'eventId', type: 'string' },
	],
};

/** The trigger of the second workflow. */
export const byTheClock = 'Every Five Minutes';

const atTable = (parameters: Record<string, unknown>) => ({
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1.1,
	parameters: {
		dataTableId: { __rl: true, mode: 'name', value: table.name },
		matchType: 'allConditions',
		...parameters,
	},
});

const whereProposalIs = (id: string) => ({
	conditions: [{ keyName: 'proposalId', condition: 'eq', keyValue: id }],
});

const accepted: Part = {
	...portalTrigger(['proposal.status_changed'], { statuses: ['Accepted'] }),
	name: 'Proposal Is Accepted',
};

const missingOnes: Part[] = [
	{
		name: byTheClock,
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 300 }] } },
	},
	{
		...portal({
			resource: 'proposal',
			operation: 'getMany',
			returnAll: true,
			filters: {
				statuses: ['Accepted'],
				modifiedAfter: '={{ $now.minus({ days: 1 }).toISO() }}',
			},
		}),
		name: 'Get Accepted Proposals',
	},
	{
		name: 'Keep What Is Missing',
		...atTable({ operation: 'rowNotExists', filters: whereProposalIs('={{ $json.id }}') }),
	},
];

/** What both do with a proposal. A second time they write the same again, not more. */
const entry = (id: string, eventId: string): Part[] => [
	{
		...portal({
			resource: 'proposal',
			operation: 'get',
			proposalId: byId(id),
			simplify: false,
		}),
		name: 'Get Proposal',
	},
	{
		name: 'Row',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			assignments: {
				assignments: [
					['proposalId', '={{ $json.id }}', 'number'],
					['name', '={{ $json.name }}', 'string'],
					['total', '={{ $json.financialSummary.proposalTotal }}', 'number'],
					['eventId', eventId, 'string'],
				].map(([name, value, type]) => ({ id: name, name, value, type })),
			},
			options: {},
		},
	},
	{
		name: 'Save Row',
		...atTable({
			operation: 'upsert',
			filters: whereProposalIs('={{ $json.proposalId }}'),
			columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
			options: {},
		}),
	},
];

/** Makes the table and the workflows, enters what was accepted before, and activates the first. */
export async function openOrderBook(stage: Stage): Promise<OrderBook> {
	const { n8n } = stage;
	const book = await createOrderBook(stage);
	const { status, error } = await n8n.runManually(book.catchUp, byTheClock);
	assert.equal(status, 'success', `entering what was accepted before (${error?.message})`);
	await n8n.activate(book.enter);
	return book;
}

async function createOrderBook(stage: Stage): Promise<OrderBook> {
	await stage.n8n.createDataTable(table);
	const eventId = `={{ $('${accepted.name}').item.json.id }}`;
	return {
		enter: await createChain(stage, 'Order book', [
			accepted,
			...entry('={{ $json.data.id }}', eventId),
		]),
		catchUp: await createChain(stage, 'Order book: catch up', [
			...missingOnes,
			...entry('={{ $json.id }}', ''),
		]),
	};
}
