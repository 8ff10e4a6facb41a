/** What each operation sends, from plain parameters; expected after the tables of operations.md. */
import { describe, expect, it } from 'vitest';
import { findOperation, registry } from '../../nodes/PortalIo/actions/registry.ts';
import { properties } from '../../nodes/PortalIo/description.ts';

const request = (name: string, parameters: Record<string, unknown>) => {
	const [resource, operation] = name.split('.') as [string, string];
	const { method, path, query, form, json } = findOperation(resource, operation)!.request(
		parameters,
	);
	return JSON.parse(JSON.stringify({ method, path, query, form, json }));
};

describe('an operation sends', () => {
	it.each([
		[
			'proposal.create',
			{ salesPersonId: '7', additionalFields: { name: 'Loft' } },
			{ method: 'POST', path: '/public/proposals', form: { SalesPersonId: 7, Name: 'Loft' } },
		],
		[
			'proposal.create',
			{ salesPersonId: 7, additionalFields: {} },
			{ method: 'POST', path: '/public/proposals', form: { SalesPersonId: 7 } },
		],
		['proposal.get', { proposalId: 42 }, { method: 'GET', path: '/public/proposals/42' }],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { name: 'New' } },
			{ method: 'POST', path: '/public/proposals/42', form: { Name: 'New' } },
		],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { salesPersonId: 3 } },
			{ method: 'POST', path: '/public/proposals/42', form: { SalesPersonId: 3 } },
		],
		[
			'proposal.updateDescription',
			{ proposalId: 42, description: '' },
			{ method: 'POST', path: '/public/proposals/42/description', form: { Description: '' } },
		],
		[
			'proposal.updateInternalNotes',
			{ proposalId: 42, internalNotes: 'x' },
			{ method: 'POST', path: '/public/proposals/42/internalnotes', form: { InternalNotes: 'x' } },
		],
		[
			'proposal.assignContact',
			{ proposalId: 42, contactId: '9' },
			{
				method: 'POST',
				path: '/public/proposals/42/contact/9',
				json: { proposalId: 42, contactId: 9 },
			},
		],
		[
			'proposal.assignLocation',
			{ proposalId: 42, locationId: 8 },
			{
				method: 'POST',
				path: '/public/proposals/42/location/8',
				json: { proposalId: 42, locationId: 8 },
			},
		],
		[
			'proposal.getMany',
			{
				filters: {
					searchText: 'loft',
					statuses: ['Draft', 'Submitted'],
					contactId: 5,
					modifiedAfter: '2026-01-01T00:00:00.000Z',
					isArchive: false,
				},
				options: { sortBy: 'Number', sortDirection: 'Desc' },
			},
			{
				method: 'GET',
				path: '/public/proposals',
				query: {
					SearchText: 'loft',
					Statuses: ['Draft', 'Submitted'],
					ContactId: 5,
					ModifiedAfter: '2026-01-01T00:00:00.000Z',
					IsArchive: false,
					SortBy: 'Number',
					SortDirection: 'Desc',
				},
			},
		],
		['proposal.getMany', {}, { method: 'GET', path: '/public/proposals', query: { Statuses: [] } }],
		['item.getMany', { proposalId: 42 }, { method: 'GET', path: '/public/proposals/42' }],
		[
			'item.refreshCosts',
			{ proposalId: 42, itemIds: '' },
			{ method: 'POST', path: '/public/proposals/42/items/costupdate', form: {} },
		],
		[
			'item.refreshCosts',
			{ proposalId: 42, itemIds: '1, 2' },
			{
				method: 'POST',
				path: '/public/proposals/42/items/costupdate',
				form: { ProposalItemIds: [1, 2] },
			},
		],
		[
			'item.refreshCosts',
			{
				proposalId: 42,
				itemIds: [1],
				options: { bodyFormat: 'json', extraFields: { field: [{ name: 'force', value: 'true' }] } },
			},
			{
				method: 'POST',
				path: '/public/proposals/42/items/costupdate',
				json: { proposalItemIds: [1], force: 'true' },
			},
		],
		[
			'item.refreshCosts',
			{
				proposalId: 42,
				itemIds: [1],
				options: { extraFields: { field: [{ name: 'ProposalItemIds', value: '9' }] } },
			},
			{
				method: 'POST',
				path: '/public/proposals/42/items/costupdate',
				form: { ProposalItemIds: '9' },
			},
		],
	])('%s %j', (name, parameters, expected) => expect(request(name, parameters)).toEqual(expected));

	it.each([
		['proposal.create', { additionalFields: {} }, "'Salesperson' is empty"],
		['proposal.update', { proposalId: 42, updateFields: {} }, "'Update Fields' is empty"],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { name: ' ' } },
			"'Name' must not be empty",
		],
		['proposal.get', { proposalId: 'P-42' }, "'Proposal' must be an ID"],
		['proposal.updateDescription', { proposalId: 42 }, "'Description' has no value"],
		['proposal.getMany', { filters: { statuses: ['Sent'] } }, "'Statuses' must be one of Accepted"],
		[
			'item.getMany',
			{ proposalId: 42, filters: { itemTypes: ['part'] } },
			"'Item Types' must be one of",
		],
		[
			'item.refreshCosts',
			{ proposalId: 42, options: { bodyFormat: 'xml' } },
			"'Body Format' must be one of",
		],
	])('nothing for %s %j', (name, parameters, message) => {
		expect(() => request(name, parameters)).toThrow(message);
	});
});

describe('the description of the node', () => {
	const all = properties();

	it('offers every operation of the registry with an action and a description', () => {
		for (const [resource, { operations }] of Object.entries(registry)) {
			const list = all.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			);
			expect(list?.options?.map((option) => (option as { value: string }).value)).toEqual(
				Object.keys(operations),
			);
			for (const operation of Object.values(operations)) {
				expect(operation.action).toMatch(/^[A-Z][^A-Z]*$/);
				expect(operation.description.length).toBeGreaterThan(30);
			}
			expect(list?.options?.map(({ name }) => name)).toEqual(
				[...(list?.options ?? [])].map(({ name }) => name).sort(),
			);
		}
	});

	it('ties every field to the operation that declares it', () => {
		for (const field of all.slice(1)) {
			expect(field.displayOptions?.show?.resource, field.name).toHaveLength(1);
		}
	});

	it('finds no operation under an inherited name', () => {
		expect(findOperation('constructor', 'name')).toBeUndefined();
		expect(findOperation('proposal', 'constructor')).toBeUndefined();
	});
});
