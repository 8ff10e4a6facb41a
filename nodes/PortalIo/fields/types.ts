/**
 * The kinds of fields. Operations call them as `field.text('City')`; each function returns the parameter for
 * the editor with its reader.
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

/** Returns the handling of empty values for a field that must have a value. */
export const required = (emptyError: Field<unknown>['emptyError']): EmptyHandling => ({
	whenEmpty: 'error',
	emptyError,
});

const OMIT_EMPTY: EmptyHandling = { whenEmpty: 'omit' };

export const described = <T>(field: Field<T>, description: string): Field<T> => ({
	...field,
	property: { ...field.property, description },
});

export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
	...field,
	property: { ...field.property, required: false },
	whenEmpty: 'omit',
});

/** An expression must find its field, which may be blank: nobody would notice that the value is missing. */
export const mayBeBlank = <T>(field: Field<T>): Field<T | undefined> => ({
	...optional(field),
	mustFind: 'field',
});

/** An empty filter matches everything, so an expression that finds nothing is an error. */
export const asFilter = <T>(field: Field<T>): Field<T> => ({
	...field,
	mustFind: 'value',
	advice: 'To apply no filter, remove the expression.',
});

/** Shows and reads the field only if an earlier field has this value. */
export const shownIf = <T>(
	name: string,
	value: NodeParameterValue,
	field: Field<T>,
): Field<T | undefined> => ({
	...field,
	property: { ...field.property, displayOptions: { show: { [name]: [value] } } },
	dependsOn: [name],
	isUsed: (earlierValues) => earlierValues[name] === value,
});

/** Declares a kind of field that differs only in its label and extras. */
const kind =
	<T>(
		type: NodePropertyTypes,
		read: Field<T>['read'],
		emptyHandling: EmptyHandling,
		defaults: Extras = {},
	) =>
	(displayName: string, extras: Extras = {}): Field<T> =>
		custom(type, displayName, read, { ...defaults, ...extras }, emptyHandling);

/** Users read a notice before they run the operation. It has no value. */
export const notice = (text: string, show?: IDisplayOptions['show']): Field<undefined> =>
	custom('notice', text, () => undefined, show && { displayOptions: { show } });

/** `max` is the maximum length in characters. */
type TextExtras = Extras & { max?: number };

export const requiredText = (displayName: string, { max = Infinity, ...extras }: TextExtras = {}) =>
	custom(
		'string',
		displayName,
		(value, label) => values.readText(value, label, max),
		{ required: true, ...extras },
		required('must not be empty'),
	);

/** Portal.io shows the names of proposals and areas on one line. */
export const requiredName = (displayName: string, extras: Extras = {}): Field<string> => ({
	...requiredText(displayName, extras),
	read: (value, label) => oneLine(values.readText(value, label)),
});

/** An empty text is not sent. */
export const text = (displayName: string, extras: TextExtras = {}) =>
	optional(requiredText(displayName, extras));

/** The text replaces the stored text; an empty text clears it. */
export const clearableText = kind('string', (value, label) => values.readText(value, label), {
	whenEmpty: 'clear',
	mustFind: 'field',
});

export const email = kind<string | undefined>('string', values.readEmail, OMIT_EMPTY, {
	placeholder: 'e.g. name@example.com',
});

/** The value is a list, or text with commas. */
export const texts = kind<string[] | undefined>('string', values.readTexts, OMIT_EMPTY);

const number = required('is empty: enter a number');
export const money = kind('number', values.readMoney, number, {
	typeOptions: { minValue: 0, numberPrecision: 2 },
	placeholder: 'e.g. 240.90',
});
export const quantity = kind('number', values.readQuantity, number);

/** A number within limits. An empty value is not sent. */
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

export const requiredFlag = kind(
	'boolean',
	values.readBoolean,
	required('has no value: it must be true or false'),
	{ default: true },
);

/** A switch that is not sent until the user adds it. */
export const flag = (displayName: string, extras: Extras = {}) =>
	optional(requiredFlag(displayName, extras));

/** The value is ISO 8601 in UTC. */
export const date = kind<string | undefined>(
	'dateTime',
	(value, label, { timezone }) => values.readDate(value, label, timezone),
	OMIT_EMPTY,
);

const IDS_DESCRIPTION =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * @param dependsOn parameters whose change reloads the list
 * @param about sentence before the standard description
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

export const atLeastOne = <T>(list: Field<T[] | undefined>): Field<T[]> => ({
	...(list as Field<T[]>),
	property: { ...list.property, required: true },
	...required('is empty: enter at least one'),
});

