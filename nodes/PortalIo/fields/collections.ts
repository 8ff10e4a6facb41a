/** Functions that declare fields that contain other fields. Operations call them as `collection.options({ … })`. */
import { toFilter, createField, withDescription, errorIfEmpty } from './declare';
import {
	isEmpty,
	isFromModel,
	parseFields,
	toProperties,
	readCollection,
	type Field,
	type FieldMap,
	type ParsedValues,
} from './field';
import { parseRows } from './parsers';

/**
 * Declares a collection, to which users add fields with a button. An added field must have a value unless it is
 * optional.
 */
export const collection = <F extends FieldMap>(
	displayName: string,
	placeholder: string,
	fields: F,
): Field<Partial<ParsedValues<F>>> =>
	createField(
		'collection',
		displayName,
		(value, context) => parseFields(fields, readCollection(value), context, { areAdded: true }),
		{
			placeholder,
			default: {},
			options: toProperties(fields).map((property) => ({
				...property,
				required: false,
			})),
		},
	);

export const additionalFields = <F extends FieldMap>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

const mapFields = <F extends FieldMap>(
	fields: F,
	change: (original: Field<unknown>) => Field<unknown>,
) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, original]) => [name, change(original)]),
	) as FieldMap as F;

export const filters = <F extends FieldMap>(fields: F) =>
	collection('Filters', 'Add filter', mapFields(fields, toFilter));

export const options = <F extends FieldMap>(fields: F) =>
	collection('Options', 'Add option', fields);

const KEEP_VALUE =
	'To keep the current value, remove the field. To keep it only for some input items, filter them out before this step.';

/**
 * Drops empty values that an AI agent's model entered. The model leaves fields empty to keep them unchanged, but empty
 * text would clear them.
 */
function dropEmptyModelValues(value: unknown, raw: unknown): Record<string, unknown> {
	const rawCollection = readCollection(raw);
	return Object.fromEntries(
		Object.entries(readCollection(value)).filter(
			([name, entry]) => !isFromModel(rawCollection[name]) || !isEmpty(entry),
		),
	);
}

/** Declares the collection of values to change. Users must add at least one. */
export const updateFields = <F extends FieldMap>(fields: F): Field<Partial<ParsedValues<F>>> => {
	const changes = mapFields(fields, (original) => ({ ...original, advice: KEEP_VALUE }));
	const field = collection('Update Fields', 'Add field', changes);
	return {
		...withDescription(field, 'Values to change. Fields that you do not add keep their values.'),
		parse: (value, context) => field.parse(dropEmptyModelValues(value, context.raw), context),
		...errorIfEmpty('is empty: enter at least one value to change'),
	};
};

/** Shows an optional field in each row from the start. Users add other optional fields when they need them. */
export const showInRow = <P>(field: Field<P>): Field<P> => ({
	...field,
	property: {
		...field.property,
		typeOptions: { ...field.property.typeOptions, showEvenWhenOptional: true },
	},
});

/** Declares a list of rows. Users must add at least one. */
export const rows = <F extends FieldMap>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	placeholder: string,
): Field<Array<ParsedValues<F>>> =>
	createField(
		'fixedCollection',
		displayName,
		(value, context) => {
			const entries = [readCollection(value)[row.name] ?? []].flat();
			const stored = [readCollection(context.raw)[row.name] ?? []].flat();
			return parseRows(entries, (entry, index) =>
				parseFields(row.fields, readCollection(entry), { ...context, raw: stored[index] }),
			);
		},
		{
			placeholder,
			required: true,
			default: {},
			typeOptions: {
				multipleValues: true,
				hideOptionalFields: true,
				addOptionalFieldButtonText: 'Add field',
			},
			options: [
				{
					displayName: row.displayName,
					name: row.name,
					values: toProperties(row.fields),
				},
			],
		},
		errorIfEmpty('is empty: add at least one'),
	);
