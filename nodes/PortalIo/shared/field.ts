import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { isEmpty, isLocator } from './values';

/** A field of an operation: what the editor shows of it, and how its value is read. */
export interface Field<T> {
	/** Its name in n8n is its key among the fields of the operation. */
	property: Omit<INodeProperties, 'name'>;
	/** Whether it holds IDs. They are the output where the service returns no record. */
	isId?: true;
	/** Whether it is read, by the values of the fields before it; it always is when absent. */
	isUsed?(earlier: Record<string, unknown>): boolean;
	/**
	 * @param label of the field, as errors name it
	 * @throws FieldError for a value that the service cannot take
	 */
	read(value: unknown, label: string, reading: Reading): T;
}

/** What reading a value may need besides the value. */
export interface Reading {
	/** Of the workflow, for dates that name none. */
	timezone: string;
	/** The ID of the catalog item with a model, or why it has none. */
	findModel?(sought: SoughtModel): number | string;
	/** The values of the fields before this one. */
	earlier?: Record<string, unknown>;
}

/** A catalog item that is given by its model, with or without the brand in front. */
export interface SoughtModel {
	model: string;
	itemType: string;
}

/** Fields by their names in n8n, in the order of the editor. */
export type Fields = Record<string, Field<unknown>>;

/** What reading fields returns, by their names. */
export type Values<F extends Fields> = { [K in keyof F]: ReturnType<F[K]['read']> };

/** The fields as n8n takes them. */
export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

/**
 * Reads what a user gave for each field. A field under whose name nothing stands reads as its default;
 * where undefined stands, its expression found nothing, and that is read as null.
 *
 * @param prefix before the label of each field in errors
 * @throws FieldError naming the first field whose value the service cannot take
 */
export function readFields<F extends Fields>(
	fields: F,
	given: Record<string, unknown>,
	reading: Reading,
	prefix = '',
): Values<F> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		if (field.isUsed?.(values) === false) continue;
		const value = name in given ? (given[name] ?? null) : field.property.default;
		const label = prefix + field.property.displayName;
		values[name] = field.read(value, label, { ...reading, earlier: values });
	}
	return values as Values<F>;
}

/** What a field may say of itself besides its label and type. */
export type Extras = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;

/**
 * A field that a user may leave empty: it reads as undefined then.
 *
 * @param extras `isStrict` refuses an expression that found nothing, where nobody would notice that
 * the value is missing
 */
export const optional = <T>(
	field: Field<T>,
	{ isStrict = false, ...extras }: Extras & { isStrict?: boolean } = {},
): Field<T | undefined> => ({
	...field,
	property: { ...field.property, required: false, ...extras },
	read: (value, ...rest) => {
		const given = isLocator(value) ? value.value : value;
		const isLeftEmpty = isStrict ? given === undefined || given === '' : isEmpty(given);
		return isLeftEmpty ? undefined : field.read(value, ...rest);
	},
});

/**
 * A field of a collection that reads as undefined until it is added. An added field has to have a
 * value: an expression that found nothing must not pass for a field that was left out.
 */
export const added = <T>(field: Field<T>, extras: Extras = {}): Field<T | undefined> => ({
	...field,
	property: { ...field.property, required: false, ...extras },
	read: (value, ...rest) => (value === undefined ? undefined : field.read(value, ...rest)),
});

/** A field that is shown and read only while an earlier one has a certain value. */
export const shownIf = <T>(
	name: string,
	value: NodeParameterValue,
	field: Field<T>,
): Field<T | undefined> => ({
	...field,
	property: { ...field.property, displayOptions: { show: { [name]: [value] } } },
	isUsed: (earlier) => earlier[name] === value,
});
