import { jsonParse } from 'n8n-workflow';
import { isRecord } from '../../../../client/responseShape';
import { ITEM_TYPES } from '../../../../client/proposal';
import { nameKey } from '../../../shared/text';
import { createField, errorIfEmpty } from '../../fields/declare';
import {
	isEmpty,
	parseFields,
	RecordReference,
	type Field,
	type ParseContext,
	type ParsedValues,
} from '../../fields/field';
import { showInRow } from '../../fields/collections';
import * as field from '../../fields/fieldTypes';
import { catalogItemOfRow, parentItemId } from '../../fields/locators';
import { invalidField } from '../../fields/fieldError';
import { parseId, parseRows, parseText, rejectValue } from '../../fields/parsers';

export const itemFields = {
	itemType: showInRow(field.choice('Item Type', ITEM_TYPES, { default: 'Part' })),
	catalogItemId: catalogItemOfRow,
	quantity: showInRow(
		field.quantity('Quantity', { default: 1, description: 'Number of units or labor hours' }),
	),
	parentId: parentItemId,
};

export const itemsJson: Field<Array<ParsedValues<typeof itemFields>>> = createField(
	'json',
	'Items (JSON)',
	(value, context) => parseRows(toEntries(value), (entry) => parseEntry(entry, context)),
	{
		required: true,
		default: '[]',
		placeholder: 'e.g. [{ "model": "Sonos AMPG1US1", "quantity": 2 }]',
		description:
			"List of items, each with 'catalogItemId' or 'model' (for labor, its name), and optionally 'itemType' (Part, Labor, CustomItem, or Fee), 'quantity', and 'parentId'",
	},
	errorIfEmpty('is empty: add at least one item'),
);

/**
 * Returns a list of entries. Also accepts a single entry, and text in a Markdown code block, which AI models often
 * write.
 */
function toEntries(value: unknown): unknown[] {
	const list =
		typeof value === 'string'
			? jsonParse<unknown>(withoutCodeBlock(value), { fallbackValue: null })
			: value;
	if (Array.isArray(list)) return list;
	if (isRecord(list)) return [list];
	const must = 'must be a JSON list such as [{ "model": "Sonos AMPG1US1", "quantity": 2 }]';
	return rejectValue(must, value);
}

const withoutCodeBlock = (text: string): string =>
	text
		.trim()
		.replace(/^```(?:json)?/i, '')
		.replace(/```$/, '')
		.trim();

/** Names in an entry, which are those of a row's fields, and `model`, which can replace the ID. */
const KEYS = [...Object.keys(itemFields), 'model'];

/**
 * Returns the values of an entry by field name. Ignores case, spaces, and a byte order mark in names, because
 * spreadsheets can export such names.
 */
function toEntryValues(entry: object): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const [enteredKey, value] of Object.entries(entry)) {
		const key = nameKey(enteredKey).replace(/ /g, '');
		const name = KEYS.find((entryKey) => entryKey.toLowerCase() === key);
		if (name === undefined) {
			const names = "'catalogItemId' or 'model', 'itemType', 'quantity', and 'parentId'";
			throw invalidField(enteredKey, `is not a field of an item. Use ${names}.`);
		}
		if (name in values) throw invalidField(name, 'appears twice. Remove one of them.');
		values[name] = value;
	}
	return values;
}

/** Returns a field whose errors use its name in the entry, not its label in the editor. */
const renameField = <P>(
	name: string,
	original: Field<P>,
	more: Partial<Field<P>> = {},
): Field<P> => ({
	...original,
	property: { ...original.property, displayName: name },
	...more,
});

const entryFields = {
	itemType: renameField('itemType', itemFields.itemType),
	quantity: renameField('quantity', itemFields.quantity),
	parentId: renameField('parentId', itemFields.parentId),
};

const byId = renameField('catalogItemId', itemFields.catalogItemId, {
	parse: (value) => parseId(value, ". For a model, use 'model' instead of 'catalogItemId'."),
	emptyError: "is empty: enter the ID, such as 12345, or use 'model' instead",
});

const byModel = renameField('model', itemFields.catalogItemId, {
	parse: (value) => new RecordReference('catalogItem', parseText(value).trim(), 'model'),
});

function parseEntry(entry: unknown, context: ParseContext) {
	if (!isRecord(entry)) {
		return rejectValue(
			'must be an object with named values, such as { "model": "Sonos AMPG1US1", "quantity": 2 }',
			entry,
		);
	}
	const { model, ...values } = toEntryValues(entry);
	// Drop null, which databases, spreadsheets, and AI agents write if an item has no parent.
	if (values.parentId === null) delete values.parentId;
	const isByModel = !isEmpty(model);
	if (isByModel && !isEmpty(values.catalogItemId)) {
		throw invalidField('model', "cannot be combined with 'catalogItemId': remove one of them");
	}
	if (isByModel) values.catalogItemId = model;
	const fields = { ...entryFields, catalogItemId: isByModel ? byModel : byId };
	return parseFields(fields, values, context);
}
