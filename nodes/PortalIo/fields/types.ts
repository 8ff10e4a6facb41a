/** The kinds of fields that operations have. Each gives a label to the editor, and a reader. */
import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { toOptions } from '../../shared/labels';
import { readDate } from './dates';
import {
	eachField,
	keepable,
	narrowing,
	optional,
	propertiesOf,
	readFields,
	readingOf,
	type Extras,
	type Field,
	type Fields,
	type Values,
} from './field';
import {
	assertFound,
	readBoolean,
	readChoice,
	readEachChoice,
	readCollection,
	readCount,
	readEmail,
	FieldError,
	readFilledText,
	readIds,
	readMoney,
	readQuantity,
	readEntries,
	readText,
	readTexts,
} from './values';

/** A field of a kind of its own. */
export const field = <T>(
	type: NodePropertyTypes,
	displayName: string,
	read: Field<T>['read'],
	{ default: value = '', ...extras }: Extras = {},
): Field<T> => ({ property: { displayName, type, default: value, ...extras }, read });

/** What users should know of the operation before they run it; it has no value. */
export const notice = (
	text: string,
	show?: NonNullable<INodeProperties['displayOptions']>['show'],
): Field<undefined> => field('notice', text, () => undefined, show && { displayOptions: { show } });

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
			const text = readFilledText(value, label);
			const { length } = [...text];
			if (length <= max) return text;
			throw new FieldError(label, `has ${length} characters: Portal.io accepts up to ${max}`);
		},
		{ required: true, ...extras },
	);

/** Text that is left out when it is empty. */
export const text = (displayName: string, extras: TextExtras = {}) =>
	optional(requiredText(displayName, extras), extras.required ? { required: true } : {});

/** Text that replaces what is stored; empty text clears it. */
export const clearableText = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, readText, extras);

/** An email address that is left out when it is empty. */
export const email = (displayName: string, extras: Extras = {}) =>
	optional(
		field('string', displayName, readEmail, { placeholder: 'e.g. name@example.com', ...extras }),
	);

/** Texts, separated by commas or as a list. */
export const texts = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, readTexts, extras);

const CHOOSE_FROM_LIST =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * Any number of records, chosen from a list. An expression or an AI agent gives their IDs as an array
 * or as text with commas.
 *
 * @param displayName ends with `Names or IDs`
 * @param listMethod the method of the node that lists the choices
 * @param description what the records are for, without a full stop
 * @param dependsOn the parameters whose change makes the list stale
 */
export const ids = (
	displayName: string,
	listMethod: string,
	description: string,
	dependsOn: string[] = [],
): Field<number[]> => ({
	...field(
		'multiOptions',
		displayName,
		(value, label) => (value === undefined ? [] : readIds(value, label)),
		{
			typeOptions: {
				loadOptionsMethod: listMethod,
				...(dependsOn.length > 0 ? { loadOptionsDependsOn: dependsOn } : {}),
			},
			default: [],
			description: `${description}. ${CHOOSE_FROM_LIST}.`,
		},
	),
	isId: true,
});

/** A field of which at least one has to be chosen. */
export const atLeastOne = <T>(several: Field<T[]>): Field<T[]> => ({
	...several,
	property: { ...several.property, required: true },
	read: (value, label, reading) => {
		const chosen = several.read(value, label, reading);
		if (chosen.length > 0) return chosen;
		throw new FieldError(label, 'is empty: choose at least one');
	},
});

/**
 * A quantity: any number, since a change order takes items back with a negative one. Untouched it has
 * no value, so that none is sent by accident.
 */
export const quantity = (displayName: string, extras: Extras = {}) =>
	field('number', displayName, readQuantity, extras);

/** An amount of money: 0 or more. Untouched it has no value, so that none is sent by accident. */
export const money = (displayName: string, extras: Extras = {}) =>
	field('number', displayName, readMoney, {
		typeOptions: { minValue: 0, numberPrecision: 2 },
		placeholder: 'e.g. 240.90',
		...extras,
	});

