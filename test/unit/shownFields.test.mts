/** What the editor shows, of a step and of a tool for AI agents, and what the tool returns. */
import {
	NodeHelpers,
	type INode,
	type INodePropertyCollection,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { expect, it } from 'vitest';
import { plainValues } from '../../dev/scripts/recordedCall.mts';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { loadOptions } from '../../nodes/PortalIo/editor/lists.ts';
import { selectFields } from '../../nodes/PortalIo/operation/output.ts';
import { location } from '../../nodes/PortalIo/resources/location.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';
import type { Shape } from '../../nodes/shared/simplify.ts';

function shown(description: INodeTypeDescription, parameters: object): string[] {
	const given = parameters as INode['parameters'];
	return description.properties
		.filter((one) => NodeHelpers.displayParameter(given, one, { typeVersion: 1 }, description))
		.map(({ name }) => name);
}

const { description } = new PortalIo();
const inStep = (parameters: object) => shown(description, parameters);
const inTool = (parameters: object) => shown({ ...description, name: 'portalIoTool' }, parameters);
const create = { resource: 'area', operation: 'create' };

it.each([
	['a step', inStep],
	['a tool', inTool],
])('shows Output in %s, and the fields where they are selected', (_, shownIn) => {
	expect(shownIn(create)).toContain('output');
	expect(shownIn(create)).not.toContain('fields');
	expect(shownIn({ ...create, output: 'selected' })).toContain('fields');
	expect(shownIn({ resource: 'user', operation: 'getMany' })).not.toContain('output');
});

const MARGIN = 'In percent, such as 41; empty if the total is 0';

it('names in words what can be selected, with the unit of margins', async () => {
	const chosen: Record<string, string> = { ...create };
	const context = { getCurrentNodeParameter: (name: string) => chosen[name] };
	expect(await loadOptions.getOutputFields.call(context as never)).toEqual([
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
	Object.assign(chosen, { resource: 'item', operation: 'refreshCosts' });
	const fields = await loadOptions.getOutputFields.call(context as never);
	const described = fields.filter(({ description }) => description !== undefined);
	expect(described).toEqual([
		{ name: 'Margin', value: 'margin', description: MARGIN },
		{ name: 'Margin Before', value: 'marginBefore', description: MARGIN },
	]);
	// Without an output, or of a later version of this package.
	for (const operation of ['getSuppliers', 'unknown']) {
		Object.assign(chosen, { resource: 'item', operation });
		expect(await loadOptions.getOutputFields.call(context as never)).toEqual([]);
	}
});

it('shows in a row of items what every item needs, and lets users add the parent', () => {
	const { typeOptions, options } = description.properties.find(({ name }) => name === 'items')!;
	expect(typeOptions).toMatchObject({ hideOptionalFields: true });
	const [{ values }] = options as INodePropertyCollection[] as [INodePropertyCollection];
	const shownFields = values.filter(
		(field) => field.required || field.typeOptions?.showEvenWhenOptional,
	);
	expect(shownFields.map(({ name }) => name)).toEqual(['itemType', 'catalogItemId', 'quantity']);
	expect(values.map(({ name }) => name)).toContain('parentId');
});

it('mentions only in a tool the file that an agent cannot provide', () => {
	const upload = { resource: 'aiContent', operation: 'upload' };
	expect(inTool(upload)).toContain('fileNotice');
	expect(inStep(upload)).not.toContain('fileNotice');
});

const OUTLINE = 'proposal.outline.status_update';
const STATUS = 'proposal.status_changed';

it.each<[unknown, boolean]>([
	[[OUTLINE, STATUS], true],
	[[OUTLINE], false],
	[[], false],
	['={{ $vars.events }}', true],
])('offers Statuses where a trigger can start on one: %j %s', (events, isShown) => {
	const names = shown(new PortalIoTrigger().description, { events });
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
	'shows in the polling trigger what concerns its event: %s',
	(event) => {
		expect(fieldsOfEvents, `add the fields of ${event}`).toHaveProperty(event);
		const { description: polling } = new PortalIoPollingTrigger();
		expect(shown(polling, { event })).toEqual(fieldsOfEvents[event]);
	},
);

/** The ten fields of *Simplified*. */
const flatLocation = {
	locationId: 5,
	contactId: 9,
	street: '1 Elm',
	suite: null,
	city: 'Boise',
	postalCode: null,
	state: null,
	country: null,
	isPrimary: null,
	reused: null,
};

it.each([
	[{}, flatLocation],
	[{ output: 'simplified' }, flatLocation],
	[{ output: 'raw' }, undefined],
	[
		{ output: 'selected', fields: ['city'] },
		{ locationId: 5, city: 'Boise' },
	],
	[{ output: 'selected', fields: [] }, { locationId: 5 }],
])('outputs the selected fields: %j', async (given, expected) => {
	const create = location.operations.create!;
	const values = await plainValues(create, { contactId: 9, street: '1 Elm', ...given });
	const record = { id: 5, contactId: 9, street: '1 Elm', city: 'Boise', phone: '555' };
	const output = create.output as { flat: Shape<never> };
	expect(selectFields(output, record, values)).toEqual(expected ?? record);
});
