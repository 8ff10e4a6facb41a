/** Fields that choose a record. Their names are the same in all operations, so n8n keeps the choice. */
import type { INodePropertyMode } from 'n8n-workflow';
import { atLeastOne, custom, mayBeBlank, required } from './declare';
import { isFromModel, isLocator, type Field, type MissingArea, type Reading } from './field';
import { FieldError } from './fieldError';
import { ids } from './kinds';
import { readEmail, readId, readText, rejectValue, wholeNumber } from './values';

/** A mode in which people enter the name, number or email of a record. */
interface NameMode {
	mode: INodePropertyMode;
	/** @throws FieldError for a value that names no such record */
	read(value: unknown, label: string): string;
	find(name: string, label: string, reading: Reading): Promise<number>;
	/** The fields whose values `find` needs. */
	dependsOn?: string[];
	/** True if the URL of the record's page contains its ID. */
	hasPage?: true;
}

/**
 * @param displayName label of which n8n's selector shows eight letters
 * @param pattern pattern of the values that the editor accepts
 */
function textMode(
	name: string,
	displayName: string,
	placeholder: string,
	pattern?: RegExp,
	errorMessage = '',
) {
	const texts = { displayName, name, placeholder };
	// n8n's lint would require the default of a parameter if this were one literal.
	const mode: INodePropertyMode = { ...texts, type: 'string' };
	const properties = { regex: pattern?.source, errorMessage };
	return pattern ? { ...mode, validation: [{ type: 'regex', properties }] } : mode;
}

const BY_ID = textMode(
	'id',
	'By ID',
	'e.g. 12345',
	/^\s*[0-9]+(?:\.0+)?\s*$/,
	'Enter the ID as a whole number',
);

