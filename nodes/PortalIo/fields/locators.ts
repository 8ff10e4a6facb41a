/** Fields that choose a record. Each keeps its name in all operations, and so the choice. */
import type { INodePropertyMode } from 'n8n-workflow';
import { plainText } from '../../shared/text';
import { isLocator, optional, type Field, type Reading } from './field';
import type { Found, MissingArea, Records } from './records';
import { atLeastOne, ids, requiredField } from './types';
import { FieldError, MAX_DIGITS, readEmail, readId, readText, shown } from './values';

/** A mode that finds a record by a name that people use. */
interface Words {
	label: string;
	placeholder: string;
	validation?: INodePropertyMode['validation'];
	/** @throws FieldError for words that no such record can have */
	find(words: unknown, label: string, reading: Reading): Promise<Found>;
}

interface Ways {
	/** Name of the search method, if the record can be chosen from a list. */
	list?: string;
	isSearchable?: boolean;
	words?: Words | undefined;
	/** Whether the URL of its page contains the ID. */
	hasPage?: true;
}

const matching = ({ source }: RegExp, errorMessage: string): INodePropertyMode['validation'] => [
	{ type: 'regex', properties: { regex: source, errorMessage } },
];

const mode = (
	displayName: string,
	name: string,
	type: INodePropertyMode['type'],
	extras: Partial<INodePropertyMode>,
): INodePropertyMode => ({ displayName, name, type, ...extras });

const byWords = ({ label, placeholder, validation }: Omit<Words, 'find'>) =>
	mode(`By ${label}`, label.toLowerCase(), 'string', {
		placeholder,
		...(validation && { validation }),
	});

const BY_ID = byWords({
	label: 'ID',
	placeholder: 'e.g. 12345',
	validation: matching(/^\s*[0-9]+\s*$/, 'Enter the ID as a whole number'),
});

