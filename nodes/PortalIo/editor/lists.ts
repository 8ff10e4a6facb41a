/** Methods that load the lists for the node's fields. Each field declares the name of its method. */
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { Contact } from '../../../client/contact';
import { PortalError } from '../../../client/errors';
import { requireList } from '../../../client/responseShape';
import { contactList, proposalList } from '../../../client/lists';
import {
	areasOf,
	optionsOf,
	PROPOSAL_STATUSES,
	type PlacedOption,
	type ProposalSummary,
} from '../../../client/proposal';
import { path, type ServiceRequest } from '../../../client/request';
import { personName, toLabel, toWords } from '../../shared/text';
import { isEmpty } from '../fields/field';
import { areaId, contactId, itemId } from '../fields/locators';
import { request } from '../operation/requests';
import { findOperation } from '../resources';
import { readContent, contentRequest } from '../resources/aiPaths';
import { catalogList, CATEGORIES, readCategories } from '../resources/catalog';
import { multiSelect, pagedList, wholeList, type Editor } from './editor';
import * as labels from './recordLabels';

const catalogChoices = (parameter: string) =>
	pagedList<IDataObject>({
		list: (searchText, { context }) => {
			const itemType = (context.getCurrentNodeParameter(parameter) as string) || undefined;
			if (itemType === 'Fee') {
				throw new PortalError(
					"Portal.io has no list of fees. Choose 'By ID' and enter the fee's ID.",
				);
			}
			return catalogList({ searchText, itemType });
		},
		label: labels.catalogItemName,
		matchesAllWords: true,
	});

const locationChoices = (contact: (editor: Editor) => Promise<number>) =>
	pagedList<IDataObject>({
		list: async (_, editor) => ({
			request: request.get(path`/public/people/${await contact(editor)}/location`),
			records: 'contactLocations',
			count: 'locationCount',
		}),
		label: labels.locationName,
	});

/** Returns a search method for a list that Portal.io returns in full under `name`. */
const records = (
	name: string,
	label: (record: IDataObject) => string,
	requestOf: (editor: Editor) => ServiceRequest | Promise<ServiceRequest>,
	{ id = 'id', count }: { id?: string; count?: string } = {},
) =>
	wholeList(async (editor) =>
		requireList(await editor.session.send(await requestOf(editor)), name, count).map((record) => ({
			name: label(record),
			value: Number(record[id]),
		})),
	);

const readPlacedOptions = async (editor: Editor): Promise<PlacedOption[]> =>
	optionsOf(await editor.proposal());

