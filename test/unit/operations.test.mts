/** What each operation sends, from plain parameters. Expected requests: docs/portal-api.md. */
import { describe, expect, it } from 'vitest';
import { findOperation, registry } from '../../nodes/PortalIo/resources/index.ts';
import { properties } from '../../nodes/PortalIo/description.ts';
import { recordRequests, type Recorded } from '../../scripts/recordedCall.mts';

const declaredAs = (name: string) => {
	const [resource, operation] = name.split('.') as [string, string];
	return findOperation(resource, operation)!;
};
/** Reads plain parameters through the fields of an operation and sends its requests to nobody. */
const sent = async (name: string, parameters: Record<string, unknown>): Promise<Recorded[]> => {
	const operation = declaredAs(name);
	const values = operation.read(parameters, { timezone: 'America/New_York' });
	return await recordRequests(operation, values);
};
/** The requests as plain data. */
const requests = async (...input: Parameters<typeof sent>): Promise<object[]> =>
	(await sent(...input)).map(({ sets: _, ...request }) => JSON.parse(JSON.stringify(request)));
const catalogQuery = { CategoryIds: [], ParentCategoryIds: [], Brands: [], Suppliers: [] };

/** Parameters, and the requests that they make. Only what sets a value is `isRepeatable`. */
type Case = [name: string, parameters: Record<string, unknown>, expected: object | object[]];

