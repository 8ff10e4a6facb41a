/** Adding items, and the fields that other operations share with it: docs/dev/portal-api.md#items */
import { jsonParse } from 'n8n-workflow';
import { PortalError } from '../../../../client/errors';
import { asRecord, isRecord } from '../../../../client/guards';
import { ITEM_TYPES, itemsOf, readProposal, type ProposalItem } from '../../../../client/proposal';
import { nameKey } from '../../../shared/text';
import {
	emptinessOf,
	readCollection,
	readFields,
	type Field,
	type Reading,
	type Values,
} from '../../fields/field';
import { areaOption, catalogItemOfRow, parentItemId, proposalId } from '../../fields/locators';
import * as field from '../../fields/types';
import { FieldError, linesOf, readEntries, shown } from '../../fields/values';
import { operation } from '../../operation/operation';
import { itemOutput } from '../shapes';
import { itemsBeforeChange, itemsResult } from './checkResult';
import { differing, type ExpectedItem } from './match';
import { addRequest, type ItemValues } from './values';

const checkResult = field.flag('Check Result', {
	description: 'Whether to stop if the proposal does not show the change',
});

/** Options of operations whose result is visible in the proposal. */
export const checkedOptions = field.options({ checkResult });

const placementFields = {
	createMissingArea: field.flag('Create Missing Area', {
		description: 'Whether to create the area if the proposal has none with this name',
	}),
	checkResult,
};
const CREATE: keyof typeof placementFields = 'createMissingArea';

/** The same for operations that put items into an area option. */
export const placementOptions = field.options(placementFields);

/** Where items go. Its area is created in the order of the inputs, so it is then read in its turn. */
export const areaOptionId: Field<number> = {
	...areaOption(
		'Where the items go. By name: "Living Room", or "Living Room / 2" for option 2.',
		undefined,
		({ earlier }) => (readCollection(earlier.options)[CREATE] === true ? 'create' : 'couldCreate'),
	),
	isReadLater: ({ areaOptionId, options }) =>
		asRecord(areaOptionId)?.mode === 'name' && CREATE in readCollection(options),
};

/** The same for operations that add items. */
const additionOptions = field.options({
	...placementFields,
	skipIfPresent: field.flag('Skip If Present', {
		description:
			'Whether to skip items that the area option already has with the same quantity, and return those. If a quantity differs, the step fails before anything is added.',
	}),
});

/** The fields of an item to add. */
const itemFields = {
	itemType: field.choice('Item Type', ITEM_TYPES, { default: 'Part' }),
	itemId: catalogItemOfRow,
	quantity: field.quantity('Quantity', {
		default: 1,
		description: 'Number of units or labor hours',
	}),
	parentId: parentItemId,
};

/** A list of any length, from text, an expression or an AI agent. */
const itemsJson: Field<Array<Values<typeof itemFields>>> = field.custom(
	'json',
	'Items (JSON)',
	async (value, label, reading) =>
		await readEntries(
			listOf(value, label),
			label,
			async (entry, index) => await readEntry(entry, label, index + 1, reading),
		),
	{
		required: true,
		default: '[]',
		placeholder: 'e.g. [{ "model": "Sonos AMPG1US1", "quantity": 2 }]',
		description:
			"List of items, each with 'itemId' or 'model', and optionally 'itemType' (Part, Labor, CustomItem or Fee), 'quantity' and 'parentId'",
	},
	field.required('is empty: add at least one item'),
);

function listOf(value: unknown, label: string): unknown[] {
	const list =
		typeof value === 'string' ? jsonParse<unknown>(value.trim(), { fallbackValue: null }) : value;
	if (Array.isArray(list)) return list;
	throw new FieldError(
		label,
		`must be a JSON list such as [{ "model": "Sonos AMPG1US1", "quantity": 2 }]; it is '${shown(value)}'`,
	);
}

const NAMES = [...Object.keys(itemFields), 'model'];

/** Reads an entry's keys, which spreadsheets export with spaces and a byte order mark. */
function byFieldName(entry: object, place: string): Record<string, unknown> {
	const given: Record<string, unknown> = {};
	for (const [written, value] of Object.entries(entry)) {
		const key = nameKey(written).replace(/ /g, '');
		const name = NAMES.find((one) => one.toLowerCase() === key);
		if (name === undefined) {
			const names = "'itemId' or 'model', 'itemType', 'quantity' and 'parentId'";
			throw new FieldError(`${place}${written}`, `is not a field of an item. Use ${names}.`);
		}
		if (name in given) throw new FieldError(`${place}${name}`, 'appears twice: remove one of them');
		given[name] = value;
	}
	return given;
}

