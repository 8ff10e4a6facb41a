/**
 * The kinds of fields, which operations use as `field.text('City')`: each function returns the
 * property for the editor, and a reader.
 */
import type { IDisplayOptions, NodeParameterValue, NodePropertyTypes } from 'n8n-workflow';
import { oneLine, toOptions, type Choices } from '../../shared/text';
import {
	isEmpty,
	isFromModel,
	propertiesOf,
	readCollection,
	readFields,
	type Extras,
	type Field,
	type FieldMap,
	type Values,
} from './field';
import * as values from './values';

type EmptyHandling = Pick<Field<unknown>, 'emptyError' | 'mustFind' | 'whenEmpty'>;

export const custom = <T>(
	type: NodePropertyTypes,
	displayName: string,
	read: Field<T>['read'],
	extras: Extras = {},
	emptyHandling?: EmptyHandling,
): Field<T> => ({
	property: { displayName, type, default: '', ...extras },
	read,
	...emptyHandling,
});

/** For a field that must have a value; `emptyError` is the error of a blank one. */
export const required = (emptyError: string): EmptyHandling => ({ whenEmpty: 'error', emptyError });

const OMIT_EMPTY: EmptyHandling = { whenEmpty: 'omit' };

/** A field with another description. */
export const described = <T>(field: Field<T>, description: string): Field<T> => ({
	...field,
	property: { ...field.property, description },
});

/** A field that may be empty. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
	...field,
	property: { ...field.property, required: false },
	whenEmpty: 'omit',
});

/** The same, but an expression must find a value: nobody would notice that it is missing. */
export const strict = <T>(field: Field<T>): Field<T | undefined> => ({
	...optional(field),
	mustFind: 'field',
});

/** Without a value it matches everything, so an expression that found nothing is an error. */
export const narrowing = <T>(field: Field<T>): Field<T> => ({
	...field,
	mustFind: 'value',
	advice: 'To apply no filter, remove the expression.',
});

/** A field that is shown and read only while an earlier field has this value. */
export const shownIf = <T>(
	name: string,
	value: NodeParameterValue,
	field: Field<T>,
): Field<T | undefined> => ({
	...field,
	property: { ...field.property, displayOptions: { show: { [name]: [value] } } },
	isUsed: (earlier) => earlier[name] === value,
});

/** A kind of field that needs no more than its label: how it is read, and its value without input. */
const kind =
	<T>(
		type: NodePropertyTypes,
		read: Field<T>['read'],
		emptyHandling: EmptyHandling,
		usual: Extras = {},
	) =>
	(displayName: string, extras: Extras = {}): Field<T> =>
		custom(type, displayName, read, { ...usual, ...extras }, emptyHandling);

/** A notice for users before they run the operation; it has no value. */
export const notice = (text: string, show?: IDisplayOptions['show']): Field<undefined> =>
	custom('notice', text, () => undefined, show && { displayOptions: { show } });

/** `max` is in characters. */
type TextExtras = Extras & { max?: number };

/** Text that must not be empty. */
export const requiredText = (displayName: string, { max = Infinity, ...extras }: TextExtras = {}) =>
	custom(
		'string',
		displayName,
		(value, label) => values.readText(value, label, max),
		{ required: true, ...extras },
		required('must not be empty'),
	);

/** The name of a proposal or area, on one line. */
export const requiredName = (displayName: string, extras: Extras = {}) =>
	custom(
		'string',
		displayName,
		(value, label) => oneLine(values.readText(value, label)),
		{ required: true, ...extras },
		required('must not be empty'),
	);

/** Text that is left out when it is empty. */
export const text = (displayName: string, extras: TextExtras = {}) =>
	optional(requiredText(displayName, extras));

/** Text that replaces what is stored; empty text clears it. */
export const clearableText = kind('string', (value, label) => values.readText(value, label), {
	whenEmpty: 'clear',
	mustFind: 'field',
});

export const email = kind<string | undefined>('string', values.readEmail, OMIT_EMPTY, {
	placeholder: 'e.g. name@example.com',
});

