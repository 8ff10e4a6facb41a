/**
 * The values behind the labels of all choices, and the conditions of all options. Expected values come from
 * Portal.io's documentation (docs/dev/portal-api.md), and n8n's for the node's own settings.
 */
import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const status = {
	Accepted: 'Accepted',
	Completed: 'Completed',
	Declined: 'Declined',
	Delayed: 'Delayed',
	Draft: 'Draft',
	'Email Failed': 'EmailFailed',
	Expired: 'Expired',
	Submitted: 'Submitted',
	'Viewed By Client': 'ViewedByClient',
};
const webhookEvent = {
	'AI Build Status Changed': 'proposal.build.status_update',
	'AI Outline Status Changed': 'proposal.outline.status_update',
	'Proposal Status Changed': 'proposal.status_changed',
};
const catalogType = { 'Custom Item': 'CustomItem', Labor: 'Labor', Part: 'Part' };
const itemType = { ...catalogType, Fee: 'Fee' };

/** By the resource and operation of the node's fields, or the trigger; then by field. */
const expected: Record<string, Record<string, object>> = {
	'proposal.getMany': {
		Statuses: status,
		'Sort By': {
			'Client Name': 'ClientName',
			'Created Date': 'CreatedDate',
			'Last Modified By Me': 'LastModifiedByMe',
			'Modified Date': 'ModifiedDate',
			Name: 'Name',
			Number: 'Number',
			Status: 'Status',
		},
		'Sort Direction': { Ascending: 'Asc', Descending: 'Desc' },
	},
	'item.add': {
		'Specify Items': { 'Using Fields': 'fields', 'Using JSON': 'json' },
		'Item Type': itemType,
	},
	'item.getMany': { 'Item Types': itemType },
	'item.replace': { 'Item Type': catalogType },
	'catalog.get': { 'Item Type': catalogType },
	'catalog.search': { 'Item Type': catalogType },
	'contact.create': {
		'Person or Company': { Company: 'Company', Person: 'Person' },
		'Contact Type': {
			Client: 'Client',
			Contractor: 'Contractor',
			Employee: 'Employee',
			Other: 'Other',
		},
	},
	'contact.getMany': {
		'Person or Company': { Company: 'Company', Person: 'Person' },
		'Sort By': {
			'Created Date': 'CreatedDate',
			'First Name': 'FirstName',
			'Last Active': 'LastActive',
			'Last Active By Me': 'LastActiveByMe',
			'Last Name': 'LastName',
			'Modified Date': 'ModifiedDate',
		},
		'Sort Direction': { Ascending: 'Asc', Descending: 'Desc' },
	},
	'aiOutline.get': { 'Get By': { Outline: 'outline', Proposal: 'proposal' } },
	'webhookSubscription.create': { Events: webhookEvent },
	'webhookSubscription.update': { Events: webhookEvent },
	portalIoTrigger: {
		'Trigger On': webhookEvent,
		'Only When Status Becomes': status,
		Output: { Raw: 'raw', Simplified: 'simplified' },
	},
	portalIoPollingTrigger: {
		'Trigger On': {
			'Change Order Status Changed': 'changeOrderStatusChanged',
			'Contact Created or Updated': 'contactCreatedOrUpdated',
			'Payment Status Changed': 'paymentStatusChanged',
			'Proposal Created': 'proposalCreated',
			'Proposal Status Changed': 'proposalStatusChanged',
			'Proposal Updated': 'proposalUpdated',
		},
		'Only When Status Becomes': status,
		'Only When Status Becomes (paymentStatuses)': {
			Cancelled: 'Cancelled',
			Declined: 'Declined',
			Paid: 'Paid',
			Pending: 'Pending',
			Refunded: 'Refunded',
			'Requires Action': 'RequiresAction',
			Submitted: 'Submitted',
			Verifying: 'Verifying',
			Viewed: 'Viewed',
		},
		Output: { Raw: 'raw', Simplified: 'simplified' },
	},
};

/** All operations that output more fields than people map have this choice. */
const output = { Raw: 'raw', 'Selected Fields': 'selected', Simplified: 'simplified' };

interface Place {
	/** The operation, such as `item.add`, or the name of the trigger. */
	place: string;
	field: INodeProperties;
	/** The collection with the field, if any. */
	collection?: string;
}

function fieldsOf({ description }: INodeType): Place[] {
	const walk = (fields: INodeProperties[], place: string, collection?: string): Place[] =>
		fields.flatMap((field) => {
			const { resource: [resource] = [], operation: [operation] = [] } =
				field.displayOptions?.show ?? {};
			const own = place === 'portalIo' ? `${resource}.${operation}` : place;
			const inner = (field.options ?? []).flatMap((option) =>
				'values' in option ? option.values : 'type' in option ? [option] : [],
			);
			return [{ place: own, field, collection }, ...walk(inner, own, field.name)];
		});
	return walk(description.properties, description.name);
}

const places = [PortalIo, PortalIoTrigger, PortalIoPollingTrigger].flatMap((node) =>
	fieldsOf(new node()),
);

it('sends the documented value for every label of every choice', () => {
	const actual: typeof expected = {};
	const outputs: object[] = [];
	for (const { place, field } of places) {
		const options = (field.options ?? []) as INodePropertyOptions[];
		const isChoice = ['options', 'multiOptions'].includes(field.type) && options.length > 0;
		if (!isChoice || ['resource', 'operation'].includes(field.name)) continue;
		const values = Object.fromEntries(options.map(({ name, value }) => [name, value]));
		if (field.name === 'output' && place.includes('.')) {
			outputs.push(values);
			continue;
		}
		const isSecond = field.name === 'paymentStatuses';
		actual[place] ??= {};
		actual[place][`${field.displayName}${isSecond ? ' (paymentStatuses)' : ''}`] = values;
	}
	expect(actual).toEqual(expected);
	expect(outputs.length).toBeGreaterThan(20);
	for (const values of outputs) expect(values).toEqual(output);
});

describe('an option in a collection', () => {
	const conditions: Record<string, object> = {
		'aiOutline.generate options.maxWait': { show: { waitForCompletion: [true] } },
		'catalog.search options.rawResponse': { show: { '/output': ['raw'] } },
	};

	it('is shown under exactly these conditions', () => {
		const actual = places
			.filter(({ collection, field }) => collection !== undefined && field.displayOptions)
			.map(({ place, collection, field }) => [
				`${place} ${collection}.${field.name}`,
				field.displayOptions,
			]);
		expect(Object.fromEntries(actual)).toEqual(conditions);
	});
});
