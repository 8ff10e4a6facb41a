/**
 * Functions that declare fields of different types, with their parsers. Operations call them as `field.text('City')`.
 */
import type { IDisplayOptions, NodePropertyTypes } from 'n8n-workflow';
import { toOneLine, toOptions, type Choices } from '../../shared/text';
import { createField, OMIT_EMPTY, makeOptional, errorIfEmpty, type EmptyHandling } from './declare';
import type { PropertyOptions, Field } from './field';
import * as parsers from './parsers';

/** Returns a function that declares fields of one type, which differ only in their labels and extra properties. */
const defineFieldType =
	<P>(
		type: NodePropertyTypes,
		parse: Field<P>['parse'],
		emptyHandling: EmptyHandling,
		defaults: PropertyOptions = {},
	) =>
	(displayName: string, extras: PropertyOptions = {}): Field<P> =>
		createField(type, displayName, parse, { ...defaults, ...extras }, emptyHandling);

export const notice = (text: string, show?: IDisplayOptions['show']): Field<undefined> =>
	createField('notice', text, () => undefined, show && { displayOptions: { show } });

type TextExtras = PropertyOptions & { max?: number };

export const requiredText = (displayName: string, { max = Infinity, ...extras }: TextExtras = {}) =>
	createField(
		'string',
		displayName,
		(value) => parsers.parseText(value, max),
		{ required: true, ...extras },
		errorIfEmpty('must not be empty'),
	);

/** Height of a field for long text. */
export const FOUR_ROWS: PropertyOptions = { typeOptions: { rows: 4 } };

/** Declares a field for the name of a proposal or area, which Portal.io shows on one line. */
export const requiredName = (displayName: string, extras: PropertyOptions = {}): Field<string> => ({
	...requiredText(displayName, extras),
	parse: (value) => toOneLine(parsers.parseText(value)),
});

/** Declares a text field that is not sent if it is empty. */
export const text = (displayName: string, extras: TextExtras = {}) =>
	makeOptional(requiredText(displayName, extras));

/** Declares a text field that replaces the stored text. Empty text clears it. */
export const clearableText = defineFieldType('string', (value) => parsers.parseText(value), {
	whenEmpty: 'clear',
	mustFind: 'field',
});

export const email = defineFieldType<string | undefined>('string', parsers.parseEmail, OMIT_EMPTY, {
	placeholder: 'e.g. name@example.com',
});

export const texts = defineFieldType<string[] | undefined>(
	'string',
	parsers.parseTexts,
	OMIT_EMPTY,
);

export const REQUIRED_NUMBER = errorIfEmpty('is empty: enter a number');
export const money = defineFieldType('number', parsers.parseMoney, REQUIRED_NUMBER, {
	typeOptions: { minValue: 0, numberPrecision: 2 },
	placeholder: 'e.g. 240.90',
});
export const quantity = defineFieldType('number', parsers.parseQuantity, REQUIRED_NUMBER);

/** Declares a number field that can have a minimum and a maximum. An empty field is not sent. */
export const setting = (
	displayName: string,
	{ min, max, isWhole, ...extras }: PropertyOptions & parsers.Limits,
) =>
	createField<number | undefined>(
		'number',
		displayName,
		(value) => parsers.parseWithin(value, { min, max, isWhole }),
		{ typeOptions: { minValue: min, maxValue: max }, ...extras },
		OMIT_EMPTY,
	);

export const requiredFlag = defineFieldType(
	'boolean',
	parsers.parseBoolean,
	errorIfEmpty('has no value: enter true or false'),
	{ default: true },
);

/** Declares a switch that is sent only if the user adds it. */
export const flag = (displayName: string, extras: PropertyOptions = {}) =>
	makeOptional(requiredFlag(displayName, extras));

export const date = defineFieldType<string | undefined>(
	'dateTime',
	(value, { timezone }) => parsers.parseDate(value, timezone),
	OMIT_EMPTY,
);

const IDS_DESCRIPTION =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * @param dependsOn parameters whose changes reload the list
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
		...createField<number[] | undefined>('multiOptions', displayName, parsers.parseIds, extras),
		isId: true,
		whenEmpty: 'omit',
		mustFind: 'field',
	};
}

/** Declares a field for choosing one value. The first value is the default unless `extras` sets another. */
export function choice(displayName: string, from: Choices, extras: PropertyOptions = {}) {
	const options = toOptions(from);
	const accepted = options.map(({ value }) => value);
	const parse = (value: unknown) => parsers.parseChoice(value, from);
	const emptyError = `is empty: it must be one of ${accepted.join(', ')}`;
	const property = { options, default: accepted[0], ...extras };
	return createField('options', displayName, parse, property, errorIfEmpty(emptyError));
}

/**
 * Declares a field for choosing several values. An expression can also return other values, because Portal.io might
 * have added some.
 */
export function openChoices(displayName: string, from: Choices, extras: PropertyOptions = {}) {
	const property = { options: toOptions(from), default: [], ...extras };
	const parse = (value: unknown) => parsers.parseOpenChoices(value, from);
	return createField<string[] | undefined>(
		'multiOptions',
		displayName,
		parse,
		property,
		OMIT_EMPTY,
	);
}

/** Declares a field for choosing several values. Rejects any other value from an expression. */
export const choices = (displayName: string, from: Choices): Field<string[] | undefined> => ({
	...openChoices(displayName, from),
	parse: (value) => parsers.parseEachChoice(value, from),
});
