/** The lists of the node's resource locators, by the name that their fields use. */
import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../client/encoding';
import { takeList } from '../../../client/data';
import {
	areasOf,
	optionsOf,
	PROPOSAL_STATUSES,
	type Contact,
	type ProposalSummary,
	type Subscription,
} from '../../../client/model';
import type { PagedList } from '../../../client/pages';
import { personName } from '../../shared/contact';
import { toLabel } from '../../shared/labels';
import { areaId, contactId, itemId } from '../fields/locators';
import { listContent } from '../resources/aiContent';
import { catalogPages } from '../resources/catalog';
import { pagedList, wholeList } from './lists';
import * as labels from './recordLabels';

export const searchContacts = pagedList<Contact>({
	list: (SearchText) => ({
		request: {
			method: 'GET',
			path: '/public/people',
			query: { SearchText, SortBy: 'FirstName', SortDirection: 'Asc' },
		},
		records: 'people',
		count: 'peopleCount',
	}),
	choice: (contact) => ({ name: labels.contactName(contact), value: contact.id }),
});

export const searchProposals = pagedList<ProposalSummary>({
	list: (SearchText) => ({
		request: {
			method: 'GET',
			path: '/public/proposals',
			query: { SearchText, SortBy: 'ModifiedDate', SortDirection: 'Desc' },
		},
		records: 'proposals',
		count: 'proposalCount',
	}),
	choice: (proposal) => ({
		name: labels.proposalName(proposal),
		value: proposal.id,
		also: labels.label(' ', personName(proposal.customer), proposal.customer?.contactEmail),
	}),
	notSearched: PROPOSAL_STATUSES.flatMap((one) => toLabel(one).toLowerCase().split(' ')),
});

export const searchSalespeople = wholeList(async (editor) =>
	takeList(await editor.get('/public/users'), 'users', 'usersCount').map((user) => ({
		name: labels.userName(user),
		value: Number(user.id),
	})),
);

export const searchSubscriptions = wholeList(async (editor) => {
	const subscriptions = takeList(
		await editor.get('/public/webhook/subscriptions'),
		'subscriptions',
	);
	return (subscriptions as unknown as Subscription[]).map((one) => ({
		name: labels.subscriptionName(one),
		value: one.subscriptionId,
	}));
});

const catalogOf = (parameter: string) =>
	pagedList<IDataObject>({
		list: (SearchText, editor) => {
			const ItemType = (editor.context.getCurrentNodeParameter(parameter) as string) || undefined;
			if (ItemType === 'Fee') {
				throw editor.error(
					"Portal.io has no list of fees: choose 'By ID' and enter the ID of the fee",
				);
			}
			const query = { SearchText, ItemType };
			return {
				request: { method: 'GET', path: '/public/catalog', query },
				...catalogPages(ItemType),
			};
		},
		choice: (record) => ({ name: labels.catalogItemName(record), value: Number(record.id) }),
		findsWords: true,
	});

export const searchCatalog = catalogOf('itemType');
/** `&` refers to a field of the same row. */
export const searchCatalogOfRow = catalogOf('&itemType');

const locationsOf = (contactId: number): PagedList => ({
	request: { method: 'GET', path: path`/public/people/${contactId}/location` },
	records: 'contactLocations',
	count: 'locationCount',
});

const locationChoice = (location: IDataObject) => ({
	name: labels.locationName(location),
	value: location.id ? Number(location.id) : undefined,
});

export const searchProposalLocations = pagedList<IDataObject>({
	list: async (_, editor) => {
		const { customer } = await editor.proposal();
		if (customer) return locationsOf(customer.id);
		throw editor.error('Assign a contact to the proposal first');
	},
	choice: locationChoice,
});

export const searchContactLocations = pagedList<IDataObject>({
	list: async (_, editor) => locationsOf(await editor.chosen('&contactId', contactId)),
	choice: locationChoice,
});

export const searchAreas = wholeList(async (editor) =>
	areasOf(await editor.proposal()).map(({ id, name }) => ({ name, value: id })),
);

export const searchOptionsOfArea = wholeList(async (editor) => {
	const proposal = await editor.proposal();
	const id = await editor.chosen('areaId', areaId, { proposalId: proposal.id });
	const ofArea = optionsOf(proposal).filter(({ area }) => area.id === id);
	return ofArea.map(labels.optionChoice);
});

export const searchAreaOptions = wholeList(async (editor) =>
	optionsOf(await editor.proposal()).map(labels.optionChoice),
);

export const searchItems = wholeList(async (editor) =>
	optionsOf(await editor.proposal()).flatMap(labels.itemChoices),
);

export const searchSuppliers = wholeList(async (editor) => {
	const proposalId = await editor.proposalId();
	const id = await editor.chosen('itemId', itemId, { proposalId });
	const answer = await editor.get(path`/public/proposals/${proposalId}/items/${id}/suppliers`);
	return takeList(answer, 'suppliers').map((supplier) => ({
		name: labels.supplierName(supplier),
		value: Number(supplier.id),
	}));
});

export const searchChangeOrders = wholeList(async (editor) => {
	const answer = await editor.get(
		path`/public/proposals/${await editor.proposalId()}/changeorders`,
	);
	return takeList(answer, 'changeOrders').map((one) => ({
		name: `#${one.number} ${one.name} (${toLabel(String(one.status))})`,
		value: Number(one.id),
	}));
});

export const searchContent = wholeList(async (editor) => {
	const { path: ofContent, ...more } = listContent(await editor.proposalId());
	return takeList(await editor.get(ofContent, more), 'items').map((one) => ({
		name: `${one.name} (${toLabel(String(one.sourceType))}, ${toLabel(String(one.status))})`,
		value: Number(one.id),
	}));
});
