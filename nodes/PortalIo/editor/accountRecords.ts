/** Lists of what the account has. */
import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { path } from '../../../client/encoding';
import { takeList } from '../../../client/data';
import type { Contact, ProposalSummary, Subscription } from '../../../client/model';
import type { PagedList } from '../../../client/pages';
import { send } from '../../../client/request';
import { openSession } from '../../../client/session';
import { catalogPages } from '../resources/catalog/pages';
import { contactId } from '../fields/locators';
import { chosen, chosenProposal } from './choices';
import { pagedList, wholeList } from './lists';
import { catalogItemName, contactName, label, proposalName, userName } from './recordLabels';

export const searchContacts = pagedList<Contact>(
	(_context, filter) => ({
		request: {
			method: 'GET',
			path: '/public/people',
			query: { SearchText: filter, SortBy: 'FirstName', SortDirection: 'Asc' },
		},
		records: 'people',
		count: 'peopleCount',
	}),
	(contact) => ({ name: contactName(contact), value: contact.id }),
);

/** The latest change first. */
export const searchProposals = pagedList<ProposalSummary>(
	(_context, filter) => ({
		request: {
			method: 'GET',
			path: '/public/proposals',
			query: { SearchText: filter, SortBy: 'ModifiedDate', SortDirection: 'Desc' },
		},
		records: 'proposals',
		count: 'proposalCount',
	}),
	(proposal) => ({ name: proposalName(proposal), value: proposal.id }),
);

/** The active users of the account. */
export const searchSalespeople = wholeList(async (context) => {
	const answer = await send(await openSession(context), { method: 'GET', path: '/public/users' });
	return takeList(answer, 'users', 'usersCount').map((user) => ({
		name: userName(user),
		value: Number(user.id),
	}));
});

export const searchSubscriptions = wholeList(async (context) => {
	const answer = await send(await openSession(context), {
		method: 'GET',
		path: '/public/webhook/subscriptions',
	});
	const subscriptions = takeList(answer, 'subscriptions') as unknown as Subscription[];
	return subscriptions.map(({ subscriptionId, description, url, events, enabled }) => ({
		name: label(' – ', description, [events].flat().join(', '), url, enabled ? '' : 'disabled'),
		value: subscriptionId,
	}));
});

/** Of the type in the field above. */
export const searchCatalog = pagedList<IDataObject>(
	(context, filter) => catalogList(filter, context.getCurrentNodeParameter('itemType')),
	toCatalogChoice,
);

/** Of the type in the same row. */
export const searchCatalogOfRow = pagedList<IDataObject>((context, filter) => {
	const itemType = context.getCurrentNodeParameter('&itemType');
	if (itemType === 'Fee') {
		throw new NodeOperationError(
			context.getNode(),
			"Portal.io has no list of fees: choose 'By ID' and enter the ID of the fee",
		);
	}
	return catalogList(filter, itemType);
}, toCatalogChoice);

function catalogList(filter: string | undefined, given: unknown): PagedList {
	const ItemType = (given as string) || undefined;
	const query = { SearchText: filter, ItemType };
	return { request: { method: 'GET', path: '/public/catalog', query }, ...catalogPages(ItemType) };
}

function toCatalogChoice(record: IDataObject) {
	return { name: catalogItemName(record), value: Number(record.id) };
}

/** The locations of the contact that is assigned to the chosen proposal. */
export const searchProposalLocations = pagedList<IDataObject>(async (context) => {
	const { customer } = await chosenProposal(context);
	if (customer) return locationsOf(customer.id);
	throw new NodeOperationError(context.getNode(), 'Assign a contact to the proposal first');
}, toLocationChoice);

/** The locations of the contact in the same collection. */
export const searchContactLocations = pagedList<IDataObject>(async (context) => {
	const session = await openSession(context);
	return locationsOf(await chosen(context, session, '&contactId', contactId));
}, toLocationChoice);

function locationsOf(contactId: number): PagedList {
	return {
		request: { method: 'GET', path: path`/public/people/${contactId}/location` },
		records: 'contactLocations',
		count: 'locationCount',
	};
}

function toLocationChoice({ id, street, city, state, isPrimary }: IDataObject) {
	const place = label(', ', street, city, state) || `Location ${String(id)}`;
	return { name: `${place}${isPrimary ? ' (primary)' : ''}`, value: id ? Number(id) : undefined };
}
