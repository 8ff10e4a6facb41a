/**
 * The workflows that the queue is tried with. One enters each accepted proposal into a table; the
 * other, run from time to time, asks the service which accepted proposals are not in it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { DataTable, StoredWorkflow, Workflow, WorkflowNode } from '../n8n/n8n.mts';
import type { Stage } from '../stage.mts';
import { adapt } from '../workflows.mts';

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

type Part = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'>;

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
	name: 'Proposal Is Accepted',
	type: 'n8n-nodes-portal-io.portalIoTrigger',
	typeVersion: 2,
	parameters: { events: ['proposal.status_changed'], options: { statuses: ['Accepted'] } },
};

const missingOnes: Part[] = [
	{
		name: byTheClock,
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: {},
	},
	{
		name: 'Get Accepted Proposals',
		type: 'n8n-nodes-portal-io.portalIo',
		typeVersion: 1,
		parameters: {
			resource: 'proposal',
			operation: 'getMany',
			returnAll: true,
			filters: {
				statuses: ['Accepted'],
				modifiedAfter: '={{ $now.minus({ days: 1 }).toISO() }}',
			},
		},
	},
	{
		name: 'Keep What Is Missing',
		...atTable({ operation: 'rowNotExists', filters: whereProposalIs('={{ $json.id }}') }),
	},
];

/** What both do with a proposal. A second time they write the same again, not more. */
const entry = (id: string, eventId: string): Part[] => [
	{
		name: 'Get Proposal',
		type: 'n8n-nodes-portal-io.portalIo',
		typeVersion: 1,
		parameters: {
			resource: 'proposal',
			operation: 'get',
			proposalId: { __rl: true, mode: 'id', value: id },
			simplify: false,
		},
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

async function createOrderBook({ n8n, credential }: Stage): Promise<OrderBook> {
	await n8n.createDataTable(table);
	const create = async (name: string, parts: Part[]) =>
		await n8n.createWorkflow(
			adapt(chain(name, parts), {
				credential,
				filesFolder: n8n.filesFolder,
				scheduleSeconds: 300,
			}),
		);
	const eventId = `={{ $('${accepted.name}').item.json.id }}`;
	return {
		enter: await create('Order book', [accepted, ...entry('={{ $json.data.id }}', eventId)]),
		catchUp: await create('Order book: catch up', [
			...missingOnes,
			...entry('={{ $json.id }}', ''),
		]),
	};
}

/** A workflow in which each node follows the one before. */
function chain(name: string, parts: Part[]): Workflow {
	const nodes = parts.map((part, index): WorkflowNode => ({
		id: randomUUID(),
		webhookId: randomUUID(),
		position: [index * 220, 0],
		...part,
	}));
	const links = nodes
		.slice(1)
		.map((node, index) => [
			nodes[index]!.name,
			{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
		]);
	return {
		name,
		nodes,
		connections: Object.fromEntries(links),
		settings: { executionOrder: 'v1' },
	};
}