export const listSearch = {
	searchContacts: pagedList<Contact>({
		list: (SearchText) => contactList({ SearchText, SortBy: 'FirstName', SortDirection: 'Asc' }),
		label: labels.contactName,
	}),
	searchProposals: pagedList<ProposalSummary>({
		list: (SearchText) =>
			proposalList({ SearchText, SortBy: 'ModifiedDate', SortDirection: 'Desc' }),
		label: labels.proposalName,
		extraTexts: ({ customer }) => [personName(customer), customer?.contactEmail],
		unsearchableWords: PROPOSAL_STATUSES.flatMap((status) =>
			toLabel(status).toLowerCase().split(' '),
		),
	}),
	searchSalespeople: records('users', labels.userName, () => request.get('/public/users'), {
		count: 'usersCount',
	}),
	searchSubscriptions: records(
		'subscriptions',
		labels.subscriptionName,
		() => request.get('/public/webhook/subscriptions'),
		{ id: 'subscriptionId' },
	),
	searchCatalog: catalogChoices('itemType'),
	/** Search method for a field in a row. n8n resolves `&itemType` to the *Item Type* of the same row. */
	searchCatalogOfRow: catalogChoices('&itemType'),
	searchProposalLocations: locationChoices(async (editor) => {
		const { customer } = await editor.proposal();
		if (customer) return customer.id;
		throw new PortalError('Assign a contact to the proposal first');
	}),
	// Use the full path of the field, because n8n's assistant and MCP server do not say which collection contains the
	// list.
	searchContactLocations: locationChoices(
		async (editor) => await editor.chosenId('additionalFields.contactId', contactId),
	),
	searchAreas: wholeList(async (editor) =>
		areasOf(await editor.proposal()).map(({ id, name }) => ({ name, value: id })),
	),
	searchOptionsOfArea: wholeList(async (editor) => {
		const proposal = await editor.proposal();
		const id = await editor.chosenId('areaId', areaId, { proposalId: proposal.id });
		const ofArea = optionsOf(proposal).filter(({ area }) => area.id === id);
		return ofArea.map(labels.optionChoice);
	}),
	searchAreaOptions: wholeList(async (editor) =>
		(await readPlacedOptions(editor)).map(labels.optionChoice),
	),
	searchItems: wholeList(async (editor) =>
		(await readPlacedOptions(editor)).flatMap(labels.itemChoices),
	),
	searchSuppliers: records('suppliers', labels.supplierName, async (editor) => {
		const proposalId = await editor.proposalId();
		const id = await editor.chosenId('itemId', itemId, { proposalId });
		return request.get(path`/public/proposals/${proposalId}/items/${id}/suppliers`);
	}),
	searchChangeOrders: records(
		'changeOrders',
		({ number, name, status }) => `#${number} ${name} (${toLabel(String(status))})`,
		async (editor) =>
			request.get(path`/public/proposals/${await editor.proposalId()}/changeorders`),
	),
	searchContent: wholeList(async (editor) => {
		const proposalId = await editor.proposalId();
		const response = await editor.session.send(contentRequest('GET', proposalId));
		const contents = readContent(response, editor.session.account.baseUrl, proposalId);
		return contents.map(({ id, name, sourceType, status }) => ({
			name: `${String(name)} (${toLabel(String(sourceType))}, ${toLabel(String(status))})`,
			value: Number(id),
		}));
	}),
};

/**
 * Returns the method that loads a multi-select with industries or categories. Each label includes the names of the
 * parents.
 */
const categories = (isIncluded: (isIndustry: boolean, isEmpty: boolean) => boolean) =>
	multiSelect(async (editor) => {
		const all = readCategories(await editor.session.send(CATEGORIES));
		const parentIds = new Set(all.map(({ parentCategoryId }) => parentCategoryId));
		return all
			.filter(({ id, parentCategoryId }) =>
				isIncluded(parentCategoryId === null, !parentIds.has(Number(id))),
			)
			.map(({ id, path: name }) => ({ name, value: Number(id) }));
	});

/**
 * Returns the method that loads a multi-select with choices from the chosen proposal. The editor calls the method even
 * for a new step without a proposal or a credential. Without a proposal, the method returns no choices instead of an
 * error.
 */
function proposalChoices(choices: (option: PlacedOption) => INodePropertyOptions[]) {
	const list = multiSelect(async (editor) => (await readPlacedOptions(editor)).flatMap(choices));
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return isEmpty(this.getCurrentNodeParameter('proposalId')) ? [] : await list.call(this);
	};
}

export const loadOptions = {
	/**
	 * Categories without industries. Categories with subcategories are included, because they can contain items
	 * themselves.
	 */
	getCategories: categories((isIndustry) => !isIndustry),
	getParentCategories: categories((isIndustry, isEmpty) => isIndustry || !isEmpty),
	getItems: proposalChoices(labels.itemChoices),
	getAreaOptions: proposalChoices((option) => [labels.optionChoice(option)]),
	async getOutputFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const readText = (name: string) => String(this.getCurrentNodeParameter(name));
		const output = findOperation(readText('resource'), readText('operation'))?.output;
		if (output === undefined || !('flat' in output)) return [];
		return Object.keys(output.flat)
			.map((value) => ({
				name: toWords(value),
				value,
				description: output.descriptions?.[value],
			}))
			.sort((first, second) => first.name.localeCompare(second.name));
	},
};
