/** The kinds of fields: each function returns the property for the editor, and a reader. */
import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { toOptions } from '../../shared/labels';
import {
	narrowing,
	optional,
	propertiesOf,
	readAdded,
	readCollection,
	readFields,
	WITHOUT,
	type Extras,
	type Field,
	type Fields,
	type Values,
} from './field';
import * as values from './values';

/** Without `without`, `read` gets empty values too. */
export const field = <T>(
	type: NodePropertyTypes,
	displayName: string,
	read: Field<T>['read'],
	{ default: value = '', ...extras }: Extras = {},
	without?: Field<T>['without'],
): Field<T> => ({
	property: { displayName, type, default: value, ...extras },
	read,
	...(without && { without }),
});

/** A field that must have a value; `whenBlank` is the error without one. */
export const requiredField = <T>(
	type: NodePropertyTypes,
	displayName: string,
	whenBlank: string,
	read: Field<T>['read'],
	extras: Extras = {},
): Field<T> => ({
	...field(type, displayName, read, extras, WITHOUT.required),
	whenBlank,
});

/** A notice for users before they run the operation; it has no value. */
export const notice = (
	text: string,
	show?: NonNullable<INodeProperties['displayOptions']>['show'],
): Field<undefined> => field('notice', text, () => undefined, show && { displayOptions: { show } });

type TextExtras = Extras & {
	/** In characters. */
	max?: number;
};

/** Text that must not be empty. */
export const requiredText = (displayName: string, { max = Infinity, ...extras }: TextExtras = {}) =>
	requiredField(
		'string',
		displayName,
		'must not be empty',
		(value, label) => {
			const text = values.readText(value, label);
			const { length } = [...text];
			if (length <= max) return text;
			throw new values.FieldError(
				label,
				`has ${length} characters: Portal.io accepts up to ${max}`,
			);
		},
		{ required: true, ...extras },
	);

/** Text that is left out when it is empty. */
export const text = (displayName: string, extras: TextExtras = {}) =>
	optional(requiredText(displayName, extras), extras.required ? { required: true } : {});

/** Text that replaces what is stored; empty text clears it. */
export const clearableText = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, values.readText, extras, WITHOUT.clearable);

/** An email address; undefined when it is empty. */
export const email = (displayName: string, extras: Extras = {}) =>
	optional(
		field('string', displayName, values.readEmail, {
			placeholder: 'e.g. name@example.com',
			...extras,
		}),
	);

/** Texts, separated by commas or as a list. */
export const texts = (displayName: string, extras: Extras = {}) =>
	field('string', displayName, values.readTexts, extras, WITHOUT.list);

const CHOOSE_FROM_LIST =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** Any number of records; `dependsOn` are the parameters whose change reloads the list. */
export function ids(
	displayName: string,
	listMethod: string,
	description: string,
	dependsOn?: string[],
): Field<number[]> {
	const typeOptions = {
		loadOptionsMethod: listMethod,
		...(dependsOn && { loadOptionsDependsOn: dependsOn }),
	};
	const extras = { typeOptions, default: [], description: `${description}. ${CHOOSE_FROM_LIST}.` };
	return {
		...field('multiOptions', displayName, values.readIds, extras, WITHOUT.strictList),
		isId: true,
	};
}

const CHOOSE_ONE = 'is empty: choose at least one';

/** The same list, but at least one entry is required. */
export const atLeastOne = <T>(several: Field<T[]>): Field<T[]> => ({
	...several,
	property: { ...several.property, required: true },
	without: WITHOUT.required,
	whenBlank: CHOOSE_ONE,
	read: async (value, label, reading) => {
		const chosen = await several.read(value, label, reading);
		if (chosen.length > 0) return chosen;
		throw new values.FieldError(label, CHOOSE_ONE);
	},
});

const ENTER_NUMBER = 'is empty: enter a number';

/** Any number: a change order takes items back. It has no default, so none is sent by accident. */
export const quantity = (displayName: string, extras: Extras = {}) =>
	requiredField('number', displayName, ENTER_NUMBER, values.readQuantity, extras);

/** 0 or more. It has no default, so none is sent by accident. */
export const money = (displayName: string, extras: Extras = {}) =>
	requiredField('number', displayName, ENTER_NUMBER, values.readMoney, {
		typeOptions: { minValue: 0, numberPrecision: 2 },
		placeholder: 'e.g. 240.90',
		...extras,
	});

/** A whole number of 1 or more. */
export const count = (displayName: string, extras: Extras) =>
	requiredField('number', displayName, ENTER_NUMBER, values.readCount, {
		typeOptions: { minValue: 1 },
		...extras,
	});

