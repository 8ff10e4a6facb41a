/**
 * Fields that choose a record. Each has the same name in all operations, so that what the user chose
 * stays when the operation is switched.
 */
import type { INodePropertyMode } from 'n8n-workflow';
import { optional, type Extras, type Field, type Reading } from './field';
import { atLeastOne, field, ids } from './types';
import { Reference } from './reference';
import { plainText } from '../../shared/text';
import {
	FieldError,
	isEmpty,
	isLocator,
	MAX_DIGITS,
	readFilledText,
	readId,
	shown,
} from './values';

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
	const id = isLocator(value) ? (value.value ?? null) : value;
	if (typeof id !== 'string') return id;
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
 * A record, chosen from a searchable list or by its ID. It never has `loadOptionsDependsOn`: n8n would
 * empty it, a mapped one too, whenever the other field gets another value. The list is right without.
 *
 * @param listMethod the method of the node that lists the choices
 */
export const locator = (
	displayName: string,
	listMethod: string,
	description: string,
	moreModes: INodePropertyMode[] = [],
) => resourceLocator(displayName, [fromList(listMethod), BY_ID, ...moreModes], { description });

/** A record that can also be given by what people call it, in a mode of its own. */
function withReferences(
	locator: Field<number>,
	modeName: string,
	readReference: (value: unknown, label: string, reading: Reading) => number,
): Field<number> {
	return {
		...locator,
		read: (value, label, reading) => {
			if (!isLocator(value) || value.mode !== modeName || isEmpty(value)) {
				return locator.read(value, label, reading);
			}
			return readReference(value.value, label, reading);
		},
	};
}

/** The proposal of an operation, also by its number or by the address of its page. */
export const proposalId = withReferences(
	resourceLocator('Proposal', [fromList('searchProposals'), BY_NUMBER, BY_ID, BY_PROPOSAL_URL], {
		description: 'The proposal to work on',
	}),
	BY_NUMBER.name,
	(value, label) => Reference.asId('proposal', readProposalNumber(value, label), label),
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

const BY_NAME = (placeholder: string) => mode('By Name', 'name', 'string', { placeholder });

const KINDS = {
	area: { example: 'e.g. Living Room' },
	areaOption: {
		example: 'e.g. Living Room, or Living Room / 2',
		builderHint: {
			propertyHint:
				"An option of an area, not the area. Use mode 'id' with the areaOptionId that creating or listing areas returns, or mode 'name' with the name of the area.",
		},
	},
};

const byName = (
	kind: keyof typeof KINDS,
	listMethod: string,
	displayName: string,
	description: string,
): Field<number> => {
	const { example, ...extras } = KINDS[kind];
	const modes = [fromList(listMethod), BY_ID, BY_NAME(example)];
	return withReferences(
		resourceLocator(displayName, modes, { description, ...extras }),
		'name',
		(value, label) => Reference.asId(kind, readFilledText(value, label), label),
	);
};

export const areaId = byName(
	'area',
	'searchAreas',
	'Area',
	'An area of the proposal, such as a room',
);

/** The option whose texts change: one of the chosen area. */
export const optionOfAreaId = byName(
	'areaOption',
	'searchOptionsOfArea',
	'Area Option',
	'One of the options of the area',
);

/** The option that items go to: one of any area. */
export const areaOptionId = byName(
	'areaOption',
	'searchAreaOptions',
	'Area Option',
	'The option of an area that the items go to. By name: the area\'s name; with several options add "/ 2".',
);

export const itemId = locator('Item', 'searchItems', 'An item of the proposal');

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

const BY_MODEL = mode('By Model', 'model', 'string', { placeholder: 'e.g. Sonos AMPG1US1' });

/** An item of the catalog, of the type in the field *Item Type* above it; also by its model. */
const catalogItem = (listMethod: string, description: string): Field<number> =>
	withReferences(
		resourceLocator('Catalog Item', [fromList(listMethod), BY_ID, BY_MODEL], { description }),
		BY_MODEL.name,
		(value, label, { earlier }) => {
			const model = readFilledText(value, label);
			const itemType = String(earlier?.itemType ?? 'Part');
			if (itemType !== 'Fee') return Reference.asId('catalogItem', model, label, itemType);
			throw new FieldError(
				label,
				'cannot be a model: Portal.io has no list of fees. Enter its ID.',
			);
		},
	);

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