describe('an operation sends', () => {
	const cases: Case[] = [
		[
			'proposal.create',
			{ salesPersonId: '7', name: 'Loft' },
			{ method: 'POST', path: '/public/proposals', form: { SalesPersonId: 7, Name: 'Loft' } },
		],
		[
			'proposal.create',
			{ salesPersonId: 7, name: '', additionalFields: { locationId: '8', contactId: '9' } },
			[
				{ method: 'POST', path: '/public/proposals', form: { SalesPersonId: 7 } },
				{
					method: 'POST',
					path: '/public/proposals/48201/contact/9',
					json: { proposalId: 48201, contactId: 9 },
					isRepeatable: true,
					followsCreation: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/48201/location/8',
					json: { proposalId: 48201, locationId: 8 },
					isRepeatable: true,
					followsCreation: true,
				},
				// The responses to assignments may be empty.
				{ method: 'GET', path: '/public/proposals/48201' },
			],
		],
		['proposal.get', { proposalId: 42 }, { method: 'GET', path: '/public/proposals/42' }],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { name: 'New' } },
			{ method: 'POST', path: '/public/proposals/42', form: { Name: 'New' }, isRepeatable: true },
		],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { salesPersonId: 3 } },
			{
				method: 'POST',
				path: '/public/proposals/42',
				form: { SalesPersonId: 3 },
				isRepeatable: true,
			},
		],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { description: '' } },
			{
				method: 'POST',
				path: '/public/proposals/42/description',
				form: { Description: '' },
				isRepeatable: true,
			},
		],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { internalNotes: 'x' } },
			{
				method: 'POST',
				path: '/public/proposals/42/internalnotes',
				form: { InternalNotes: 'x' },
				isRepeatable: true,
			},
		],
		[
			'proposal.update',
			{
				proposalId: 42,
				updateFields: { internalNotes: '', salesPersonId: 3, description: 'x', name: 'New' },
			},
			[
				{
					method: 'POST',
					path: '/public/proposals/42',
					form: { Name: 'New', SalesPersonId: 3 },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/description',
					form: { Description: 'x' },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/internalnotes',
					form: { InternalNotes: '' },
					isRepeatable: true,
				},
			],
		],
		[
			'proposal.assignContact',
			{ proposalId: 42, contactId: '9' },
			{
				method: 'POST',
				path: '/public/proposals/42/contact/9',
				json: { proposalId: 42, contactId: 9 },
				isRepeatable: true,
			},
		],
		[
			'proposal.assignLocation',
			{ proposalId: 42, locationId: 8 },
			{
				method: 'POST',
				path: '/public/proposals/42/location/8',
				json: { proposalId: 42, locationId: 8 },
				isRepeatable: true,
			},
		],
		[
			'proposal.getMany',
			{
				filters: {
					searchText: 'loft',
					// A status that is not known passes: the service may have more of them.
					statuses: ['Draft', 'Sent'],
					contactId: 5,
					modifiedAfter: '2026-01-01T00:00:00.000Z',
					isArchive: false,
				},
				sort: { sortBy: 'Number', sortDirection: 'Desc' },
			},
			{
				method: 'GET',
				path: '/public/proposals',
				query: {
					SearchText: 'loft',
					Statuses: ['Draft', 'Sent'],
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
			{
				method: 'POST',
				path: '/public/proposals/42/items/costupdate',
				form: {},
				isRepeatable: true,
			},
		],
		[
			'item.refreshCosts',
			{ proposalId: 42, itemIds: '1, 2' },
			{
				method: 'POST',
				path: '/public/proposals/42/items/costupdate',
				form: { ProposalItemIds: [1, 2] },
				isRepeatable: true,
			},
		],
		[
			'item.refreshCosts',
			{
				proposalId: 42,
				itemIds: [1],
				options: {
					bodyFormat: 'json',
					extraFields: { field: [{ name: 'force', value: 'true' }] },
				},
			},
			{
				method: 'POST',
				path: '/public/proposals/42/items/costupdate',
				json: { proposalItemIds: [1], force: 'true' },
				isRepeatable: true,
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
				isRepeatable: true,
			},
		],
		[
			'area.create',
			{ proposalId: 42, name: 'Den' },
			{ method: 'POST', path: '/public/proposals/42/area', form: { Name: 'Den' } },
		],
		[
			'areaOption.create',
			{
				proposalId: 42,
				areaId: 5,
				additionalFields: { clientDescription: 'a', installerNotes: 'b' },
			},
			{
				method: 'POST',
				path: '/public/proposals/42/area/5/option',
				form: { ClientDescription: 'a', InternalNotes: 'b' },
			},
		],
		[
			'areaOption.update',
			{ proposalId: 42, areaId: 5, areaOptionId: 6, updateFields: { clientDescription: '' } },
			{
				method: 'POST',
				path: '/public/proposals/42/area/5/option/6/clientdescription',
				alternate: { path: '/public/proposals/42/area-options/6/clientdescription' },
				form: { ClientDescription: '' },
				isRepeatable: true,
			},
		],
		[
			'areaOption.update',
			{ proposalId: 42, areaId: 5, areaOptionId: 6, updateFields: { installerNotes: 'x' } },
			{
				method: 'POST',
				path: '/public/proposals/42/area/5/option/6/installernotes',
				alternate: { path: '/public/proposals/42/area-options/6/installernotes' },
				form: { InstallerNotes: 'x' },
				isRepeatable: true,
			},
		],
		[
			'areaOption.update',
			{
				proposalId: 42,
				areaId: 5,
				areaOptionId: 6,
				updateFields: { installerNotes: '', clientDescription: 'x' },
			},
			[
				{
					method: 'POST',
					path: '/public/proposals/42/area/5/option/6/clientdescription',
					alternate: { path: '/public/proposals/42/area-options/6/clientdescription' },
					form: { ClientDescription: 'x' },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/area/5/option/6/installernotes',
					alternate: { path: '/public/proposals/42/area-options/6/installernotes' },
					form: { InstallerNotes: '' },
					isRepeatable: true,
				},
			],
		],
		[
			'item.add',
			{
				proposalId: 42,
				areaOptionId: 6,
				items: {
					item: [
						{ itemId: '9', itemType: 'Part', quantity: '2.5', parentId: '' },
						{ itemId: 10, itemType: 'Labor', quantity: 0, parentId: 7 },
					],
				},
			},
			{
				method: 'POST',
				path: '/public/proposals/42/items',
				form: {
					AreaOptionId: 6,
					Items: [
						{ itemId: 9, itemType: 'Part', quantity: 2.5 },
						{ itemId: 10, itemType: 'Labor', quantity: 0, parentId: 7 },
					],
				},
			},
		],
		[
			'item.delete',
			{ proposalId: 42, itemIds: '1,2' },
			{ method: 'DELETE', path: '/public/proposals/42/items', form: { ProposalItemIds: [1, 2] } },
		],
		[
			'item.replace',
			{ proposalId: 42, itemId: 1, catalogItemId: 9 },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/replace',
				form: { ItemId: 9 },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { quantity: 0 } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/qty',
				form: { Quantity: 0 },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { sellPrice: 9.5 } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/sellprice',
				form: { SellPrice: 9.5 },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { cost: 0 } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/cost',
				form: { Cost: 0 },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { msrp: '10' } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/msrp',
				form: { Msrp: 10 },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { isCombinedPrice: false } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/combineprice',
				form: { IsCombinedPrice: false },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { isTaxExempt: true } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/taxexempt',
				form: { IsTaxExempt: true },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { isRecurringService: 'false' } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/recurringservice',
				form: { IsRecurringService: false },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { shortDescription: 'x' } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/shortdescription',
				form: { ShortDescription: 'x' },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { clientNote: '' } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/note',
				form: { ClientNote: '' },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { imageUrl: 'https://x.example/a.png' } },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/image',
				form: { ImageUrl: 'https://x.example/a.png' },
				isRepeatable: true,
			},
		],
		[
			'item.update',
			{
				proposalId: 42,
				itemId: 1,
				updateFields: {
					imageUrl: 'https://x.example/a.png',
					clientNote: '',
					shortDescription: 'x',
					isRecurringService: 'false',
					isTaxExempt: true,
					isCombinedPrice: false,
					msrp: '10',
					cost: 0,
					sellPrice: 9.5,
					quantity: 0,
				},
			},
			[
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/qty',
					form: { Quantity: 0 },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/sellprice',
					form: { SellPrice: 9.5 },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/cost',
					form: { Cost: 0 },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/msrp',
					form: { Msrp: 10 },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/combineprice',
					form: { IsCombinedPrice: false },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/taxexempt',
					form: { IsTaxExempt: true },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/recurringservice',
					form: { IsRecurringService: false },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/shortdescription',
					form: { ShortDescription: 'x' },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/note',
					form: { ClientNote: '' },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/image',
					form: { ImageUrl: 'https://x.example/a.png' },
					isRepeatable: true,
				},
			],
		],
		[
			'item.update',
			{
				proposalId: 42,
				itemId: 1,
				updateFields: { isRecurringService: 'false', quantity: 2 },
				options: {
					bodyFormat: 'json',
					extraFields: { field: [{ name: 'reason', value: 'counted' }] },
				},
			},
			[
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/qty',
					json: { quantity: 2, reason: 'counted' },
					isRepeatable: true,
				},
				{
					method: 'POST',
					path: '/public/proposals/42/items/1/recurringservice',
					json: { isRecurringService: false, reason: 'counted' },
					isRepeatable: true,
				},
			],
		],
		[
			'item.move',
			{ proposalId: 42, itemIds: [1], areaOptionId: 6 },
			{
				method: 'POST',
				path: '/public/proposals/42/items/move',
				form: { ProposalItemIds: [1], AreaOptionId: 6 },
				isRepeatable: true,
			},
		],
		[
			'item.copy',
			{ proposalId: 42, itemIds: [1], areaOptionIds: '6,7' },
			{
				method: 'POST',
				path: '/public/proposals/42/items/copy',
				form: { ProposalItemIds: [1], AreaOptionIds: [6, 7] },
			},
		],
		[
			'item.getSuppliers',
			{ proposalId: 42, itemId: 1 },
			{ method: 'GET', path: '/public/proposals/42/items/1/suppliers' },
		],
		[
			'item.setSupplier',
			{ proposalId: 42, itemId: 1, supplierId: 3 },
			{
				method: 'POST',
				path: '/public/proposals/42/items/1/supplier/3',
				form: {},
				isRepeatable: true,
			},
		],
		[
			'catalog.search',
			{
				searchText: 'amp',
				filters: {
					categoryIds: '1,2',
					brands: 'A, B',
					itemType: 'Labor',
					isFavorite: true,
					isCompanyApproved: false,
				},
			},
			{
				method: 'GET',
				path: '/public/catalog',
				query: {
					SearchText: 'amp',
					CategoryIds: [1, 2],
					ParentCategoryIds: [],
					Brands: ['A', 'B'],
					Suppliers: [],
					ItemType: 'Labor',
					IsFavorite: true,
					IsCompanyApproved: false,
				},
			},
		],
		[
			'catalog.search',
			{ searchText: 'amp', filters: { categoryIds: '', brands: '' } },
			['CustomItem', 'Labor', 'Part'].map((ItemType) => ({
				method: 'GET',
				path: '/public/catalog',
				query: { ...catalogQuery, SearchText: 'amp', ItemType },
			})),
		],
		[
			'catalog.search',
			{ filters: { isInStock: true } },
			{ method: 'GET', path: '/public/catalog', query: { ...catalogQuery, IsInStock: true } },
		],
		[
			'catalog.search',
			{ limit: 5, options: { rawResponse: true } },
			{
				method: 'GET',
				path: '/public/catalog',
				query: {
					CategoryIds: [],
					ParentCategoryIds: [],
					Brands: [],
					Suppliers: [],
					PageNumber: 1,
					PageSize: 5,
				},
			},
		],
		[
			'catalog.get',
			{ catalogItemId: 9, itemType: 'CustomItem', options: { extendedDetails: true } },
			{
				method: 'GET',
				path: '/public/catalog/9',
				query: { ExtendedDetails: true, ItemType: 'CustomItem' },
			},
		],
		['catalog.getCategories', {}, { method: 'GET', path: '/public/catalog/categories' }],
		[
			'contact.create',
			{
				partyType: 'Person',
				contactType: 'Client',
				firstName: 'Ann',
				additionalFields: { contactEmail: 'a@x.example' },
			},
			{
				method: 'POST',
				path: '/public/people',
				form: {
					PartyType: 'Person',
					ContactType: 'Client',
					FirstName: 'Ann',
					ContactEmail: 'a@x.example',
				},
			},
		],
		[
			'contact.get',
			{ contactId: 9, options: { includeCounts: true } },
			{ method: 'GET', path: '/public/people/9', query: { IncludeCounts: true } },
		],
		[
			'contact.getMany',
			{
				filters: { partyTypes: ['Person'] },
				sort: { sortBy: 'LastName', sortDirection: 'Desc' },
			},
			{
				method: 'GET',
				path: '/public/people',
				query: { ContactTypes: ['Person'], SortBy: 'LastName', SortDirection: 'Desc' },
			},
		],
		[
			'location.create',
			{
				contactId: 9,
				street: '1 Main St',
				additionalFields: { state: 'CO', country: 'US', isPrimary: true },
			},
			{
				method: 'POST',
				path: '/public/people/9/location',
				form: { Street: '1 Main St', State: 'CO', Country: 'US', IsPrimary: true },
			},
		],
		['location.getMany', { contactId: 9 }, { method: 'GET', path: '/public/people/9/location' }],
		['user.getMany', {}, { method: 'GET', path: '/public/users' }],
		[
			'changeOrder.get',
			{ proposalId: 42, changeOrderId: 3 },
			{ method: 'GET', path: '/public/proposals/42/changeorders/3' },
		],
		[
			'changeOrder.getMany',
			{ proposalId: 42 },
			{ method: 'GET', path: '/public/proposals/42/changeorders' },
		],
		[
			'aiContent.getMany',
			{ proposalId: 42 },
			{
				method: 'GET',
				path: '/public/ai/content',
				query: { ProposalId: 42 },
				alternate: { path: '/public/api/proposals/42/ai/content' },
			},
		],
		[
			'aiContent.upload',
			{ proposalId: '42' },
			[
				{ method: 'GET', path: '/public/proposals/42' },
				{ method: 'POST', path: '/public/api/proposals/42/ai/content', isUpload: true },
			],
		],
		[
			'aiContent.delete',
			{ proposalId: 42, contentId: 3 },
			{
				method: 'DELETE',
				path: '/public/ai/content/3',
				alternate: { path: '/public/api/proposals/42/ai/content/3' },
			},
		],
		[
			'aiOutline.generate',
			{ proposalId: 42 },
			{
				method: 'POST',
				path: '/public/ai/generate-outline',
				json: { proposalId: 42 },
				alternate: { path: '/public/proposals/42/ai/outline' },
			},
		],
		[
			'aiOutline.get',
			{ getBy: 'outline', outlineId: 3 },
			{ method: 'GET', path: '/public/ai/outline/3' },
		],
		[
			'aiOutline.get',
			{ getBy: 'proposal', proposalId: 42 },
			{ method: 'GET', path: '/public/api/proposals/42/ai/outline' },
		],
		[
			'aiBuild.start',
			{ proposalId: 42 },
			{
				method: 'POST',
				path: '/public/ai/build-proposal',
				json: { proposalId: 42 },
				alternate: { path: '/public/proposals/42/ai/build' },
			},
		],
		[
			'webhookSubscription.create',
			{ url: 'https://x.example/h', events: ['proposal.status_changed'], description: '' },
			{
				method: 'POST',
				path: '/public/webhook/subscribe',
				form: { Url: 'https://x.example/h', Events: ['proposal.status_changed'] },
			},
		],
		['webhookSubscription.getMany', {}, { method: 'GET', path: '/public/webhook/subscriptions' }],
		[
			'webhookSubscription.update',
			{ subscriptionId: 3, updateFields: { enabled: false } },
			{
				method: 'POST',
				path: '/public/webhook/subscription/3',
				form: { Enabled: false },
				isRepeatable: true,
			},
		],
		[
			'webhookSubscription.delete',
			{ subscriptionId: 3 },
			{ method: 'DELETE', path: '/public/webhook/unsubscribe/3' },
		],
	];

	it.each(cases)('%s %j', async (name, parameters, expected) =>
		expect(await requests(name, parameters)).toEqual([expected].flat()),
	);

	it.each([
		[
			'item.update',
			{
				proposalId: 42,
				itemId: 1,
				updateFields: {
					imageUrl: '',
					clientNote: '',
					shortDescription: '',
					isRecurringService: true,
					isTaxExempt: true,
					isCombinedPrice: true,
					msrp: 1,
					cost: 1,
					sellPrice: 1,
					quantity: 1,
				},
			},
			[
				['Quantity'],
				['Sell Price'],
				['Cost'],
				['MSRP'],
				['Combined Price'],
				['Tax Exempt'],
				['Recurring Service'],
				['Short Description'],
				['Client Note'],
				['Image URL'],
			],
		],
		[
			'proposal.update',
			{
				proposalId: 42,
				updateFields: { description: '', internalNotes: '', name: 'x', salesPersonId: 1 },
			},
			[['Name', 'Salesperson'], ['Description'], ['Internal Notes']],
		],
		[
			'areaOption.update',
			{
				proposalId: 42,
				areaId: 5,
				areaOptionId: 6,
				updateFields: { clientDescription: '', installerNotes: '' },
			},
			[['Client Description'], ['Installer Notes']],
		],
	])('%s with each request under the labels of its fields', async (name, parameters, labels) => {
		expect((await sent(name, parameters)).map(({ sets }) => sets)).toEqual(labels);
	});

	it.each([
		['proposal.create', { additionalFields: {} }, "'Salesperson' is empty"],
		[
			'proposal.create',
			{ salesPersonId: 7, additionalFields: { locationId: 6 } },
			"'Contact' is empty: a location can only be assigned with its contact",
		],
		['proposal.update', { proposalId: 42, updateFields: {} }, "'Update Fields' is empty"],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { name: ' ' } },
			"'Name' must not be empty",
		],
		['proposal.get', { proposalId: 'P-42' }, "'Proposal' must be an ID"],
		[
			'proposal.update',
			{ proposalId: 42, updateFields: { description: null } },
			"'Description' has no value",
		],
		[
			'contact.getMany',
			{ filters: { partyTypes: ['Firm'] } },
			"'Person or Company' must be one of Company, Person",
		],
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
		['area.create', { proposalId: 42, name: ' ' }, "'Name' must not be empty"],
		['item.add', { proposalId: 42, areaOptionId: 6, items: {} }, "'Items' is empty"],
		[
			'item.add',
			{ proposalId: 42, areaOptionId: 6, items: { item: [{ itemId: 'x' }] } },
			"'Items', row 1: 'Catalog Item' must be an ID",
		],
		['item.delete', { proposalId: 42, itemIds: '' }, "'Item Names or IDs' is empty"],
		['item.update', { proposalId: 42, itemId: 1, updateFields: {} }, "'Update Fields' is empty"],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { cost: 1, quantity: '2,5' } },
			"'Quantity' must be a number",
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { quantity: 1, cost: -1 } },
			"'Cost' must be a number of 0 or more",
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { cost: '' } },
			"'Cost' is empty: enter a number",
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { cost: null } },
			"'Cost' has no value: the expression returned nothing",
		],
		[
			'item.update',
			{ proposalId: 42, itemId: 1, updateFields: { isTaxExempt: null } },
			"'Tax Exempt' has no value",
		],
		[
			'areaOption.update',
			{ proposalId: 42, areaId: 5, areaOptionId: 6, updateFields: {} },
			"'Update Fields' is empty",
		],
		[
			'contact.create',
			{ partyType: 'Company', contactType: 'Client', firstName: 'A' },
			"'Company Name' is empty: a company needs one",
		],
		[
			'contact.create',
			{ partyType: 'Person', contactType: 'Client', firstName: 'x'.repeat(101) },
			"'First Name' has 101 characters: Portal.io accepts up to 100",
		],
		[
			'contact.create',
			{ partyType: 'Individual', contactType: 'Client', firstName: 'A' },
			"'Person or Company' must be one of",
		],
		[
			'location.create',
			{ contactId: 9, street: 'x', additionalFields: { country: 'US' } },
			"'State' is empty",
		],
		['aiOutline.get', { getBy: 'outline', outlineId: '' }, "'Outline' is empty"],
		[
			'webhookSubscription.create',
			{ url: 'x', events: ['proposal.status_changed'] },
			"'URL' must be a full URL",
		],
		['webhookSubscription.create', { url: 'https://x.example', events: [] }, "'Events' is empty"],
		[
			'webhookSubscription.update',
			{ subscriptionId: 3, updateFields: {} },
			"'Update Fields' is empty",
		],
	])('nothing for %s %j', async (name, parameters, message) => {
		await expect(sent(name, parameters)).rejects.toThrow(message);
	});

	it('has a case in this table for every operation', () => {
		const all = Object.entries(registry).flatMap(([resource, { operations }]) =>
			Object.keys(operations).map((name) => `${resource}.${name}`),
		);
		const tested = new Set(cases.map(([name]) => name));
		const missing = all.filter((name) => !tested.has(name));
		expect(missing, 'add to `cases` in test/unit/operations.test.mts what they send').toEqual([]);
		expect(tested.size).toBe(all.length);
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
				expect(operation.action.replace(/ (AI|MSRP)\b/g, '')).toMatch(/^[A-Z][^A-Z]*$/);
				expect(operation.description.length).toBeGreaterThan(30);
			}
			expect(list?.options?.map(({ name }) => name)).toEqual(
				[...(list?.options ?? [])].map(({ name }) => name).sort(),
			);
		}
	});

	it('ties every field to the operation that declares it', () => {
		for (const field of all.slice(1, -1)) {
			expect(field.displayOptions?.show?.resource, field.name).toHaveLength(1);
		}
	});

	it('finds no operation under an inherited name', () => {
		expect(findOperation('constructor', 'name')).toBeUndefined();
		expect(findOperation('proposal', 'constructor')).toBeUndefined();
	});
});