/** A number within limits; undefined when it is empty. */
export const setting = (displayName: string, limits: values.Limits, extras: Extras) =>
	optional(
		field('number', displayName, (value, label) => values.readWithin(value, label, limits), extras),
	);

/** A switch that must have a value. */
export const requiredFlag = (displayName: string, extras: Extras = {}) =>
	requiredField('boolean', displayName, 'has no value: choose true or false', values.readBoolean, {
		default: true,
		...extras,
	});

/** Undefined until the user chooses. */
export const flag = (displayName: string, extras: Extras = {}) =>
	optional(requiredFlag(displayName, extras));

/** The choices: values whose labels follow from them, or values with other labels. */
type Choices = readonly string[] | ReadonlyArray<{ name: string; value: string }>;

function readChoices(choices: Choices) {
	const options = choices.flatMap((one) => (typeof one === 'string' ? toOptions([one]) : [one]));
	return { options, accepted: options.map(({ value }) => value) };
}

/** One of several values; the first is the default. */
export function choice(displayName: string, from: Choices, extras: Extras = {}) {
	const { options, accepted } = readChoices(from);
	const read = (value: unknown, label: string) => values.readChoice(value, label, accepted);
	const whenBlank = `is empty: choose one of ${accepted.join(', ')}`;
	return requiredField('options', displayName, whenBlank, read, {
		options,
		default: accepted[0],
		...extras,
	});
}

/** Any of several values. */
export function choices(displayName: string, from: Choices, extras: Extras = {}): Field<string[]> {
	const { options, accepted } = readChoices(from);
	const read = (value: unknown, label: string) => values.readEachChoice(value, label, accepted);
	const all = { options, default: [], ...extras };
	return field('multiOptions', displayName, read, all, WITHOUT.list);
}

/** Also accepts values that Portal.io may have added since, from an expression. */
export const openChoices = (displayName: string, from: Choices, extras: Extras = {}) => ({
	...choices(displayName, from, extras),
	read: values.readTexts,
});

/** A date, read as ISO 8601 in UTC. */
export const date = (displayName: string, extras: Extras = {}) =>
	optional(
		field(
			'dateTime',
			displayName,
			(value, label, { timezone }) => values.readDate(value, label, timezone),
			extras,
		),
	);

/** A button with `placeholder` adds a field. */
export const collection = <F extends Fields>(
	displayName: string,
	placeholder: string,
	fields: F,
): Field<Values<F>> =>
	field(
		'collection',
		displayName,
		async (value, _label, reading) => await readAdded(fields, readCollection(value), reading),
		{ placeholder, default: {}, options: propertiesOf(fields) },
	);

export const additionalFields = <F extends Fields>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

const eachField = <F extends Fields>(fields: F, change: (one: Field<unknown>) => Field<unknown>) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, one]) => [name, change(one)]),
	) as Fields as F;

/** A filter whose expression found nothing would match everything, so it is an error. */
export const filters = <F extends Fields>(fields: F) =>
	collection('Filters', 'Add filter', eachField(fields, narrowing));

export const options = <F extends Fields>(fields: F) => collection('Options', 'Add option', fields);

const KEEP_VALUE =
	'To keep the value that Portal.io has, remove the field. To keep it for some items only, filter them out before this step.';

/** The values to change: at least one. */
export function updateFields<F extends Fields>(fields: F): Field<Values<F>> {
	const keepable = eachField(fields, (one) => ({ ...one, advice: KEEP_VALUE }));
	const all = collection('Update Fields', 'Add field', keepable);
	return {
		...all,
		read: async (value, label, reading) => {
			const changes = await all.read(value, label, reading);
			if (Object.values(changes).some((one) => one !== undefined)) return changes;
			throw new values.FieldError(label, 'is empty: add at least one field to change');
		},
	};
}

/** Rows of fields: at least one. */
export const rows = <F extends Fields>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	placeholder: string,
): Field<Array<Values<F>>> =>
	field(
		'fixedCollection',
		displayName,
		async (value, label, reading) => {
			const given = readCollection(value)[row.name];
			if (!Array.isArray(given) || given.length === 0) {
				throw new values.FieldError(label, 'is empty: add at least one');
			}
			return await values.readEntries(given, label, async (one, index) => {
				// Between the quotation marks of an error: 'Items', row 2: 'Quantity' …
				const place = `${label}', row ${index + 1}: '`;
				return await readFields(row.fields, readCollection(one), reading, place);
			});
		},
		{
			...{ placeholder, required: true, default: {} },
			typeOptions: { multipleValues: true },
			options: [{ displayName: row.displayName, name: row.name, values: propertiesOf(row.fields) }],
		},
	);