/** How many: a whole number of 1 or more. */
export const count = (displayName: string, extras: Extras) =>
	field('number', displayName, readCount, { typeOptions: { minValue: 1 }, ...extras });

/** On or off. */
export const requiredFlag = (displayName: string, extras: Extras = {}) =>
	field('boolean', displayName, readBoolean, { default: true, ...extras });

/** On or off; undefined where neither was chosen. */
export const flag = (displayName: string, extras: Extras = {}) =>
	optional(requiredFlag(displayName, extras));

/** What can be chosen: values whose labels say the same in words, or values with other labels. */
type Choices = readonly string[] | ReadonlyArray<{ name: string; value: string }>;

function readChoices(choices: Choices) {
	const options = choices.flatMap((one) => (typeof one === 'string' ? toOptions([one]) : [one]));
	return { options, values: options.map(({ value }) => value) };
}

/** One of several values; the first is the default. */
export function choice(displayName: string, from: Choices, extras: Extras = {}) {
	const { options, values } = readChoices(from);
	const read = (value: unknown, label: string) => readChoice(value, label, values);
	return field('options', displayName, read, { options, default: values[0], ...extras });
}

/** Any of several values. */
export function choices(displayName: string, from: Choices, extras: Extras = {}) {
	const { options, values } = readChoices(from);
	const read = (value: unknown, label: string) => readEachChoice(value, label, values);
	return field('multiOptions', displayName, read, { options, default: [], ...extras });
}

/** Any of several values, and by an expression others that the service may have added since. */
export const openChoices = (displayName: string, from: Choices, extras: Extras = {}) =>
	field('multiOptions', displayName, readTexts, {
		options: readChoices(from).options,
		default: [],
		...extras,
	});

/** A date, read as ISO 8601 in UTC. */
export const date = (displayName: string, extras: Extras = {}) =>
	optional(
		field(
			'dateTime',
			displayName,
			(value, label, { timezone }) => readDate(value, label, timezone),
			extras,
		),
	);

/**
 * Fields that a user can add: one that was not added is read from undefined.
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
		(value, _label, reading) => {
			const given = readCollection(value);
			const values = Object.entries(fields).map(([name, { property, read }]) => {
				const added = name in given ? (given[name] ?? null) : undefined;
				return [name, read(added, property.displayName, readingOf(name, reading))];
			});
			return Object.fromEntries(values) as Values<F>;
		},
		{ placeholder, default: {}, options: propertiesOf(fields) },
	);

/** The optional fields of an operation that creates something. */
export const additionalFields = <F extends Fields>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

/** What narrows a list. One whose expression found nothing would let everything through. */
export function filters<F extends Fields>(fields: F): Field<Values<F>> {
	const all = collection('Filters', 'Add filter', eachField(fields, narrowing));
	return {
		...all,
		read: (value, label, reading) => {
			const given = readCollection(value);
			for (const [name, { property }] of Object.entries(fields)) {
				if (name in given) assertFound(given[name], property.displayName);
			}
			return all.read(given, label, reading);
		},
	};
}

/** How an operation does its work. */
export const options = <F extends Fields>(fields: F) => collection('Options', 'Add option', fields);

/** The values to change: at least one. */
export function updateFields<F extends Fields>(fields: F): Field<Values<F>> {
	const all = collection('Update Fields', 'Add field', eachField(fields, keepable));
	return {
		...all,
		read: (value, label, reading) => {
			const values = all.read(value, label, reading);
			if (Object.values(values).some((one) => one !== undefined)) return values;
			throw new FieldError(label, 'is empty: add at least one field to change');
		},
	};
}

/** Rows of fields: any number, or at least one where the field is required. */
export const rows = <F extends Fields>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	extras: Extras,
): Field<Array<Values<F>>> =>
	field(
		'fixedCollection',
		displayName,
		(value, label, reading) => {
			const given = readCollection(value)[row.name];
			if (Array.isArray(given) && given.length > 0) {
				// Between the quotation marks of an error: 'Items', row 2: 'Quantity' …
				return readEntries(given, label, (one, index) =>
					readFields(row.fields, readCollection(one), reading, `${label}', row ${index + 1}: '`),
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