async function readEntry(entry: unknown, label: string, number: number, reading: Reading) {
	if (!isRecord(entry)) {
		throw new FieldError(label, `must contain objects: row ${number} is '${shown(entry)}'`);
	}
	// Between the quotation marks of an error: 'Items (JSON)', row 2: 'quantity' …
	const place = `${label}', row ${number}: '`;
	const { model, ...given } = byFieldName(entry, place);
	// Databases, spreadsheets and AI agents write null for no parent.
	if (given.parentId === null) delete given.parentId;
	const isByModel = emptinessOf(model) === undefined;
	if (isByModel && emptinessOf(given.itemId) === undefined) {
		throw new FieldError(`${place}model`, "cannot be combined with 'itemId': remove one of them");
	}
	if (isByModel) given.itemId = { mode: 'model', value: model };
	// Errors name a value as the entry does.
	const named = Object.entries(itemFields).map(([name, one]) => {
		const displayName = name === 'itemId' && isByModel ? 'model' : name;
		return [name, { ...one, property: { ...one.property, displayName } }];
	});
	const fields = Object.fromEntries(named) as typeof itemFields;
	return await readFields(fields, given, reading, { prefix: place });
}

type Row = Values<typeof itemFields>;

/** The rows as items that the proposal should have. */
const toExpectedItems = (areaOptionId: number, rows: Row[]): ExpectedItem[] =>
	rows.map(({ itemId, parentId = null, ...row }, index, { length }) => ({
		name: length === 1 ? '' : `row ${index + 1}`,
		// Without a parent, the item is not nested.
		values: { ...row, parentId, areaOptionId, referencedItemId: itemId },
	}));

export const add = operation({
	name: 'Add',
	action: 'Add items to proposal',
	description: 'Add catalog items, labor, custom items or fees to an area option',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		areaOptionId,
		specifyItems: field.choice('Specify Items', [
			{ name: 'Using Fields', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		]),
		items: field.shownIf(
			'specifyItems',
			'fields',
			field.rows('Items', { displayName: 'Item', name: 'item', fields: itemFields }, 'Add item'),
		),
		itemsJson: field.shownIf('specifyItems', 'json', itemsJson),
		options: additionOptions,
	},
	run: async (call) => {
		const { proposalId, areaOptionId, items, itemsJson = [], options } = call.values;
		const proposal = options.skipIfPresent ? await readProposal(call, proposalId) : undefined;
		const before = proposal ? itemsOf(proposal) : await itemsBeforeChange(call);
		const rows = toExpectedItems(areaOptionId, items ?? itemsJson);
		const expected = proposal ? withPresentItems(rows, itemsOf(proposal)) : rows;
		const toAdd = expected.filter(({ id }) => id === undefined).map(({ values }) => values);
		const response =
			toAdd.length === 0 ? proposal : await call.send(addRequest(proposalId, areaOptionId, toAdd));
		return await itemsResult(call, { response, before, expected, verb: 'added' });
	},
	output: itemOutput,
});

/** Gives rows the IDs of items that the option already has; each item counts for one row. */
function withPresentItems(rows: ExpectedItem[], before: ProposalItem[]): ExpectedItem[] {
	const remaining = new Set(before);
	// Without a parent, a row also stands for nested items.
	const takeItemWith = ({ parentId, ...values }: ItemValues) => {
		const wanted = { ...values, parentId: parentId ?? undefined };
		const item = [...remaining].find((present) => differing(present, wanted).length === 0);
		if (item !== undefined) remaining.delete(item);
		return item;
	};
	const expected = rows.map((row) => {
		const item = takeItemWith(row.values);
		return item === undefined ? row : { ...row, id: item.id, values: {} };
	});
	const otherQuantities = expected
		.filter(({ id }) => id === undefined)
		.flatMap(({ name, values }) => {
			const item = takeItemWith({ ...values, quantity: undefined });
			if (item === undefined) return [];
			const row = name ? `${name}:` : 'The item is';
			return [`${row} already in ${item.areaName} (quantity ${item.quantity})`];
		});
	if (otherQuantities.length === 0) return expected;
	const advice =
		"No items were added to the proposal. To change a quantity, use the operation 'Update'.";
	if (otherQuantities.length === 1)
		throw new PortalError(otherQuantities[0]!, { advice: [advice] });
	const what = `${otherQuantities.length} rows are already in the proposal with another quantity`;
	throw new PortalError(what, { advice: [linesOf(otherQuantities), advice] });
}
