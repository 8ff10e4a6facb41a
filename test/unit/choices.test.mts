/**
 * Tests which value the editor stores for each label, and when it shows each field. The values come from Portal.io's
 * documentation (docs/dev/portal-api.md).
 */
import type { INodeProperties, INodePropertyMode, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
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

const triggerOutput = { Raw: 'raw', Simplified: 'simplified' };

/** Value for each label, by operation, trigger, or credential, and by field. */
const documentedChoices: Record<string, Record<string, object>> = {
	portalIoApi: {
		Environment: { Custom: 'custom', Production: 'production', Sandbox: 'sandbox' },
	},
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
		Output: triggerOutput,
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
			Draft: 'Draft',
			Paid: 'Paid',
			Pending: 'Pending',
			Refunded: 'Refunded',
			'Requires Action': 'RequiresAction',
			Submitted: 'Submitted',
			Verifying: 'Verifying',
			Viewed: 'Viewed',
		},
		Output: triggerOutput,
	},
};

/** Value for each label of *Output*, in every operation that outputs more than ten fields. */
const operationOutput = { Raw: 'raw', 'Selected Fields': 'selected', Simplified: 'simplified' };

/** Mode for each label, in every field that chooses a record. */
const modes = {
	'By ID': 'id',
	'By URL': 'url',
	Email: 'email',
	'From List': 'list',
	Model: 'model',
	Name: 'name',
	Number: 'number',
};

interface Place {
	/** Operation such as `item.add`, or name of the trigger or credential. */
	place: string;
	field: INodeProperties;
	/** Collection that contains the field, if any. */
	collection?: string;
}

function fieldsOf({ name, properties }: { name: string; properties: INodeProperties[] }): Place[] {
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
	return walk(properties, name);
}

const places = [
	new PortalIoApi(),
	new PortalIo().description,
	new PortalIoTrigger().description,
	new PortalIoPollingTrigger().description,
].flatMap(fieldsOf);

const valuesByLabel = (options: INodePropertyOptions[]) =>
	Object.fromEntries(options.map(({ name, value }) => [name, value]));

describe('labels in the editor', () => {
	it('stand for the documented values in every list of choices', () => {
		const actual: typeof documentedChoices = {};
		const outputs: object[] = [];
		for (const { place, field } of places) {
			const options = (field.options ?? []) as INodePropertyOptions[];
			const isChoice = ['options', 'multiOptions'].includes(field.type) && options.length > 0;
			// Skip the resource and operation, because their labels are in the generated docs (`npm run docs`).
			if (!isChoice || ['resource', 'operation'].includes(field.name)) continue;
			if (field.name === 'output' && place.includes('.')) {
				outputs.push(valuesByLabel(options));
				continue;
			}
			const isSecond = field.name === 'paymentStatuses';
			actual[place] ??= {};
			actual[place][`${field.displayName}${isSecond ? ' (paymentStatuses)' : ''}`] =
				valuesByLabel(options);
		}
		expect(actual).toEqual(documentedChoices);
		expect(outputs.length).toBeGreaterThan(20);
		for (const values of outputs) expect(values).toEqual(operationOutput);
	});

	it('stand for the same mode in every field that chooses a record', () => {
		const all = places.flatMap(({ field }) => (field.modes ?? []) as INodePropertyMode[]);
		expect(Object.fromEntries(all.map((one) => [one.displayName, one.name]))).toEqual(modes);
		expect(Object.fromEntries(all.map((one) => [one.name, one.displayName]))).toEqual(
			Object.fromEntries(Object.entries(modes).map(([label, name]) => [name, label])),
		);
	});
});

describe('a condition for showing a field', () => {
	/**
	 * Conditions other than resource and operation, by field. *Fields* and *Limit* are missing, because each has the
	 * same condition in all operations.
	 */
	const conditions: Record<string, object> = {
		'aiContent.upload fileNotice': { '@tool': [true] },
		'aiOutline.generate options.maxWait': { waitForCompletion: [true] },
		'aiOutline.get outlineId': { getBy: ['outline'] },
		'aiOutline.get proposalId': { getBy: ['proposal'] },
		'catalog.search options.rawResponse': { '/output': ['raw'] },
		'contact.create companyName': { partyType: ['Company'] },
		'item.add items': { specifyItems: ['fields'] },
		'item.add itemsJson': { specifyItems: ['json'] },
		'portalIoApi baseUrl': { environment: ['custom'] },
		'portalIoPollingTrigger options': {
			event: ['proposalStatusChanged', 'proposalCreated', 'proposalUpdated'],
		},
		'portalIoPollingTrigger paymentStatuses': { event: ['paymentStatusChanged'] },
		'portalIoPollingTrigger statuses': {
			event: ['proposalStatusChanged', 'changeOrderStatusChanged'],
		},
		'portalIoTrigger statuses': { events: ['proposal.status_changed'] },
	};
	const conditional = places.flatMap(({ place, collection, field }) => {
		const show = { ...field.displayOptions?.show };
		delete show.resource;
		delete show.operation;
		const path = [collection, field.name].filter(Boolean).join('.');
		return Object.keys(show).length === 0 ? [] : [{ path, name: `${place} ${path}`, show }];
	});
	const named = (...paths: string[]) => conditional.filter(({ path }) => paths.includes(path));

	it('matches the list in this test for every field except Fields and Limit', () => {
		const others = conditional.filter((one) => !named('fields', 'limit').includes(one));
		const actual = others.map(({ name, show }) => [name, show]);
		expect(Object.fromEntries(actual)).toEqual(conditions);
	});

	it.each([
		['fields', { output: ['selected'] }],
		['limit', { returnAll: [false] }],
	])('is the same for %s in all operations', (name, condition) => {
		const all = places.filter(({ field, collection }) => !collection && field.name === name);
		expect(all.length).toBeGreaterThan(10);
		expect(named(name).map(({ show }) => show)).toEqual(all.map(() => condition));
	});
});

it('fills each number field with the documented default', () => {
	const numbers = places
		.filter(({ field }) => typeof field.default === 'number')
		.map(({ field }) => [field.name, field.default]);
	expect(Object.fromEntries(numbers)).toEqual({
		chunkSize: 8,
		itemsInParallel: 5,
		limit: 50,
		maxWait: 600,
		quantity: 1,
		requestAttempts: 4,
		toleranceSeconds: 300,
	});
});
