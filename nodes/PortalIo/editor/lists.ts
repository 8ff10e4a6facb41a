/** The lists of the node's fields, by the names that the fields use. */
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import {
	areasOf,
	optionsOf,
	PROPOSAL_STATUSES,
	type Contact,
	type PlacedOption,
	type ProposalSummary,
} from '../../../client/model';
import { contactList, proposalList } from '../../../client/pages';
import { path, type ServiceRequest } from '../../../client/request';
import { listOrNone, takeList } from '../../../client/response';
import { personName, toLabel, toWords } from '../../shared/labels';
import { areaId, contactId, itemId } from '../fields/locators';
import { findOperation } from '../resources';
import { listContent } from '../resources/aiContent';
import { catalogPages } from '../resources/catalog';
import { multiSelect, pagedList, wholeList, type Editor } from './editor';
import * as labels from './recordLabels';

const get = (path: string): ServiceRequest => ({ method: 'GET', path });

const catalogOf = (parameter: string) =>
	pagedList<IDataObject>({
		list: (SearchText, { context }) => {
			const ItemType = (context.getCurrentNodeParameter(parameter) as string) || undefined;
			if (ItemType === 'Fee') {
				throw new PortalError(
					"Portal.io has no list of fees: choose 'By ID' and enter the ID of the fee",
				);
			}
			const request = { ...get('/public/catalog'), query: { SearchText, ItemType } };
			return { request, ...catalogPages(ItemType) };
		},
		label: labels.catalogItemName,
		findsWords: true,
	});

const locationsOf = (contact: (editor: Editor) => Promise<number>) =>
	pagedList<IDataObject>({
		list: async (_, editor) => ({
			request: get(path`/public/people/${await contact(editor)}/location`),
			records: 'contactLocations',
			count: 'locationCount',
		}),
		label: labels.locationName,
	});

/** A list that Portal.io returns whole, under `name`. */
const records = (
	name: string,
	label: (record: IDataObject) => string,
	request: (editor: Editor) => ServiceRequest | Promise<ServiceRequest>,
	{ id = 'id', count }: { id?: string; count?: string } = {},
) =>
	wholeList(async (editor) =>
		takeList(await editor.send(await request(editor)), name, count).map((one) => ({
			name: label(one),
			value: Number(one[id]),
		})),
	);

const options = async (editor: Editor): Promise<PlacedOption[]> =>
	optionsOf(await editor.proposal());

/** The lists of resource locators. */
export const listSearch = {
	searchContacts: pagedList<Contact>({
		list: (SearchText) => contactList({ SearchText, SortBy: 'FirstName', SortDirection: 'Asc' }),
		label: labels.contactName,
	}),
	searchProposals: pagedList<ProposalSummary>({
		list: (SearchText) =>
			proposalList({ SearchText, SortBy: 'ModifiedDate', SortDirection: 'Desc' }),
		label: labels.proposalName,
		also: ({ customer }) => [personName(customer), customer?.contactEmail].join(' '),
		notSearched: PROPOSAL_STATUSES.flatMap((one) => toLabel(one).toLowerCase().split(' ')),
	}),
	searchSalespeople: records('users', labels.userName, () => get('/public/users'), {
		count: 'usersCount',
	}),
	searchSubscriptions: records(
		'subscriptions',
		labels.subscriptionName,
		() => get('/public/webhook/subscriptions'),
		{ id: 'subscriptionId' },
	),
	searchCatalog: catalogOf('itemType'),
	/** `&` refers to a field of the same row. */
	searchCatalogOfRow: catalogOf('&itemType'),
	searchProposalLocations: locationsOf(async (editor) => {
		const { customer } = await editor.proposal();
		if (customer) return customer.id;
		throw new PortalError('Assign a contact to the proposal first');
	}),
	searchContactLocations: locationsOf(
		async (editor) => await editor.chosen('&contactId', contactId),
	),
	searchAreas: wholeList(async (editor) =>
		areasOf(await editor.proposal()).map(({ id, name }) => ({ name, value: id })),
	),
	searchOptionsOfArea: wholeList(async (editor) => {
		const proposal = await editor.proposal();
		const id = await editor.chosen('areaId', areaId, { proposalId: proposal.id });
		const ofArea = optionsOf(proposal).filter(({ area }) => area.id === id);
		return ofArea.map(labels.optionChoice);
	}),
	searchAreaOptions: wholeList(async (editor) => (await options(editor)).map(labels.optionChoice)),
	searchItems: wholeList(async (editor) => (await options(editor)).flatMap(labels.itemChoices)),
	searchSuppliers: records('suppliers', labels.supplierName, async (editor) => {
		const proposalId = await editor.proposalId();
		const id = await editor.chosen('itemId', itemId, { proposalId });
		return get(path`/public/proposals/${proposalId}/items/${id}/suppliers`);
	}),
	searchChangeOrders: records(
		'changeOrders',
		({ number, name, status }) => `#${number} ${name} (${toLabel(String(status))})`,
		async (editor) => get(path`/public/proposals/${await editor.proposalId()}/changeorders`),
	),
	searchContent: records(
		'items',
		({ name, sourceType, status }) =>
			`${name} (${toLabel(String(sourceType))}, ${toLabel(String(status))})`,
		async (editor) => listContent(await editor.proposalId()),
	),
};

/** An industry or category with all below it, each after its place: `Audio / Speakers`. */
function categoriesFrom({ id, name, ...more }: IDataObject, place = ''): Category[] {
	const below = ['categories', 'subCategories'].flatMap((one) => listOrNone(more, one));
	const label = `${place}${String(name)}`;
	const own = {
		name: label,
		value: Number(id),
		isIndustry: place === '',
		isEmpty: below.length === 0,
	};
	return [own, ...below.flatMap((one) => categoriesFrom(one as IDataObject, `${label} / `))];
}

interface Category {
	name: string;
	value: number;
	isIndustry: boolean;
	isEmpty: boolean;
}

const categories = (isWanted: (category: Category) => boolean) =>
	multiSelect(async (editor) =>
		takeList(await editor.send(get('/public/catalog/categories')), 'industries')
			.flatMap((one) => categoriesFrom(one))
			.filter(isWanted)
			.map(({ name, value }) => ({ name, value })),
	);

/** The editor loads these lists as soon as the node is opened, and would show an error at once. */
const ofChosenProposal = (choices: (option: PlacedOption) => INodePropertyOptions[]) =>
	multiSelect(async (editor) =>
		editor.has('proposalId') ? (await options(editor)).flatMap(choices) : [],
	);

/** The lists of multi-selects. */
export const loadOptions = {
	/** Also categories with subcategories: they can have items of their own. */
	getCategories: categories(({ isIndustry }) => !isIndustry),
	getParentCategories: categories(({ isIndustry, isEmpty }) => isIndustry || !isEmpty),
	getItems: ofChosenProposal(labels.itemChoices),
	getAreaOptions: ofChosenProposal((one) => [labels.optionChoice(one)]),
	/** The fields that the chosen operation can output. */
	async getOutputFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const chosen = (name: string) => String(this.getCurrentNodeParameter(name));
		const output = findOperation(chosen('resource'), chosen('operation'))?.output;
		return Object.keys(output !== undefined && 'flat' in output ? output.flat : {})
			.map((value) => ({ name: toWords(value), value }))
			.sort((one, other) => one.name.localeCompare(other.name));
	},
};