/** Texts, separated by commas or as a list. */
export const texts = kind<string[] | undefined>('string', values.readTexts, OMIT_EMPTY);

const number = required('is empty: enter a number');
export const money = kind('number', values.readMoney, number, {
	typeOptions: { minValue: 0, numberPrecision: 2 },
	placeholder: 'e.g. 240.90',
});
export const quantity = kind('number', values.readQuantity, number);

/** A number within limits; undefined when it is empty. */
export const setting = (
	displayName: string,
	{ min, max, isWhole, ...extras }: Extras & values.Limits,
) =>
	custom<number | undefined>(
		'number',
		displayName,
		(value, label) => values.readWithin(value, label, { min, max, isWhole }),
		{ typeOptions: { minValue: min, maxValue: max }, ...extras },
		OMIT_EMPTY,
	);

/** A switch that must have a value. */
export const requiredFlag = kind(
	'boolean',
	values.readBoolean,
	required('has no value: choose true or false'),
	{ default: true },
);

/** A switch; undefined until the user chooses. */
export const flag = (displayName: string, extras: Extras = {}) =>
	optional(requiredFlag(displayName, extras));

/** A date, read as ISO 8601 in UTC. */
export const date = kind<string | undefined>(
	'dateTime',
	(value, label, { timezone }) => values.readDate(value, label, timezone),
	OMIT_EMPTY,
);

const IDS_DESCRIPTION =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * Any number of records.
 *
 * @param dependsOn parameters whose change reloads the list
 * @param about a sentence
 */
export function ids(
	displayName: string,
	listMethod: string,
	dependsOn?: string[],
	about?: string,
): Field<number[] | undefined> {
	const typeOptions = { loadOptionsMethod: listMethod, loadOptionsDependsOn: dependsOn };
	const description = about ? `${about} ${IDS_DESCRIPTION}.` : IDS_DESCRIPTION;
	const extras = { typeOptions, default: [], description };
	return {
		...custom<number[] | undefined>('multiOptions', displayName, values.readIds, extras),
		isId: true,
		whenEmpty: 'omit',
		mustFind: 'field',
	};
}

/** The same list, but at least one entry is required. */
export const atLeastOne = <T>(list: Field<T[] | undefined>): Field<T[]> => ({
	...(list as Field<T[]>),
	property: { ...list.property, required: true },
	...required('is empty: choose at least one'),
});

/** One of several values; the first is the default. */
export function choice(displayName: string, from: Choices, extras: Extras = {}) {
	const options = toOptions(from);
	const accepted = options.map(({ value }) => value);
	const read = (value: unknown, label: string) => values.readChoice(value, label, from);
	const emptyError = `is empty: choose one of ${accepted.join(', ')}`;
	const all = { options, default: accepted[0], ...extras };
	return custom('options', displayName, read, all, required(emptyError));
}

/** Any of several values, and of those that Portal.io may have added since, from an expression. */
export function openChoices(displayName: string, from: Choices, extras: Extras = {}) {
	const all = { options: toOptions(from), default: [], ...extras };
	const read = (value: unknown, label: string) => values.readOpenChoices(value, label, from);
	return custom<string[] | undefined>('multiOptions', displayName, read, all, OMIT_EMPTY);
}

/** Any of several values, and no others. */
export const choices = (displayName: string, from: Choices): Field<string[] | undefined> => ({
	...openChoices(displayName, from),
	read: (value, label) => values.readEachChoice(value, label, from),
});

/** A button with `placeholder` adds a field. Once added, it must have a value unless it is optional. */
export const collection = <F extends FieldMap>(
	displayName: string,
	placeholder: string,
	fields: F,
): Field<Partial<Values<F>>> =>
	custom(
		'collection',
		displayName,
		async (value, _label, reading) =>
			await readFields(fields, readCollection(value), reading, { areAdded: true }),
		{
			placeholder,
			default: {},
			options: propertiesOf(fields).map((property) => ({
				...property,
				required: false,
			})),
		},
	);

