/**
 * Fields that choose a record. Each has the same name in all operations, so that what the user chose
 * stays when the operation is switched.
 */
import type { INodePropertyMode } from 'n8n-workflow';
import { optional, type Extras, type Field, type Reading } from './field';
import { atLeastOne, field, ids } from './fieldTypes';
import { FieldError, readFilledText, readId, isEmpty, isLocator, type Located } from './values';

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

export const BY_ID = mode('By ID', 'id', 'string', {
	placeholder: 'e.g. 12345',
	validation: matching('^\\s*[0-9]+\\s*$', 'Enter the ID as a whole number'),
});

/** Assumed: no public page shows the address of a proposal. */
const PROPOSAL_URL = 'https?:\\/\\/[^\\s?#]*\\/proposals?\\/([0-9]+)[^\\s]*';

const BY_NUMBER = mode('By Number', 'number', 'string', {
	placeholder: 'e.g. 1042',
	validation: matching('^\\s*#?[0-9]+\\s*$', 'Enter the proposal number, digits only'),
});

const BY_PROPOSAL_URL = mode('By URL', 'url', 'string', {
	placeholder: 'e.g. https://app.portal.io/proposals/12345',
	extractValue: { type: 'regex', regex: PROPOSAL_URL },
	validation: matching(PROPOSAL_URL, 'Paste the URL of a proposal page'),
});

/** Whether a resource locator holds the number of a proposal, which is looked up before it is read. */
export const isByNumber = (value: unknown): value is Located & { mode: 'number' } =>
	isLocator(value) && value.mode === 'number';

/**
 * The ID behind a resource locator. Templates, expressions and AI agents give a plain ID, and people
 * paste the address of a page where an ID is asked for: all of them are understood. A number is no ID.
 */
function locatedId(value: unknown, modes: INodePropertyMode[]): unknown {
	const id = isLocator(value) && !isByNumber(value) ? (value.value ?? null) : value;
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
	...field(
		'resourceLocator',
		displayName,
		(value, label) => readId(locatedId(value, modes), label),
		{
			default: { mode: modes[0]!.name, value: '' },
			required: true,
			modes,
			...extras,
		},
	),
	isId: true,
});

/**
 * A record, chosen from a searchable list or by its ID.
 *
 * @param listMethod the method of the node that lists the choices
 * @param dependsOn the parameters whose change makes the list stale
 */
export const locator = (
	displayName: string,
	listMethod: string,
	description: string,
	dependsOn: string[] = [],
) =>
	resourceLocator(displayName, [fromList(listMethod), BY_ID], {
		description,
		...(dependsOn.length > 0 ? { typeOptions: { loadOptionsDependsOn: dependsOn } } : {}),
	});

const PROPOSAL = 'proposalId.value';

/** The proposal of an operation, also by its number or by the address of its page. */
export const proposalId = resourceLocator(
	'Proposal',
	[fromList('searchProposals'), BY_NUMBER, BY_ID, BY_PROPOSAL_URL],
	{
		description: 'The proposal to work on; its number is the one that clients see',
	},
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
		typeOptions: { loadOptionsDependsOn: [PROPOSAL] },
	},
);

/** A location of the contact in the same collection. */
export const contactLocationId = resourceLocator(
	'Location',
	[fromList('searchContactLocations', false), BY_ID],
	{
		description: 'A location of the contact',
		typeOptions: { loadOptionsDependsOn: ['&contactId.value'] },
	},
);

export const areaId = locator('Area', 'searchAreas', 'An area of the proposal, such as a room', [
	PROPOSAL,
]);

/** The option whose texts change: one of the chosen area. */
export const optionOfAreaId = locator(
	'Area Option',
	'searchOptionsOfArea',
	'One of the options of the area',
	[PROPOSAL, 'areaId.value'],
);

/** The option that items go to: one of any area. */
export const areaOptionId = locator(
	'Area Option',
	'searchAreaOptions',
	'The option of an area that the items go to',
	[PROPOSAL],
);

export const itemId = locator('Item', 'searchItems', 'An item of the proposal', [PROPOSAL]);

/** Items of the proposal; none may stand for all of them. */
export const anyItemIds = (description: string) =>
	ids('Item Names or IDs', 'getItems', description, [PROPOSAL]);

/** The items that an operation on several of them works on. */
export const itemIds = atLeastOne(anyItemIds('The items of the proposal'));

/** The options of areas that items are copied to. */
export const areaOptionIds = atLeastOne(
	ids('Area Option Names or IDs', 'getAreaOptions', 'The options of areas to copy to', [PROPOSAL]),
);

export const supplierId = locator(
	'Supplier',
	'searchSuppliers',
	'One of the suppliers of the item',
	[PROPOSAL, 'itemId.value'],
);

export const changeOrderId = locator(
	'Change Order',
	'searchChangeOrders',
	'A change order of the proposal',
	[PROPOSAL],
);

export const contentId = locator(
	'Content',
	'searchContent',
	'A recording or text file uploaded to the proposal',
	[PROPOSAL],
);

const BY_MODEL = mode('By Model', 'model', 'string', { placeholder: 'e.g. Sonos AMPG1US1' });

/** The ID of a catalog item that is given by its model. */
function idOfModel(value: unknown, label: string, reading: Reading): number {
	if (isEmpty(value)) return readId(value ?? null, label);
	const model = readFilledText(value, label);
	const itemType = String(reading.earlier?.itemType ?? 'Part');
	if (itemType === 'Fee') {
		throw new FieldError(label, 'cannot be a model: Portal.io has no list of fees. Enter its ID.');
	}
	const found = reading.findModel?.({ model, itemType }) ?? 'must be an ID here';
	if (typeof found === 'number') return found;
	throw new FieldError(label, found);
}

/**
 * An item of the catalog, of the type in the field above it; also by its model.
 *
 * @param typeField the name of that field, as lists depend on it
 */
function catalogItem(typeField: string, listMethod: string, description: string): Field<number> {
	const byId = resourceLocator('Catalog Item', [fromList(listMethod), BY_ID, BY_MODEL], {
		description,
		typeOptions: { loadOptionsDependsOn: [typeField] },
	});
	return {
		...byId,
		read: (value, label, reading) =>
			isLocator(value) && value.mode === 'model'
				? idOfModel(value.value, label, reading)
				: byId.read(value, label, reading),
	};
}

export const catalogItemId = catalogItem('itemType', 'searchCatalog', 'An item of the catalog');

/** An item of the catalog, of the type that is chosen in the same row. */
export const catalogItemOfRow = catalogItem(
	'&itemType',
	'searchCatalogOfRow',
	'An item of the catalog, of your own labor or custom items, or a fee by its ID',
);

/** The item of the proposal that another one is put under. */
export const parentItemId = optional(
	locator('Parent Item', 'searchItems', 'The item of the proposal to nest this one under', [
		PROPOSAL,
	]),
	{ isStrict: true },
);

export const subscriptionId = locator(
	'Subscription',
	'searchSubscriptions',
	'A webhook subscription of your account',
);
