/**
 * Fields in which users choose a record. Their names are the same in all operations, so n8n keeps the chosen record
 * when the user switches operations.
 */
import type { INodePropertyMode } from 'n8n-workflow';
import { atLeastOne, createField, withDescription, allowBlank, errorIfEmpty } from './declare';
import { isFromModel, isLocator, RecordReference, type Field, type Target } from './field';
import { ids } from './fieldTypes';
import { parseEmail, parseId, parseText, rejectValue, wholeNumber } from './parsers';

/** A mode of a resource locator in which people enter the name, number, email, or model of a record. */
interface NameMode {
	mode: INodePropertyMode;
	target: Target;
	/** Parses the name, number, email, or model. Throws a ValueError if the value is invalid. */
	parse(value: unknown): string;
	/** True if the URL of the record's page contains the ID, so users can enter the URL. */
	hasPage?: true;
}

/**
 * @param displayName label; n8n's selector shows only its first eight letters
 * @param pattern pattern of the values that the editor accepts
 */
function createTextMode(
	name: string,
	displayName: string,
	placeholder: string,
	pattern?: RegExp,
	errorMessage = '',
) {
	const texts = { displayName, name, placeholder };
	// Build the mode in two steps, because n8n's linter would mistake a single literal for a parameter without a
	// default.
	const mode: INodePropertyMode = { ...texts, type: 'string' };
	const properties = { regex: pattern?.source, errorMessage };
	return pattern ? { ...mode, validation: [{ type: 'regex', properties }] } : mode;
}

const BY_ID = createTextMode(
	'id',
	'By ID',
	'e.g. 12345',
	/^\s*[0-9]+(?:\.0+)?\s*$/,
	'Enter the ID as a whole number',
);

