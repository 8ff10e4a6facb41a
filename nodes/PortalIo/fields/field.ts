/**
 * The fields of operations: what the editor shows of each, and what is read of its value.
 *
 * | a field                                      | not added   | left empty  | expression found nothing |
 * |----------------------------------------------|-------------|-------------|--------------------------|
 * | required text, flag, choice, number, locator | error       | error       | error                    |
 * | clearable text                               | error       | clears      | error                    |
 * | `added`: one of these in a collection        | left out    | as its kind | as its kind              |
 * | `optional`: text, email, flag, date, locator | left out    | left out    | left out                 |
 * | `optional` with `isStrict`                   | left out    | left out    | error                    |
 * | texts, choices                               | none        | none        | none                     |
 * | IDs                                          | none        | none        | error                    |
 * | IDs with `atLeastOne`                        | error       | error       | error                    |
 * | `narrowing`, and each of `filters`           | as its kind | as its kind | error                    |
 */
import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { FieldError, isEmpty, isLocator, readCollection } from './values';

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
	/** The value as the workflow has it, with expressions in place of what they return. */
	raw?: unknown;
	/** The values of the fields before this one. */
	earlier?: Record<string, unknown>;
}

/** The reading of a field of a group. */
export const readingOf = (name: string, { raw, ...reading }: Reading): Reading => ({
	...reading,
	raw: readCollection(raw)[name],
});

/** Whether a field has an expression other than that of an AI agent, which leaves it empty on purpose. */
const isExpression = (raw: unknown): boolean =>
	isLocator(raw)
		? isExpression(raw.value)
		: typeof raw === 'string' && raw.startsWith('=') && !raw.includes('$fromAI(');

/**
 * A field that lets everything through when it is left alone: an expression that returned nothing is
 * refused, as nobody would notice.
 */
export const narrowing = <T>(field: Field<T>): Field<T> => ({
	...field,
	read: (value, label, reading) => {
		const given = isLocator(value) ? value.value : value;
		const isNothing = isEmpty(given) || (Array.isArray(given) && given.length === 0);
		if (isNothing && isExpression(reading.raw)) {
			throw new FieldError(
				label,
				'has no value: the expression returned nothing. Check that the previous step outputs this field, or remove the expression.',
			);
		}
		return field.read(value, label, reading);
	},
});

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
		values[name] = field.read(value, label, { ...readingOf(name, reading), earlier: values });
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
		const isLeftEmpty = isEmpty(given) && !(isStrict && given === null);
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

/** The same fields, each with something added to it. */
export const eachField = <F extends Fields>(
	fields: F,
	change: (field: Field<unknown>) => Field<unknown>,
) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, one]) => [name, change(one)]),
	) as Fields as F;

const KEEP_VALUE =
	'To keep the value that Portal.io has, remove the field. To keep it for some items only, filter them out before this step.';

/** A field to change, whose error says what to do when there is no new value. */
export const keepable = (field: Field<unknown>): Field<unknown> => ({
	...field,
	read: (value, ...rest) => {
		let failure: unknown;
		try {
			return field.read(value, ...rest);
		} catch (error) {
			failure = error;
		}
		if (failure instanceof FieldError && isEmpty(value)) failure.description ??= KEEP_VALUE;
		throw failure as Error;
	},
});
