/** Users enter the items to add in rows of fields, or as a JSON list. */
import { jsonParse } from 'n8n-workflow';
import { isRecord } from '../../../../client/guards';
import { ITEM_TYPES } from '../../../../client/proposal';
import { nameKey } from '../../../shared/text';
import { custom, required } from '../../fields/declare';
import { isEmpty, readFields, type Field, type Reading, type Values } from '../../fields/field';
import * as field from '../../fields/kinds';
import { catalogItemOfRow, parentItemId } from '../../fields/locators';
import { FieldError } from '../../fields/fieldError';
import { readEntries, readId, rejectValue } from '../../fields/values';

export const itemFields = {
	itemType: field.choice('Item Type', ITEM_TYPES, { default: 'Part' }),
	itemId: catalogItemOfRow,
	quantity: field.quantity('Quantity', {
		default: 1,
		description: 'Number of units or labor hours',
	}),
	parentId: parentItemId,
};

/** The list comes from text, an expression or an AI agent. */
export const itemsJson: Field<Array<Values<typeof itemFields>>> = custom(
	'json',
	'Items (JSON)',
	async (value, label, reading) =>
		await readEntries(
			listOf(value, label),
			label,
			async (entry) => await readEntry(entry, reading),
		),
	{
		required: true,
		default: '[]',
		placeholder: 'e.g. [{ "model": "Sonos AMPG1US1", "quantity": 2 }]',
		description:
			"List of items, each with 'catalogItemId' or 'model' (the name of labor), and optionally 'itemType' (Part, Labor, CustomItem or Fee), 'quantity' and 'parentId'",
	},
	required('is empty: add at least one item'),
);

/** AI models may write a single item, or text in a Markdown code block. */
function listOf(value: unknown, label: string): unknown[] {
	const list =
		typeof value === 'string'
			? jsonParse<unknown>(withoutCodeBlock(value), { fallbackValue: null })
			: value;
	if (Array.isArray(list)) return list;
	if (isRecord(list)) return [list];
	const must = 'must be a JSON list such as [{ "model": "Sonos AMPG1US1", "quantity": 2 }]';
	return rejectValue(label, must, value);
}

const withoutCodeBlock = (text: string): string =>
	text
		.trim()
		.replace(/^```(?:json)?/i, '')
		.replace(/```$/, '')
		.trim();

/**
 * The keys of an entry, and the field of each. An ID of the catalog has the name that *Catalog: Search*
 * outputs. If it were `itemId`, the output of *Item: Get Many* would be accepted, whose IDs are not those of
 * the catalog.
 */
const FIELD_BY_KEY: Record<string, string> = {
	catalogItemId: 'itemId',
	model: 'model',
	itemType: 'itemType',
	quantity: 'quantity',
	parentId: 'parentId',
};

/** Spreadsheets may export the names of fields in another case, with spaces or a byte order mark. */
function byFieldName(entry: object): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const [enteredKey, value] of Object.entries(entry)) {
		const key = nameKey(enteredKey).replace(/ /g, '');
		const name = Object.keys(FIELD_BY_KEY).find((entryKey) => entryKey.toLowerCase() === key);
		if (name === undefined) {
			const names = "'catalogItemId' or 'model', 'itemType', 'quantity' and 'parentId'";
			throw new FieldError(enteredKey, `is not a field of an item. Use ${names}.`);
		}
		const fieldName = FIELD_BY_KEY[name]!;
		if (fieldName in values) throw new FieldError(name, 'appears twice: remove one of them');
		values[fieldName] = value;
	}
	return values;
}

const readItemId = (value: unknown, label: string): number =>
	readId(value, label, ". For a model, use 'model' in place of 'catalogItemId'.");

async function readEntry(entry: unknown, reading: Reading) {
	if (!isRecord(entry))
		return rejectValue('Entry', 'must be an object, with its values by name', entry);
	const { model, ...values } = byFieldName(entry);
	// Databases, spreadsheets and AI agents write null if an item has no parent.
	if (values.parentId === null) delete values.parentId;
	const isByModel = !isEmpty(model);
	if (isByModel && !isEmpty(values.itemId)) {
		throw new FieldError('model', "cannot be combined with 'catalogItemId': remove one of them");
	}
	if (isByModel) values.itemId = { mode: 'model', value: model };
	// Errors use the names of the entry, not the labels of the editor.
	const namedFields = Object.entries(itemFields).map(([name, itemField]) => {
		const idKey = isByModel ? 'model' : 'catalogItemId';
		const displayName = name === 'itemId' ? idKey : name;
		return [name, { ...itemField, property: { ...itemField.property, displayName } }];
	});
	const fields = Object.fromEntries(namedFields) as typeof itemFields;
	if (!isByModel) {
		const emptyError = "is empty: enter the ID, such as 12345, or use 'model' in place of it";
		fields.itemId = { ...fields.itemId, read: readItemId, emptyError };
	}
	return await readFields(fields, values, reading);
}