/** Assumed: no public page shows the address of a proposal. */
const PAGE = /^\s*https?:\/\/[^\s?#]{1,500}\/proposals?\/([0-9]{1,16})(?:[/?#]\S*)?\s*$/;

const BY_URL: INodePropertyMode = {
	...byWords({
		label: 'URL',
		placeholder: 'e.g. https://app.portal.io/proposals/12345',
		validation: matching(PAGE, 'Paste the URL of a proposal page'),
	}),
	extractValue: { type: 'regex', regex: PAGE.source },
};

/**
 * Accepts a plain ID in any mode, as expressions and AI agents return it, and a pasted URL. It
 * never has `loadOptionsDependsOn`: n8n would empty the field, even a mapped one, when the other
 * field changes.
 */
export function locator(
	displayName: string,
	description: string,
	{ list, isSearchable = true, words, hasPage }: Ways,
): Field<number> {
	const modes = [
		...(list
			? [
					mode('From List', 'list', 'list', {
						typeOptions: { searchListMethod: list, searchable: isSearchable },
					}),
				]
			: []),
		...(words ? [byWords(words)] : []),
		BY_ID,
		...(hasPage ? [BY_URL] : []),
	];
	const name = words?.label.toLowerCase();
	const advice = words && ` To use its ${name}, set '${displayName}' to 'By ${words.label}'.`;
	const read = async (value: unknown, label: string, reading: Reading) => {
		const given = isLocator(value) ? value.value : value;
		if (words === undefined || !isLocator(value) || value.mode !== name) {
			const page = hasPage && typeof given === 'string' ? PAGE.exec(given) : null;
			const id = page?.[1] ?? given;
			return readId(id, label, advice);
		}
		const found = await words.find(given, label, reading);
		if (typeof found === 'number') return found;
		throw new FieldError(label, found);
	};
	return {
		...requiredField('resourceLocator', displayName, 'is empty: choose or enter one', read, {
			...{ default: { mode: modes[0]!.name, value: '' }, required: true, modes, description },
		}),
		isId: true,
	};
}

export const proposalId = locator('Proposal', 'The proposal to work on', {
	list: 'searchProposals',
	words: {
		label: 'Number',
		placeholder: 'e.g. 1042',
		validation: matching(/^\s*#?[0-9]+\s*$/, 'Enter the proposal number, digits only'),
		find: async (number, label, { records }) =>
			await records.proposal(readProposalNumber(number, label)),
	},
	hasPage: true,
});

/** Accepts `1042` and `#1042`. */
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

const email = (who: 'contact' | 'salesperson'): Words => ({
	label: 'Email',
	placeholder: 'e.g. name@example.com',
	find: async (email, label, { records }) => await records[who](readEmail(email, label)),
});

const text = (
	label: 'Model' | 'Name',
	placeholder: string,
	find: (records: Records, text: string, proposalId: number, reading: Reading) => Promise<Found>,
): Words => ({
	label,
	placeholder,
	find: async (given, label, reading) => {
		const proposalId = Number(reading.earlier?.proposalId);
		return await find(reading.records, readText(given, label), proposalId, reading);
	},
});

export const contactId = locator(
	'Contact',
	'A person or company among the contacts of your account',
	{ list: 'searchContacts', words: email('contact') },
);

export const salesPersonId = locator(
	'Salesperson',
	'The user of your account who owns the proposal',
	{ list: 'searchSalespeople', words: email('salesperson') },
);

export const locationId = locator(
	'Location',
	'A location of the contact that is assigned to the proposal',
	// A contact has few locations.
	{ list: 'searchProposalLocations', isSearchable: false },
);

/** A location of the contact in the same collection. */
export const contactLocationId = locator('Location', 'A location of the contact', {
	...{ list: 'searchContactLocations', isSearchable: false },
});

export const areaId = locator('Area', 'An area of the proposal, such as a room', {
	list: 'searchAreas',
	words: text('Name', 'e.g. Living Room', async (records, name, proposalId) =>
		records.area(proposalId, name),
	),
});

function areaOption(
	list: string,
	description: string,
	missing: (reading: Reading) => MissingArea = () => 'refuse',
): Field<number> {
	const words = text(
		'Name',
		'e.g. Living Room, or Living Room / 2',
		async (records, name, proposalId, reading) =>
			records.areaOption(proposalId, name, missing(reading)),
	);
	const field = locator('Area Option', description, { list, words });
	const builderHint = {
		propertyHint:
			"An option of an area, not the area. Use mode 'id' with the areaOptionId that creating or listing areas returns, or mode 'name' with the name of the area.",
	};
	return { ...field, property: { ...field.property, builderHint } };
}

export const optionOfAreaId = areaOption('searchOptionsOfArea', 'One of the options of the area');

export const anyAreaOptionId = areaOption('searchAreaOptions', 'An option of an area');

interface Placement {
	createMissingArea?: unknown;
}

/** An option of any area, which may be created for the items. */
export const areaOptionId: Field<number> = {
	...areaOption(
		'searchAreaOptions',
		'The option of an area that the items go to. By name: the area\'s name; with several options add "/ 2".',
		({ earlier }) =>
			(earlier?.options as Placement | undefined)?.createMissingArea === true
				? 'create'
				: 'couldCreate',
	),
	isReadLater: ({ areaOptionId, options }) =>
		isLocator(areaOptionId) &&
		areaOptionId.mode === 'name' &&
		'createMissingArea' in ((options ?? {}) as Placement),
};

export const itemId = locator('Item', 'An item of the proposal', {
	list: 'searchItems',
	words: text('Model', 'e.g. Sonos AMPG1US1', async (records, model, proposalId) =>
		records.item(proposalId, model),
	),
});

/** Multi-selects reload when this changes; n8n does not empty them. */
const PROPOSAL = 'proposalId.value';

/** Items of the proposal; an empty list can stand for all of them. */
export const anyItemIds = (description: string) =>
	ids('Item Names or IDs', 'getItems', description, [PROPOSAL]);

export const itemIds = atLeastOne(anyItemIds('The items of the proposal'));

export const areaOptionIds = atLeastOne(
	ids('Area Option Names or IDs', 'getAreaOptions', 'The options of areas to copy to', [PROPOSAL]),
);

export const supplierId = locator('Supplier', 'One of the suppliers of the item', {
	list: 'searchSuppliers',
});

export const changeOrderId = locator('Change Order', 'A change order of the proposal', {
	list: 'searchChangeOrders',
});

export const contentId = locator('Content', 'A recording or text file uploaded to the proposal', {
	list: 'searchContent',
});

const catalogItem = (list: string, description: string) =>
	locator('Catalog Item', description, {
		list,
		words: text('Model', 'e.g. Sonos AMPG1US1', async (records, model, _, { earlier }) => {
			const itemType = String(earlier?.itemType ?? 'Part');
			if (itemType !== 'Fee') return await records.catalogItem(model, itemType);
			return 'cannot be a model: Portal.io has no list of fees. Enter its ID.';
		}),
	});

export const catalogItemId = catalogItem('searchCatalog', 'An item of the catalog');

export const catalogItemOfRow = catalogItem(
	'searchCatalogOfRow',
	'An item of the catalog, of your own labor or custom items, or a fee by its ID',
);

export const parentItemId = optional(
	locator('Parent Item', 'The item of the proposal to nest this one under', {
		list: 'searchItems',
	}),
	{ isStrict: true },
);

export const subscriptionId = locator('Subscription', 'A webhook subscription of your account', {
	list: 'searchSubscriptions',
});