/** No public page shows the URL of a proposal, so this pattern is an assumption. */
const PAGE = /^\s*https?:\/\/[^\s?#]{1,500}\/proposals?\/([0-9]{1,16})(?:[/?#]\S*)?\s*$/;

const EXAMPLE = 'e.g. https://app.portal.io/proposals/12345';
const BY_URL: INodePropertyMode = {
	...textMode('url', 'By URL', EXAMPLE, PAGE, 'Paste the URL of a proposal page'),
	extractValue: { type: 'regex', regex: PAGE.source },
};

/**
 * Declares a field that chooses a record. It accepts a plain ID in any mode, because expressions and AI
 * agents return one. It never has `loadOptionsDependsOn`: n8n would empty the field, even a mapped one,
 * when the other field changes.
 *
 * @param list name of the search method if the record can be chosen from a list
 */
export function locator(
	displayName: string,
	description: string | undefined,
	list?: string,
	byName?: NameMode,
): Field<number> {
	const fromList = { displayName: 'From List', name: 'list' };
	const typeOptions = { searchListMethod: list, searchable: true };
	const modes: INodePropertyMode[] = [
		...(list ? [{ ...fromList, type: 'list' as const, typeOptions }] : []),
		...(byName ? [byName.mode] : []),
		BY_ID,
		...(byName?.hasPage ? [BY_URL] : []),
	];
	const advice =
		byName &&
		`. To use its ${byName.mode.name}, set '${displayName}' to '${byName.mode.displayName}'.`;
	const read = async (value: unknown, label: string, reading: Reading) => {
		const { mode, value: choice } = isLocator(value) ? value : { mode: undefined, value };
		if (byName !== undefined && mode === byName.mode.name) {
			return await byName.find(byName.read(choice, label), label, reading);
		}
		const page = byName?.hasPage && typeof choice === 'string' && PAGE.exec(choice);
		// The model of an AI agent cannot change the mode.
		return readId(page ? page[1] : choice, label, isFromModel(reading.raw) ? '' : advice);
	};
	const value = { mode: modes[0]!.name, value: '' };
	// n8n selects 'By ID' for a dragged value.
	const hint =
		byName &&
		`After dragging the ${byName.mode.name} here, change 'By ID' to '${byName.mode.displayName}'`;
	const extras = { default: value, required: true, modes, description, hint };
	const emptyHandling = required((empty) => {
		const mode = isLocator(empty) ? empty.mode : undefined;
		if (byName !== undefined && mode === byName.mode.name) {
			return `is empty: enter its ${byName.mode.name}`;
		}
		const orChoose = mode === 'list' ? ', or choose one' : '';
		return `is empty: enter its ID, a whole number such as 12345${orChoose}`;
	});
	return {
		...custom('resourceLocator', displayName, read, extras, emptyHandling),
		isId: true,
		dependsOn: byName?.dependsOn,
	};
}

/** Accepts `1042` and `#1042`. */
function readProposalNumber(value: unknown, label: string): string {
	const number = wholeNumber(value, /^#/);
	return String(
		number ?? rejectValue(label, 'must be the number of a proposal, such as 1042', value),
	);
}

const BY_EMAIL = { mode: textMode('email', 'Email', 'e.g. name@example.com'), read: readEmail };
const BY_MODEL = {
	mode: textMode('model', 'Model', 'e.g. Sonos AMPG1US1, or the name of labor'),
	read: readText,
};

/** The names of fields whose values others depend on. */
const PROPOSAL = 'proposalId';
const ITEM_TYPE = 'itemType';

const proposalOf = ({ earlierValues }: Reading) => Number(earlierValues[PROPOSAL]);

export const proposalId: Field<number> = {
	...locator('Proposal', undefined, 'searchProposals', {
		mode: textMode(
			'number',
			'Number',
			'e.g. 1042',
			/^\s*#?[0-9]+(?:\.0+)?\s*$/,
			'Enter the proposal number, digits only',
		),
		read: readProposalNumber,
		find: async (number, label, { lookups }) => await lookups.proposal(number, label),
		hasPage: true,
	}),
	purpose: 'proposal',
};

export const contactId = locator('Contact', 'A person or company', 'searchContacts', {
	...BY_EMAIL,
	find: async (email, label, { lookups }) => await lookups.contact(email, label),
});

export const salesPersonId = locator(
	'Salesperson',
	'The user who owns the proposal',
	'searchSalespeople',
	{
		...BY_EMAIL,
		find: async (email, label, { lookups }) => await lookups.salesperson(email, label),
	},
);

export const locationId = locator(
	'Location',
	"A location of the proposal's contact",
	'searchProposalLocations',
);

/** The contact is in the same collection. */
export const contactLocationId = locator(
	'Location',
	'A location of the contact',
	'searchContactLocations',
);

export const areaId = locator(
	'Area',
	'An area of the proposal, such as a room. Its name can only be changed in Portal.io.',
	'searchAreas',
	{
		mode: textMode('name', 'Name', 'e.g. Living Room'),
		read: readText,
		find: async (name, label, reading) =>
			await reading.lookups.area(proposalOf(reading), name, label),
		dependsOn: [PROPOSAL],
	},
);

/**
 * An area or option by its ID, or by the text that names it in the proposal and in each change order: their
 * areas have the same names but other IDs.
 */
export const inEachSource = (field: Field<number>): Field<number | string> => ({
	...field,
	dependsOn: undefined,
	read: async (value, label, reading) =>
		isLocator(value) && value.mode === 'name'
			? readText(value.value, label)
			: await field.read(value, label, reading),
});

/** @param missing returns what happens to a missing area, depending on earlier fields */
export const areaOptionField = (
	description?: string,
	list = 'searchAreaOptions',
	missing?: (reading: Reading) => MissingArea | undefined,
): Field<number> =>
	locator('Area Option', description, list, {
		mode: textMode('name', 'Name', 'e.g. Living Room, or Living Room / 2'),
		read: readText,
		find: async (name, label, reading) => {
			const { lookups, newOptionIds } = reading;
			const proposalId = proposalOf(reading);
			const { id, isNew } = await lookups.areaOption(proposalId, name, label, missing?.(reading));
			if (isNew) newOptionIds.add(id);
			return id;
		},
		dependsOn: [PROPOSAL],
	});

export const itemId = locator('Item', undefined, 'searchItems', {
	...BY_MODEL,
	find: async (model, label, reading) =>
		await reading.lookups.item(proposalOf(reading), model, label, isFromModel(reading.raw)),
	dependsOn: [PROPOSAL],
});

export const optionOfAreaId = areaOptionField(undefined, 'searchOptionsOfArea');

/** Multi-selects reload when one of these changes. n8n does not empty them, unlike locators. */
const PROPOSAL_CHOICE = [`${PROPOSAL}.mode`, `${PROPOSAL}.value`];

/** Items of the proposal. The field may be empty, for all items. */
export const anyItemIds = (about?: string) =>
	ids('Item Names or IDs', 'getItems', PROPOSAL_CHOICE, about);

export const itemIds = atLeastOne(anyItemIds());

export const areaOptionIds = atLeastOne(
	ids('Area Option Names or IDs', 'getAreaOptions', PROPOSAL_CHOICE),
);

export const supplierId = locator('Supplier', undefined, 'searchSuppliers');

export const changeOrderId = locator('Change Order', undefined, 'searchChangeOrders');

export const contentId = locator('Content', 'A recording or text file', 'searchContent');

const catalogItemField = (list: string, description?: string) =>
	locator('Catalog Item', description, list, {
		...BY_MODEL,
		find: async (model, label, { lookups, earlierValues }) => {
			const itemType = String(earlierValues[ITEM_TYPE] ?? 'Part');
			if (itemType !== 'Fee') return await lookups.catalogItem(model, itemType, label);
			throw new FieldError(
				label,
				'cannot be a model: Portal.io has no list of fees. Enter its ID.',
			);
		},
		dependsOn: [ITEM_TYPE],
	});

export const catalogItemId = catalogItemField('searchCatalog');

export const catalogItemOfRow = catalogItemField(
	'searchCatalogOfRow',
	'A catalog item, one of your labor or custom items, or a fee by its ID',
);

export const parentItemId = mayBeBlank(
	locator('Parent Item', 'The proposal item to nest this one under', 'searchItems'),
);

export const subscriptionId = locator('Subscription', undefined, 'searchSubscriptions');
