/**
 * Fields that choose a record. Each has the same name in all operations, so that what the user chose
 * stays when the operation is switched.
 */
import type { INodePropertyMode } from 'n8n-workflow';
import type { Extras, Field } from './field';
import { field } from './fieldTypes';
import { idOf, isLocator } from './values';

/** One way to choose a record. */
export const mode = (
	displayName: string,
	name: string,
	type: INodePropertyMode['type'],
	extras: Partial<INodePropertyMode>,
): INodePropertyMode => ({ displayName, name, type, ...extras });

const fromList = (listMethod: string, searchable = true) =>
	mode('From List', 'list', 'list', {
		typeOptions: { searchListMethod: listMethod, searchable },
	});

const matching = (regex: string, errorMessage: string): INodePropertyMode['validation'] => [
	{ type: 'regex', properties: { regex, errorMessage } },
];

const BY_ID = mode('By ID', 'id', 'string', {
	placeholder: 'e.g. 12345',
	validation: matching('^\\s*[0-9]+\\s*$', 'An ID is a whole number'),
});

/** Assumed: no public page shows the address of a proposal. */
const PROPOSAL_URL = 'https?:\\/\\/[^\\s]*\\/proposals?\\/([0-9]+)[^\\s]*';

const BY_PROPOSAL_URL = mode('By URL', 'url', 'string', {
	placeholder: 'e.g. https://app.portal.io/proposals/12345',
	extractValue: { type: 'regex', regex: PROPOSAL_URL },
	validation: matching(PROPOSAL_URL, 'The address of a proposal holds its ID'),
});

/**
 * The ID behind a resource locator. Templates, expressions and AI agents give a plain ID, and people
 * paste the address of a page where an ID is asked for: all of them are understood.
 */
function locatedId(value: unknown, modes: INodePropertyMode[]): unknown {
	const id = isLocator(value) ? value.value : value;
	if (typeof id !== 'string' || !/^\s*https?:/i.test(id)) return id;
	for (const { extractValue } of modes) {
		if (extractValue?.type !== 'regex') continue;
		const [, found] = new RegExp(String(extractValue.regex)).exec(id) ?? [];
		if (found !== undefined) return found;
	}
	return id;
}

/** A record, chosen in one of several ways. */
export const resourceLocator = (
	displayName: string,
	modes: INodePropertyMode[],
	extras: Extras,
): Field<number> => ({
	...field('resourceLocator', displayName, (value, label) => idOf(locatedId(value, modes), label), {
		default: { mode: modes[0]!.name, value: '' },
		required: true,
		modes,
		...extras,
	}),
	isId: true,
});

/**
 * A record, chosen from a searchable list or by its ID.
 *
 * @param listMethod the method of the node that lists the choices
 * @param dependsOn the fields whose change makes the list stale
 */
export const locator = (
	displayName: string,
	listMethod: string,
	description: string,
	dependsOn: string[] = [],
) =>
	resourceLocator(displayName, [fromList(listMethod), BY_ID], {
		description,
		...(dependsOn.length > 0
			? { typeOptions: { loadOptionsDependsOn: dependsOn.map((name) => `${name}.value`) } }
			: {}),
	});

/** The proposal of an operation, also by the address of its page. */
export const proposalId = resourceLocator(
	'Proposal',
	[fromList('searchProposals'), BY_ID, BY_PROPOSAL_URL],
	{ description: 'The proposal to work on; its ID is not the number that customers see' },
);

export const contactId = locator(
	'Contact',
	'searchContacts',
	'A person or company among the contacts of your account',
);

export const salesPersonId = locator(
	'Salesperson',
	'searchSalespeople',
	'The user of your account who owns the proposal',
);

/** A location of the contact of the chosen proposal: so few that the list has no search. */
export const locationId = resourceLocator(
	'Location',
	[fromList('searchProposalLocations', false), BY_ID],
	{
		description: 'A location of the contact that is assigned to the proposal',
		typeOptions: { loadOptionsDependsOn: ['proposalId.value'] },
	},
);

export const areaId = locator('Area', 'searchAreas', 'An area of the proposal, such as a room', [
	'proposalId',
]);

/** The option whose texts change: one of the chosen area. */
export const optionId = locator(
	'Area Option',
	'searchOptionsOfArea',
	'One of the options of the area',
	['proposalId', 'areaId'],
);

/** The option that items go to: one of any area. */
export const areaOptionId = locator(
	'Area Option',
	'searchAreaOptions',
	'The option of an area that the items go to',
	['proposalId'],
);

export const itemId = locator('Item', 'searchItems', 'An item of the proposal', ['proposalId']);

export const supplierId = locator(
	'Supplier',
	'searchSuppliers',
	'One of the suppliers of the item',
	['proposalId', 'itemId'],
);

export const changeOrderId = locator(
	'Change Order',
	'searchChangeOrders',
	'A change order of the proposal',
	['proposalId'],
);

export const contentId = locator(
	'Content',
	'searchContent',
	'A recording or text that was uploaded to the proposal',
	['proposalId'],
);

export const catalogItemId = locator('Catalog Item', 'searchCatalog', 'An item of the catalog');

export const subscriptionId = locator(
	'Subscription',
	'searchSubscriptions',
	'A webhook subscription of your account',
);