export const additionalFields = <F extends FieldMap>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

const eachField = <F extends FieldMap>(
	fields: F,
	change: (original: Field<unknown>) => Field<unknown>,
) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, original]) => [name, change(original)]),
	) as FieldMap as F;

/** A filter whose expression found nothing would match everything, so it is an error. */
export const filters = <F extends FieldMap>(fields: F) =>
	collection('Filters', 'Add filter', eachField(fields, narrowing));

export const options = <F extends FieldMap>(fields: F) =>
	collection('Options', 'Add option', fields);

const KEEP_VALUE =
	'To keep the value that Portal.io has, remove the field. To keep it for some items only, filter them out before this step.';

/** Leaves out the fields that the model of an AI agent left empty. An empty text would clear the value. */
function withoutLeftOut(value: unknown, raw: unknown): Record<string, unknown> {
	const stored = readCollection(raw);
	return Object.fromEntries(
		Object.entries(readCollection(value)).filter(
			([name, one]) => !isFromModel(stored[name]) || !isEmpty(one),
		),
	);
}

/** The values to change: at least one. */
export const updateFields = <F extends FieldMap>(fields: F): Field<Partial<Values<F>>> => {
	const changes = eachField(fields, (original) => ({ ...original, advice: KEEP_VALUE }));
	const field = collection('Update Fields', 'Add field', changes);
	return {
		...described(field, 'Fields that are not added keep their value'),
		read: async (value, label, reading) =>
			await field.read(withoutLeftOut(value, reading.raw), label, reading),
		...required('is empty: enter at least one value to change'),
	};
};

/** Rows of fields: at least one. */
export const rows = <F extends FieldMap>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	placeholder: string,
): Field<Array<Values<F>>> =>
	custom(
		'fixedCollection',
		displayName,
		async (value, label, reading) => {
			const entries = [readCollection(value)[row.name] ?? []].flat();
			const stored = [readCollection(reading.raw)[row.name] ?? []].flat();
			return await values.readEntries(entries, label, async (entry, index) => {
				// Between the quotation marks of an error: 'Items', row 2: 'Quantity' …
				const prefix = `${label}', row ${index + 1}: '`;
				const context = { ...reading, raw: stored[index] };
				return await readFields(row.fields, readCollection(entry), context, { prefix });
			});
		},
		{
			placeholder,
			required: true,
			default: {},
			typeOptions: { multipleValues: true },
			options: [
				{
					displayName: row.displayName,
					name: row.name,
					values: propertiesOf(row.fields),
				},
			],
		},
		required('is empty: add at least one'),
	);

const pagingFrom = (returnsAll: boolean) => ({
	returnAll: requiredFlag('Return All', {
		default: returnsAll,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: shownIf('returnAll', false, {
		...setting('Limit', {
			min: 1,
			isWhole: true,
			default: 50,
			description: 'Max number of results to return',
		}),
		...number,
		purpose: 'limit',
	}),
});
export const paging = pagingFrom(false);
/** The same for lists that people need in full. */
export const wholePaging = pagingFrom(true);

const DIRECTIONS = [
	{ name: 'Ascending', value: 'Asc' },
	{ name: 'Descending', value: 'Desc' },
];

/** @param sortFields the values of `SortBy` for the list, with `ModifiedDate` */
export const sort = (sortFields: readonly string[]) =>
	collection('Sort', 'Add sort', {
		sortBy: choice('Sort By', sortFields, { default: 'ModifiedDate' }),
		sortDirection: choice('Sort Direction', DIRECTIONS, { default: 'Desc' }),
	});

/** The chosen order, or else by `usual`; dates and numbers start with the newest. */
export function orderOf(chosen: { sortBy?: string; sortDirection?: string }, usual: string) {
	const { sortBy = usual } = chosen;
	const usualDirection = /Date|Number|Active|Modified/.test(sortBy) ? 'Desc' : 'Asc';
	return { sortBy, sortDirection: chosen.sortDirection ?? usualDirection };
}
