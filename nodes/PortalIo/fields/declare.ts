/** Creates fields, and changes how fields are shown and read. */
import type { NodeParameterValue, NodePropertyTypes } from 'n8n-workflow';
import type { Extras, Field } from './field';

export type EmptyHandling = Pick<Field<unknown>, 'emptyError' | 'mustFind' | 'whenEmpty'>;

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

export const OMIT_EMPTY: EmptyHandling = { whenEmpty: 'omit' };

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

export const atLeastOne = <T>(list: Field<T[] | undefined>): Field<T[]> => ({
	...(list as Field<T[]>),
	property: { ...list.property, required: true },
	...required('is empty: enter at least one'),
});
