/**
 * Fields that choose a record. Each has the same name in all operations, so that what the user chose
 * stays when the operation is switched.
 */
import type { INodePropertyMode } from 'n8n-workflow';
import { plainText } from '../../shared/text';
import { isLocator } from './emptiness';
import { optional, type Extras, type Field, type Reading } from './field';
import type { Found, MissingArea } from './records';
import { atLeastOne, ids, requiredField } from './types';
import { FieldError, MAX_DIGITS, readEmail, readId, readText, shown } from './values';

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

const matching = ({ source }: RegExp, errorMessage: string): INodePropertyMode['validation'] => [
	{ type: 'regex', properties: { regex: source, errorMessage } },
];

export const BY_ID = mode('By ID', 'id', 'string', {
	placeholder: 'e.g. 12345',
	validation: matching(/^\s*[0-9]+\s*$/, 'Enter the ID as a whole number'),
});

/** Assumed: no public page shows the address of a proposal. n8n, too, takes the ID out with it. */
const PROPOSAL_URL = /^\s*https?:\/\/[^\s?#]{1,500}\/proposals?\/([0-9]{1,16})(?:[/?#]\S*)?\s*$/;

const BY_NUMBER = mode('By Number', 'number', 'string', {
	placeholder: 'e.g. 1042',
	validation: matching(/^\s*#?[0-9]+\s*$/, 'Enter the proposal number, digits only'),
});

const BY_PROPOSAL_URL = mode('By URL', 'url', 'string', {
	placeholder: 'e.g. https://app.portal.io/proposals/12345',
	extractValue: { type: 'regex', regex: PROPOSAL_URL.source },
	validation: matching(PROPOSAL_URL, 'Paste the URL of a proposal page'),
});

/**
 * The ID behind a resource locator. Templates, expressions and AI agents give a plain ID, and people
 * paste the address of a page where an ID is asked for: all of them are understood.
 */
function locatedId(value: unknown, modes: INodePropertyMode[]): unknown {
	const id = isLocator(value) ? value.value : value;
	if (typeof id !== 'string') return id;
	for (const { extractValue } of modes) {
		if (extractValue?.type !== 'regex') continue;
		const [, found] = new RegExp(String(extractValue.regex)).exec(id) ?? [];
		if (found !== undefined) return found;
	}
	return id;
}

/** A way to choose a record by what people call it, and how it is found. */
interface ByWords {
	mode: INodePropertyMode;
	/** @throws FieldError for words that no such record can have */
	find(words: unknown, label: string, reading: Reading): Promise<Found>;
}

/** A record, chosen in one of several ways. */
export const resourceLocator = (
	displayName: string,
	modes: INodePropertyMode[],
	extras: Extras,
	byWords?: ByWords,
): Field<number> => ({
	...requiredField(
		'resourceLocator',
		displayName,
		'is empty: choose or enter one',
		async (value, label, reading) => {
			if (byWords === undefined || !isLocator(value) || value.mode !== byWords.mode.name) {
				const advice =
					byWords &&
					` To use its ${byWords.mode.name}, set '${displayName}' to '${byWords.mode.displayName}'.`;
				return readId(locatedId(value, modes), label, advice);
			}
			const found = await byWords.find(value.value, label, reading);
			if (typeof found === 'number') return found;
			throw new FieldError(label, found);
		},
		{ default: { mode: modes[0]!.name, value: '' }, required: true, modes, ...extras },
	),
	isId: true,
});

/**
 * A record, chosen from a searchable list or by its ID. It never has `loadOptionsDependsOn`: n8n would
 * empty it, a mapped one too, whenever the other field gets another value. The list is right without.
 *
 * @param listMethod the method of the node that lists the choices
 */
export const locator = (
	displayName: string,
	listMethod: string,
	description: string,
	byWords?: ByWords,
) => {
	const modes = [fromList(listMethod), BY_ID, ...(byWords ? [byWords.mode] : [])];
	return resourceLocator(displayName, modes, { description }, byWords);
};

/** The proposal of an operation, also by its number or by the address of its page. */
export const proposalId = resourceLocator(
	'Proposal',
	[fromList('searchProposals'), BY_NUMBER, BY_ID, BY_PROPOSAL_URL],
	{
		description: 'The proposal to work on',
	},
	{
		mode: BY_NUMBER,
		find: async (number, label, { records }) =>
			await records.proposal(readProposalNumber(number, label)),
	},
);

/** The number as people write it: `1042`, also `#1042`. */
function readProposalNumber(value: unknown, label: string): string {
	const text = String(value);
	const plain = text.length <= MAX_DIGITS ? plainText(text) : '';
	const number = Number(/^#?(\d+)$/.exec(plain)?.[1]);
	if (Number.isSafeInteger(number) && number > 0) return String(number);
	throw new FieldError(
		label,
		`must be the number of a proposal, such as 1042; it is '${shown(value)}'`,
	);
}

const byEmail = (who: 'contact' | 'salesperson'): ByWords => ({
	mode: mode('By Email', 'email', 'string', { placeholder: 'e.g. name@example.com' }),
	find: async (email, label, { records }) => await records[who](readEmail(email, label)),
});

export const contactId = locator(
	'Contact',
	'searchContacts',
	'A person or company among the contacts of your account',
	byEmail('contact'),
);

export const salesPersonId = locator(
	'Salesperson',
	'searchSalespeople',
	'The user of your account who owns the proposal',
	byEmail('salesperson'),
);

/** A location of the contact of the chosen proposal: so few that the list has no search. */
export const locationId = resourceLocator(
	'Location',
	[fromList('searchProposalLocations', false), BY_ID],
	{
		description: 'A location of the contact that is assigned to the proposal',
	},
);

/** A location of the contact in the same collection. */
export const contactLocationId = resourceLocator(
	'Location',
	[fromList('searchContactLocations', false), BY_ID],
	{
		description: 'A location of the contact',
	},
);

const byName = (
	placeholder: string,
	find: (proposalId: number, name: string, reading: Reading) => Promise<Found>,
): ByWords => ({
	mode: mode('By Name', 'name', 'string', { placeholder }),
	find: async (name, label, reading) =>
		await find(Number(reading.earlier?.proposalId), readText(name, label), reading),
});

export const areaId = locator(
	'Area',
	'searchAreas',
	'An area of the proposal, such as a room',
	byName('e.g. Living Room', async (id, name, { records }) => await records.area(id, name)),
);

const areaOption = (
	listMethod: string,
	description: string,
	missing: (reading: Reading) => MissingArea = () => 'refuse',
): Field<number> => {
	const find = byName(
		'e.g. Living Room, or Living Room / 2',
		async (id, name, reading) => await reading.records.areaOption(id, name, missing(reading)),
	);
	const field = locator('Area Option', listMethod, description, find);
	const builderHint = {
		propertyHint:
			"An option of an area, not the area. Use mode 'id' with the areaOptionId that creating or listing areas returns, or mode 'name' with the name of the area.",
	};
	return { ...field, property: { ...field.property, builderHint } };
};

/** The option whose texts change: one of the chosen area. */
export const optionOfAreaId = areaOption('searchOptionsOfArea', 'One of the options of the area');

/** An option of any area. */
export const anyAreaOptionId = areaOption('searchAreaOptions', 'An option of an area');

/** What may say that a missing area is created. */
interface Placement {
	createMissingArea?: unknown;
}

/** The option that items go to: one of any area, which may be created for them. */
export const areaOptionId: Field<number> = {
	...areaOption(
		'searchAreaOptions',
		'The option of an area that the items go to. By name: the area\'s name; with several options add "/ 2".',
		({ earlier }) =>
			(earlier?.options as Placement | undefined)?.createMissingArea === true
				? 'create'
				: 'couldCreate',
	),
	isInTurn: ({ areaOptionId, options }) =>
		isLocator(areaOptionId) &&
		areaOptionId.mode === 'name' &&
		'createMissingArea' in ((options ?? {}) as Placement),
};

const BY_MODEL = mode('By Model', 'model', 'string', { placeholder: 'e.g. Sonos AMPG1US1' });

export const itemId = locator('Item', 'searchItems', 'An item of the proposal', {
	mode: BY_MODEL,
	find: async (model, label, { records, earlier }) =>
		await records.item(Number(earlier?.proposalId), readText(model, label)),
});

/** Multi-selects are read anew when this changes; n8n does not empty them. */
const PROPOSAL = 'proposalId.value';

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
);

export const changeOrderId = locator(
	'Change Order',
	'searchChangeOrders',
	'A change order of the proposal',
);

export const contentId = locator(
	'Content',
	'searchContent',
	'A recording or text file uploaded to the proposal',
);

/** An item of the catalog, of the type in the field *Item Type* above it; also by its model. */
const catalogItem = (listMethod: string, description: string): Field<number> =>
	locator('Catalog Item', listMethod, description, {
		mode: BY_MODEL,
		find: async (model, label, { records, earlier }) => {
			const itemType = String(earlier?.itemType ?? 'Part');
			const text = readText(model, label);
			if (itemType !== 'Fee') return await records.catalogItem(text, itemType);
			return 'cannot be a model: Portal.io has no list of fees. Enter its ID.';
		},
	});

export const catalogItemId = catalogItem('searchCatalog', 'An item of the catalog');

/** An item of the catalog, of the type that is chosen in the same row. */
export const catalogItemOfRow = catalogItem(
	'searchCatalogOfRow',
	'An item of the catalog, of your own labor or custom items, or a fee by its ID',
);

/** The item of the proposal that another one is put under. */
export const parentItemId = optional(
	locator('Parent Item', 'searchItems', 'The item of the proposal to nest this one under'),
	{ isStrict: true },
);

export const subscriptionId = locator(
	'Subscription',
	'searchSubscriptions',
	'A webhook subscription of your account',
);
