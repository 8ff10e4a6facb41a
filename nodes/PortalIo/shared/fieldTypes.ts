/** The kinds of fields that operations have. Each gives a label to the editor, and a reader. */
import type { NodePropertyTypes } from 'n8n-workflow';
import { choices as optionsOf } from '../../shared/labels';
import { utcOf } from './dates';
import {
	optional,
	propertiesOf,
	readFields,
	type Extras,
	type Field,
	type Fields,
	type Values,
} from './field';
import {
	amountOf,
	booleanOf,
	choiceOf,
	choicesOf,
	collectionOf,
	FieldError,
	filledTextOf,
	idOf,
	idsOf,
	textOf,
	textsOf,
} from './values';

/** A field of a kind of its own. */
export const field = <T>(
	type: NodePropertyTypes,
	displayName: string,
	read: Field<T>['read'],
	{ default: value = '', ...extras }: Extras = {},
): Field<T> => ({ property: { displayName, type, default: value, ...extras }, read });

type TextExtras = Extras & {
	/** How many characters the service takes. */
	max?: number;
};

/** Text that must not be empty. */
export const requiredText = (displayName: string, { max = Infinity, ...extras }: TextExtras = {}) =>
	field(
		'string',
		displayName,
		(value, label) => {
			const text = filledTextOf(value, label);
			const { length } = [...text];
			if (length <= max) return text;
			throw new FieldError(label, `has ${length} characters: Portal.io takes ${max}`);
		},
		{ required: true, ...extras },
	);

/** Text that is left out when it is empty. */
export const text = (displayName: string, extras: TextExtras = {}) =>
	optional(requiredText(displayName, extras), extras.required ? { required: true } : {});

/** Text that replaces what is stored; empty text clears it. */
export const clearableText = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, textOf, extras);

/** Texts, separated by commas or as a list. */
export const texts = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, textsOf, extras);

/** The ID of something that the editor has no list of. */
export const id = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, idOf, extras);

/** IDs, separated by commas or as a list. */
export const ids = (displayName: string, extras: Extras = {}): Field<number[]> => ({
	...field('string', displayName, idsOf, extras),
	isId: true,
});

/** At least one ID. */
export const requiredIds = (displayName: string, extras: Extras = {}): Field<number[]> => ({
	...ids(displayName, { required: true, ...extras }),
	read: (value, label) => {
		const read = idsOf(value, label);
		if (read.length > 0) return read;
		throw new FieldError(label, 'is empty: give at least one ID');
	},
});

/** An amount of money or a quantity: a number of 0 or more. */
export const amount = (displayName: string, extras: Extras) =>
	field('number', displayName, amountOf, extras);

/** On or off. */
export const requiredFlag = (displayName: string, extras: Extras = {}) =>
	field('boolean', displayName, booleanOf, { default: true, ...extras });

/** On or off; undefined where neither was chosen. */
export const flag = (displayName: string, extras: Extras = {}) =>
	optional(requiredFlag(displayName, extras));

/** What can be chosen: values whose labels say the same in words, or values with other labels. */
type Choices = readonly string[] | ReadonlyArray<{ name: string; value: string }>;

function readChoices(choices: Choices) {
	const options = choices.flatMap((one) => (typeof one === 'string' ? optionsOf([one]) : [one]));
	return { options, values: options.map(({ value }) => value) };
}

/** One of several values; the first is the default. */
export function choice(displayName: string, from: Choices, extras: Extras = {}) {
	const { options, values } = readChoices(from);
	const read = (value: unknown, label: string) => choiceOf(value, label, values);
	return field('options', displayName, read, { options, default: values[0], ...extras });
}

/** Any of several values. */
export function choices(displayName: string, from: Choices, extras: Extras = {}) {
	const { options, values } = readChoices(from);
	const read = (value: unknown, label: string) => choicesOf(value, label, values);
	return field('multiOptions', displayName, read, { options, default: [], ...extras });
}

/** A date, read as ISO 8601 in UTC. */
export const date = (displayName: string, extras: Extras = {}) =>
	optional(field('dateTime', displayName, utcOf, extras));

/**
 * Fields that a user can add.
 *
 * @param placeholder of the button that adds one
 */
export const collection = <F extends Fields>(
	displayName: string,
	placeholder: string,
	fields: F,
): Field<Values<F>> =>
	field(
		'collection',
		displayName,
		(value, _label, timezone) => readFields(fields, collectionOf(value), timezone),
		{ placeholder, default: {}, options: propertiesOf(fields) },
	);

/** The optional fields of an operation that creates something. */
export const additionalFields = <F extends Fields>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

/** What narrows a list. */
export const filters = <F extends Fields>(fields: F) => collection('Filters', 'Add filter', fields);

/** How an operation does its work. */
export const options = <F extends Fields>(fields: F) => collection('Options', 'Add option', fields);

/** The values to change: at least one. */
export function updateFields<F extends Fields>(fields: F): Field<Values<F>> {
	const all = collection('Update Fields', 'Add field', fields);
	return {
		...all,
		read: (value, label, timezone) => {
			const values = all.read(value, label, timezone);
			if (Object.values(values).some((one) => one !== undefined)) return values;
			throw new FieldError(label, 'is empty: add the fields that are to change');
		},
	};
}

/**
 * Rows of fields: any number, or at least one where the field is required. An expression may give
 * the rows themselves.
 */
export const rows = <F extends Fields>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	extras: Extras,
): Field<Array<Values<F>>> =>
	field(
		'fixedCollection',
		displayName,
		(value, label, timezone) => {
			const given = collectionOf(value)[row.name] ?? value;
			if (Array.isArray(given) && given.length > 0) {
				return given.map((one) =>
					readFields(row.fields, collectionOf(one), timezone, `${label}: `),
				);
			}
			if (extras.required) throw new FieldError(label, 'is empty: add at least one');
			return [];
		},
		{
			typeOptions: { multipleValues: true },
			default: {},
			options: [
				{
					displayName: row.displayName,
					name: row.name,
					values: propertiesOf(row.fields),
				},
			],
			...extras,
		},
	);