/** The first choice is the default. */
export function choice(displayName: string, from: Choices, extras: Extras = {}) {
	const options = toOptions(from);
	const accepted = options.map(({ value }) => value);
	const read = (value: unknown, label: string) => values.readChoice(value, label, from);
	const emptyError = `is empty: it must be one of ${accepted.join(', ')}`;
	const property = { options, default: accepted[0], ...extras };
	return custom('options', displayName, read, property, required(emptyError));
}

/** An expression may contain values that Portal.io has added since. */
export function openChoices(displayName: string, from: Choices, extras: Extras = {}) {
	const property = { options: toOptions(from), default: [], ...extras };
	const read = (value: unknown, label: string) => values.readOpenChoices(value, label, from);
	return custom<string[] | undefined>('multiOptions', displayName, read, property, OMIT_EMPTY);
}

/** An expression must not contain other values. */
export const choices = (displayName: string, from: Choices): Field<string[] | undefined> => ({
	...openChoices(displayName, from),
	read: (value, label) => values.readEachChoice(value, label, from),
});

/** Returns the fields outside of a collection on which its fields depend. */
const outerDependencies = (fields: FieldMap): string[] =>
	Object.values(fields)
		.flatMap(({ dependsOn = [] }) => dependsOn)
		.filter((name) => !(name in fields));

/** The user adds fields with a button. A field that is added must have a value unless it is optional. */
export const collection = <F extends FieldMap>(
	displayName: string,
	placeholder: string,
	fields: F,
): Field<Partial<Values<F>>> => ({
	...custom(
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
	),
	dependsOn: outerDependencies(fields),
});

export const additionalFields = <F extends FieldMap>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

const eachField = <F extends FieldMap>(
	fields: F,
	change: (original: Field<unknown>) => Field<unknown>,
) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, original]) => [name, change(original)]),
	) as FieldMap as F;

export const filters = <F extends FieldMap>(fields: F) =>
	collection('Filters', 'Add filter', eachField(fields, asFilter));

export const options = <F extends FieldMap>(fields: F) =>
	collection('Options', 'Add option', fields);

const KEEP_VALUE =
	'To keep the value that Portal.io has, remove the field. To keep it for some items only, filter them out before this step.';

/** The model of an AI agent leaves fields empty that it does not want to change. Empty text would clear them. */
function withoutEmptyModelValues(value: unknown, raw: unknown): Record<string, unknown> {
	const rawCollection = readCollection(raw);
	return Object.fromEntries(
		Object.entries(readCollection(value)).filter(
			([name, entry]) => !isFromModel(rawCollection[name]) || !isEmpty(entry),
		),
	);
}

/** Users must add at least one value. */
export const updateFields = <F extends FieldMap>(fields: F): Field<Partial<Values<F>>> => {
	const changes = eachField(fields, (original) => ({ ...original, advice: KEEP_VALUE }));
	const field = collection('Update Fields', 'Add field', changes);
	return {
		...described(field, 'Fields that are not added keep their value'),
		read: async (value, label, reading) =>
			await field.read(withoutEmptyModelValues(value, reading.raw), label, reading),
		...required('is empty: enter at least one value to change'),
	};
};

/** Users must add at least one row. */
export const rows = <F extends FieldMap>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	placeholder: string,
): Field<Array<Values<F>>> => ({
	...custom(
		'fixedCollection',
		displayName,
		async (value, label, reading) => {
			const entries = [readCollection(value)[row.name] ?? []].flat();
			const stored = [readCollection(reading.raw)[row.name] ?? []].flat();
			return await values.readEntries(entries, label, async (entry, index) => {
				const context = { ...reading, raw: stored[index] };
				return await readFields(row.fields, readCollection(entry), context);
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
	),
	dependsOn: outerDependencies(row.fields),
});

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
/** People need these lists in full. */
export const wholePaging = pagingFrom(true);

const DIRECTIONS = [
	{ name: 'Ascending', value: 'Asc' },
	{ name: 'Descending', value: 'Desc' },
];

/** @param sortFields values of `SortBy` for the list, which include `ModifiedDate` */
export const sort = (sortFields: readonly string[]) =>
	collection('Sort', 'Add sort', {
		sortBy: choice('Sort By', sortFields, { default: 'ModifiedDate' }),
		sortDirection: choice('Sort Direction', DIRECTIONS, { default: 'Desc' }),
	});

/** Returns the chosen order. Dates and numbers start with the newest unless the user chose otherwise. */
export function orderOf(
	sortValues: { sortBy?: string; sortDirection?: string },
	defaultSortBy: string,
) {
	const { sortBy = defaultSortBy } = sortValues;
	const defaultDirection = /Date|Number|Active|Modified/.test(sortBy) ? 'Desc' : 'Asc';
	return { sortBy, sortDirection: sortValues.sortDirection ?? defaultDirection };
}
