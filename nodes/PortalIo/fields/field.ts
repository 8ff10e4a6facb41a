/** The fields of operations: what the editor shows of each, and what is read of its value. */
import type { IBinaryData, INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { asRecord } from '../../../client/data';
import type { Upload } from '../../../client/upload';
import { emptinessOf, isExpression, WITHOUT, type Without } from './emptiness';
import type { Records } from './records';
import { FieldError } from './values';

/** A field of an operation: what the editor shows of it, and how its value is read. */
export interface Field<T> {
	/** Its name in n8n is its key among the fields of the operation. */
	property: Omit<INodeProperties, 'name'>;
	/** Whether it holds IDs. They are the output where the service returns no record. */
	isId?: true;
	/** Whether it is read, by the values of the fields before it; it always is when absent. */
	isUsed?(earlier: Record<string, unknown>): boolean;
	/**
	 * Whether it names something that an earlier input of the step may create: it is then read after the
	 * changes of the inputs before, and after the other fields.
	 */
	isInTurn?(given: Record<string, unknown>): boolean;
	/** What it reads as without a value. When absent, `read` gets whatever was given. */
	without?: Without<T>;
	/** What an error says of a blank field, such as `is empty: enter a number`. */
	whenBlank?: string;
	/** What an error says below where there is no value. */
	advice?: string;
	/** Whether a blank value counts as nothing found where an expression gives it. */
	isNarrowing?: true;
	/**
	 * Reads a value, and finds the record that it names.
	 *
	 * @param label of the field, as errors name it
	 * @throws FieldError for a value that the service cannot take
	 */
	read(value: unknown, label: string, reading: Reading): T | Promise<T>;
}

/** What reading a value may need besides the value. */
export interface Reading {
	/** Of the workflow, for dates that name none. */
	timezone: string;
	/** Finds records by what people call them. */
	records: Records;
	/** Finds a file of the input, by the name of its field. */
	inputFile(field: unknown): Promise<InputFile>;
	/** The value as the workflow has it, with expressions in place of what they return. */
	raw?: unknown;
	/** The values of the fields before this one. */
	earlier?: Record<string, unknown>;
}

/** A file of the input, which can be opened as often as needed, from its beginning. */
export interface InputFile extends Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'> {
	/** Its exact size. */
	bytes: number;
	open: Upload['open'];
}

/** Fields by their names in n8n, in the order of the editor. */
export type Fields = Record<string, Field<unknown>>;

/** What reading fields returns, by their names. */
export type Values<F extends Fields> = { [K in keyof F]: Awaited<ReturnType<F[K]['read']>> };

/** The fields as n8n takes them. */
export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

/** A collection of fields; empty when nothing was added to it. */
export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};

const FOUND_NOTHING =
	'has no value: the expression returned nothing. Check that the previous step outputs this field.';

/**
 * Reads a field of a group.
 *
 * @param given the values of the group by their names. Where undefined stands, an expression found
 * nothing; what has no name there was left out.
 * @param reading of the group
 */
async function readField<T>(
	field: Field<T>,
	name: string,
	given: Record<string, unknown>,
	prefix: string,
	reading: Reading,
): Promise<T> {
	const { without, whenBlank = 'is empty', advice } = field;
	const label = prefix + field.property.displayName;
	const raw = readCollection(reading.raw)[name];
	const value = given[name];
	const found = name in given ? emptinessOf(value) : 'leftOut';
	if (without === undefined || found === undefined) {
		return await field.read(value, label, { ...reading, raw });
	}
	const isNothing = found === 'blank' && field.isNarrowing && isExpression(raw);
	const emptiness = isNothing ? 'foundNothing' : found;
	if (emptiness in without) return without[emptiness] as T;
	throw new FieldError(label, emptiness === 'foundNothing' ? FOUND_NOTHING : whenBlank, advice);
}

/**
 * Reads fields that all have a value: one that is not given has its default.
 *
 * @param prefix before the label of each field in errors
 * @param values of the fields that were read before
 * @throws FieldError naming the first field whose value the service cannot take
 */
export async function readFields<F extends Fields>(
	fields: F,
	given: Record<string, unknown>,
	reading: Reading,
	prefix = '',
	values: Record<string, unknown> = {},
): Promise<Values<F>> {
	for (const [name, field] of Object.entries(fields)) {
		if (field.isUsed?.(values) === false) continue;
		const one = name in given ? given : { [name]: field.property.default };
		values[name] = await readField(field, name, one, prefix, { ...reading, earlier: values });
	}
	return values as Values<F>;
}

/** Reads fields that can be added: one that is not given was left out. */
export async function readAdded<F extends Fields>(
	fields: F,
	given: Record<string, unknown>,
	reading: Reading,
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		values[name] = await readField(field, name, given, '', reading);
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
	without: isStrict ? WITHOUT.strict : WITHOUT.optional,
});

/**
 * A field of a collection that reads as undefined until it is added. An added field has to have a
 * value: an expression that found nothing must not pass for a field that was left out.
 */
export const added = <T>(field: Field<T>, extras: Extras = {}): Field<T | undefined> => ({
	...field,
	property: { ...field.property, required: false, ...extras },
	without: { ...field.without, ...WITHOUT.added },
});

/**
 * A field that lets everything through when it is left alone: an expression that returned nothing is
 * refused, as nobody would notice.
 */
export function narrowing<T>(field: Field<T>): Field<T> {
	const without = { ...field.without };
	delete without.foundNothing;
	const advice = 'Remove the expression to let everything through.';
	return { ...field, without, isNarrowing: true, advice };
}

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
