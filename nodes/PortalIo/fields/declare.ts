/** Functions that create fields, and that change how fields are shown and parsed. */
import type { NodeParameterValue, NodePropertyTypes } from 'n8n-workflow';
import type { PropertyOptions, Field } from './field';

export type EmptyHandling = Pick<Field<unknown>, 'emptyError' | 'mustFind' | 'whenEmpty'>;

export const createField = <P>(
	type: NodePropertyTypes,
	displayName: string,
	parse: Field<P>['parse'],
	extras: PropertyOptions = {},
	emptyHandling?: EmptyHandling,
): Field<P> => ({
	property: { displayName, type, default: '', ...extras },
	parse,
	...emptyHandling,
});

/** Returns the handling of empty values for a field that must have a value. */
export const errorIfEmpty = (emptyError: Field<unknown>['emptyError']): EmptyHandling => ({
	whenEmpty: 'error',
	emptyError,
});

export const OMIT_EMPTY: EmptyHandling = { whenEmpty: 'omit' };

/** Sets the description of a field. Appends the field's advice about dragging. */
export function withDescription<P>(field: Field<P>, description?: string): Field<P> {
	const { dragAdvice } = field;
	const both = `${description?.replace(/\.$/, '')}. ${dragAdvice}.`;
	const text = description && dragAdvice ? both : (description ?? dragAdvice);
	return { ...field, property: { ...field.property, description: text } };
}

export const makeOptional = <P>(field: Field<P>): Field<P | undefined> => ({
	...field,
	property: { ...field.property, required: false },
	whenEmpty: 'omit',
});

/**
 * Allows a blank value, but an expression must still refer to a field that exists. Otherwise, nobody would notice a
 * misspelled name.
 */
export const allowBlank = <P>(field: Field<P>): Field<P | undefined> => ({
	...makeOptional(field),
	mustFind: 'field',
});

/** Rejects an expression that resolves to nothing, because an empty filter would match everything. */
export const toFilter = <P>(field: Field<P>): Field<P> => ({
	...field,
	mustFind: 'value',
	advice: 'To leave out this filter, remove the expression.',
});

/** Shows and parses a field only if an earlier field (`name`) has the given value. */
export const showIf = <P>(
	name: string,
	value: NodeParameterValue,
	field: Field<P>,
): Field<P | undefined> => ({
	...field,
	property: { ...field.property, displayOptions: { show: { [name]: [value] } } },
	isUsed: (values) => values[name] === value,
});

export const atLeastOne = <P>(list: Field<P[] | undefined>): Field<P[]> => ({
	...(list as Field<P[]>),
	property: { ...list.property, required: true },
	...errorIfEmpty('is empty: enter at least one'),
});
