/** Tests which fields the editor shows, in a step and in a tool for AI agents. */
import {
	NodeHelpers,
	type INode,
	type INodePropertyCollection,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { loadOptions } from '../../nodes/PortalIo/editor/lists.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

function displayedFields(description: INodeTypeDescription, parameters: object): string[] {
	const values = parameters as INode['parameters'];
	return description.properties
		.filter((one) => NodeHelpers.displayParameter(values, one, { typeVersion: 1 }, description))
		.map(({ name }) => name);
}

const { description } = new PortalIo();
const inStep = (parameters: object) => displayedFields(description, parameters);
const inTool = (parameters: object) =>
	displayedFields({ ...description, name: 'portalIoTool' }, parameters);
const create = { resource: 'area', operation: 'create' };

describe.each([
	['a step', inStep],
	['a tool', inTool],
])('%s', (_, displayed) => {
	it('shows Output only for operations with more than ten fields', () => {
		expect(displayed(create)).toContain('output');
		expect(displayed({ resource: 'user', operation: 'getMany' })).not.toContain('output');
	});

	it('shows Fields only with Selected Fields', () => {
		expect(displayed({ ...create, output: 'selected' })).toContain('fields');
		expect(displayed(create)).not.toContain('fields');
	});
});

it('turns on Return All by default only for Item: Get Many', () => {
	const returningAll = description.properties
		.filter(({ name, default: value }) => name === 'returnAll' && value === true)
		.map(({ displayOptions: { show } = {} }) => `${show!.resource![0]}.${show!.operation![0]}`);
	expect(returningAll).toEqual(['item.getMany']);
});

it('shows the notice about the file only in a tool', () => {
	const upload = { resource: 'aiContent', operation: 'upload' };
	expect(inTool(upload)).toContain('fileNotice');
	expect(inStep(upload)).not.toContain('fileNotice');
});

it('shows the required fields in each row of items', () => {
	const { typeOptions, options } = description.properties.find(({ name }) => name === 'items')!;
	expect(typeOptions).toMatchObject({ hideOptionalFields: true });
	const [{ values }] = options as INodePropertyCollection[] as [INodePropertyCollection];
	const alwaysShown = values.filter(
		(field) => field.required || field.typeOptions?.showEvenWhenOptional,
	);
	expect(alwaysShown.map(({ name }) => name)).toEqual(['itemType', 'catalogItemId', 'quantity']);
	expect(values.map(({ name }) => name)).toContain('parentId');
});

describe('the list of Selected Fields', () => {
	const fieldsOf = async (resource: string, operation: string) => {
		const parameters: Record<string, string> = { resource, operation };
		const context = { getCurrentNodeParameter: (name: string) => parameters[name] };
		return await loadOptions.getOutputFields.call(context as never);
	};

	it('has a label for each field of the output, in alphabetical order', async () => {
		expect(await fieldsOf('area', 'create')).toEqual([
			{ name: 'Area ID', value: 'areaId' },
			{ name: 'Area Name', value: 'areaName' },
			{ name: 'Area Option ID', value: 'areaOptionId' },
			{ name: 'Client Description', value: 'clientDescription' },
			{ name: 'Installer Notes', value: 'installerNotes' },
			{ name: 'Item Count', value: 'itemCount' },
			{ name: 'Proposal ID', value: 'proposalId' },
			{ name: 'Reused', value: 'reused' },
			{ name: 'Status', value: 'status' },
			{ name: 'Total', value: 'total' },
			{ name: 'Total Recurring Service', value: 'totalRecurringService' },
		]);
	});

	it('describes the unit of margins', async () => {
		const fields = await fieldsOf('item', 'refreshCosts');
		const described = fields.filter(({ description: text }) => text !== undefined);
		const percent = expect.stringContaining('percent');
		expect(described).toEqual([
			{ name: 'Margin', value: 'margin', description: percent },
			{ name: 'Margin Before', value: 'marginBefore', description: percent },
		]);
	});

	// `unknown` stands for an operation from a later version of this package.
	it.each(['getSuppliers', 'unknown'])('is empty for item.%s', async (operation) => {
		expect(await fieldsOf('item', operation)).toEqual([]);
	});
});

const OUTLINE = 'proposal.outline.status_update';
const STATUS = 'proposal.status_changed';

it.each<[unknown, boolean]>([
	[[OUTLINE, STATUS], true],
	[[OUTLINE], false],
	[[], false],
	['={{ $vars.events }}', true],
])('shows Only When Status Becomes in the webhook trigger for the events %j: %s', (...row) => {
	const [events, isShown] = row;
	const names = displayedFields(new PortalIoTrigger().description, { events });
	expect(names.includes('statuses')).toBe(isShown);
});

const fieldsOfEvents: Record<string, string[]> = {
	changeOrderStatusChanged: ['event', 'statuses', 'output'],
	contactCreatedOrUpdated: ['event', 'output'],
	paymentStatusChanged: ['event', 'paymentStatuses', 'output'],
	proposalCreated: ['event', 'output', 'options'],
	proposalStatusChanged: ['event', 'statuses', 'output', 'options'],
	proposalUpdated: ['event', 'output', 'options'],
};

it.each(Object.keys(pollEvents))(
	'shows the fields of the event %s in the polling trigger',
	(event) => {
		expect(fieldsOfEvents, `add the fields of ${event}`).toHaveProperty(event);
		const polling = new PortalIoPollingTrigger().description;
		expect(displayedFields(polling, { event })).toEqual(fieldsOfEvents[event]);
	},
);