/** Pattern of the URL of a proposal's page. The format is assumed, because no public page shows such a URL. */
const PAGE = /^\s*https?:\/\/[^\s?#]{1,500}\/proposals?\/([0-9]{1,16})(?:[/?#]\S*)?\s*$/;

const EXAMPLE = 'e.g. https://app.portal.io/proposals/12345';
const BY_URL: INodePropertyMode = {
	...createTextMode('url', 'By URL', EXAMPLE, PAGE, 'Paste the URL of a proposal page'),
	extractValue: { type: 'regex', regex: PAGE.source },
};

/**
 * Declares a field in which users choose a record. The field also accepts a plain ID instead of a resource locator's
 * object, because expressions and AI agents can return a plain ID. The field never has `loadOptionsDependsOn`, because
 * n8n would then empty the field, even a mapped one, whenever the field that it depends on changes.
 *
 * @param list name of the search method if the record can be chosen from a list
 */
export function locator(
	displayName: string,
	description: string | undefined,
	list?: string,
	byName?: NameMode,
): Field<number | RecordReference> {
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
		`. To use the ${byName.mode.name}, set '${displayName}' to '${byName.mode.displayName}'.`;
	const parse: Field<number | RecordReference>['parse'] = (value, { raw }) => {
		const { mode, value: choice } = isLocator(value) ? value : { mode: undefined, value };
		// Omit advice about the mode if an AI agent's model entered the value, because the model cannot change the
		// mode.
		const fromModel = isFromModel(raw);
		if (byName !== undefined && mode === byName.mode.name) {
			return new RecordReference(byName.target, byName.parse(choice), displayName, fromModel);
		}
		const page = byName?.hasPage && typeof choice === 'string' && PAGE.exec(choice);
		return parseId(page ? page[1] : choice, fromModel ? '' : advice);
	};
	const value = { mode: modes[0]!.name, value: '' };
	const extras = { default: value, required: true, modes };
	const emptyHandling = errorIfEmpty((empty) => {
		const mode = isLocator(empty) ? empty.mode : undefined;
		if (byName !== undefined && mode === byName.mode.name) {
			return `is empty: enter the ${byName.mode.name}`;
		}
		const orChoose = mode === 'list' ? ', or choose from the list' : '';
		return `is empty: enter a numeric ID, such as 12345${orChoose}`;
	});
	const field = createField('resourceLocator', displayName, parse, extras, emptyHandling);
	// Add advice for users who drag a value here, because n8n then selects *By ID*.
	const dragAdvice =
		byName &&
		`If you drag the ${byName.mode.name} here, change 'By ID' to '${byName.mode.displayName}'`;
	return withDescription({ ...field, isId: true, dragAdvice }, description);
}

/** Parses `1042` and `#1042`. */
const parseProposalNumber = (value: unknown): string =>
	String(wholeNumber(value, /^#/) ?? rejectValue('must be a proposal number, such as 1042', value));

const BY_EMAIL = {
	mode: createTextMode('email', 'Email', 'e.g. name@example.com'),
	parse: parseEmail,
};
const BY_MODEL = {
	mode: createTextMode('model', 'Model', "e.g. Sonos AMPG1US1, or a labor item's name"),
	parse: (value: unknown) => parseText(value).trim(),
};

export const proposalId = locator('Proposal', undefined, 'searchProposals', {
	mode: createTextMode(
		'number',
		'Number',
		'e.g. 1042',
		/^\s*#?[0-9]+(?:\.0+)?\s*$/,
		'Enter the proposal number, such as 1042',
	),
	target: 'proposal',
	parse: parseProposalNumber,
	hasPage: true,
});

export const contactId = locator('Contact', 'A person or company', 'searchContacts', {
	...BY_EMAIL,
	target: 'contact',
});

export const salesPersonId = locator(
	'Salesperson',
	'The user who owns the proposal',
	'searchSalespeople',
	{ ...BY_EMAIL, target: 'salesperson' },
);

export const locationId = locator(
	'Location',
	"A location of the proposal's contact",
	'searchProposalLocations',
);

/** Location of the contact that is chosen in the same collection. */
export const contactLocationId = locator(
	'Location',
	'A location of the contact',
	'searchContactLocations',
);

export const areaId = locator(
	'Area',
	'An area in the proposal, such as a room. Areas can be renamed only in Portal.io.',
	'searchAreas',
	{
		mode: createTextMode('name', 'Name', 'e.g. Living Room'),
		target: 'area',
		parse: (value) => parseText(value),
	},
);

/**
 * Returns a field that keeps the name of an area or option instead of a reference, because the area has the same name
 * but a different ID in each change order.
 */
export const keepName = (field: Field<number | RecordReference>): Field<number | string> => ({
	...field,
	parse: (value, context) => {
		const parsed = field.parse(value, context);
		return parsed instanceof RecordReference ? parsed.name : parsed;
	},
});

export const areaOptionField = (
	description?: string,
	list = 'searchAreaOptions',
	target: 'areaOption' | 'placement' = 'areaOption',
) =>
	locator('Area Option', description, list, {
		mode: createTextMode('name', 'Name', 'e.g. Living Room, or Living Room / 2'),
		target,
		parse: (value) => parseText(value),
	});

export const itemId = locator('Item', undefined, 'searchItems', { ...BY_MODEL, target: 'item' });

export const placementId = areaOptionField(
	'Area option for the items. To use a name, enter "Living Room", or "Living Room / 2" for its second option.',
	undefined,
	'placement',
);

export const optionOfAreaId = areaOptionField(undefined, 'searchOptionsOfArea');

/**
 * Parameters that reload a multi-select when they change. Unlike a resource locator, the multi-select keeps its values
 * when that happens.
 */
const PROPOSAL_CHOICE = ['proposalId.mode', 'proposalId.value'];

const anyItemIds = ids('Item Names or IDs', 'getItems', PROPOSAL_CHOICE);

export const itemIds = atLeastOne(anyItemIds);

/** Items in the proposal; empty for all items. A hint says so, because n8n shows no placeholder in a multi-select. */
export const allItemIds: typeof anyItemIds = {
	...anyItemIds,
	property: { ...anyItemIds.property, hint: 'Leave empty for all items' },
};

export const areaOptionIds = atLeastOne(
	ids('Area Option Names or IDs', 'getAreaOptions', PROPOSAL_CHOICE),
);

export const supplierId = locator('Supplier', undefined, 'searchSuppliers');

export const changeOrderId = locator('Change Order', undefined, 'searchChangeOrders');

export const contentId = locator('Content', 'A recording or text file', 'searchContent');

const catalogItemField = (list: string, description?: string) =>
	locator('Catalog Item', description, list, { ...BY_MODEL, target: 'catalogItem' });

export const catalogItemId = catalogItemField('searchCatalog');

export const catalogItemOfRow = catalogItemField(
	'searchCatalogOfRow',
	'A catalog item, or one of your labor or custom items. For a fee, use its ID.',
);

export const parentItemId = allowBlank(
	locator('Parent Item', 'The proposal item to nest this one under', 'searchItems'),
);

export const subscriptionId = locator('Subscription', undefined, 'searchSubscriptions');
