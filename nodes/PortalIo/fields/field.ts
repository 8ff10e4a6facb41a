/** The fields of operations: what the editor shows of each, and what is read of its value. */
import type { IBinaryData, INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { asRecord, isRecord } from '../../../client/data';
import type { Upload } from '../../../client/upload';
import type { Records } from './records';
import { FieldError } from './values';

/** The reason that a field has no value: it was not added, its expression found nothing, or it was left blank. */
export type Emptiness = 'leftOut' | 'foundNothing' | 'blank';

/** The kinds of fields by what they read as without a value; where a kind does not say, it is an error. */
export const WITHOUT = {
	required: {},
	added: { leftOut: undefined },
	optional: { leftOut: undefined, foundNothing: undefined, blank: undefined },
	/** For what nobody would miss, where an expression found nothing. */
	strict: { leftOut: undefined, blank: undefined },
	clearable: { blank: '' },
	list: { leftOut: [], foundNothing: [], blank: [] },
	strictList: { leftOut: [], blank: [] },
};

/** A field of an operation. */
export interface Field<T> {
	/** As the editor shows it. Its name in n8n is its key among the fields of the operation. */
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
	/** The result without a value. If absent, `read` gets the input unchanged. */
	without?: Partial<Record<Emptiness, T>>;
	/** The error of a blank field, such as `is empty: enter a number`. */
	whenBlank?: string;
	/** The advice in the error of a missing value. */
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

/** The context for reading a value. */
export interface Reading {
	/** The time zone of the workflow, for dates without one. */
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

/** The values of fields, by their names. */
export type Values<F extends Fields> = { [K in keyof F]: Awaited<ReturnType<F[K]['read']>> };

/** The fields as n8n takes them. */
export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

/** A collection of fields; empty when nothing was added to it. */
export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};

/** Whether a value is that of a resource locator. */
export const isLocator = (value: unknown): value is { value: unknown; mode?: unknown } =>
	isRecord(value) && 'value' in value;

/** The reason that an input is not a value; undefined if it is one. */
export function emptinessOf(value: unknown): Exclude<Emptiness, 'leftOut'> | undefined {
	const given = isLocator(value) ? value.value : value;
	// Arithmetic with a field that does not exist is not a number.
	if (given === undefined || given === null || Number.isNaN(given)) return 'foundNothing';
	const isBlank =
		typeof given === 'string' ? given.trim() === '' : Array.isArray(given) && given.length === 0;
	return isBlank ? 'blank' : undefined;
}

/** Whether a field has an expression other than that of an AI agent, which leaves it empty on purpose. */
const isExpression = (raw: unknown): boolean =>
	isLocator(raw)
		? isExpression(raw.value)
		: typeof raw === 'string' && raw.startsWith('=') && !raw.includes('$fromAI(');

const FOUND_NOTHING =
	'has no value: the expression returned nothing. Check that the previous step outputs this field.';

/** Reads a field from the values of its group, by their names; one without a name there was left out. */
async function readField<T>(
	field: Field<T>,
	name: string,
	given: Record<string, unknown>,
	label: string,
	reading: Reading,
): Promise<T> {
	const { without, isNarrowing, whenBlank = 'is empty', advice } = field;
	const value = given[name];
	let emptiness: Emptiness | undefined = name in given ? emptinessOf(value) : 'leftOut';
	if (without === undefined || emptiness === undefined) {
		return await field.read(value, label, reading);
	}
	if (emptiness === 'blank' && isNarrowing && isExpression(reading.raw)) emptiness = 'foundNothing';
	if (emptiness in without) return without[emptiness] as T;
	throw new FieldError(label, emptiness === 'foundNothing' ? FOUND_NOTHING : whenBlank, advice);
}

/**
 * Reads fields that can be added: one that is not given was left out.
 *
 * @param prefix before the label of each field in errors
 * @throws FieldError naming the first field whose value the service cannot take
 */
export async function readAdded<F extends Fields>(
	fields: F,
	given: Record<string, unknown>,
	reading: Reading,
	prefix = '',
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		const earlier = { ...reading.earlier, ...values };
		if (field.isUsed?.(earlier) === false) continue;
		const raw = readCollection(reading.raw)[name];
		const label = prefix + field.property.displayName;
		values[name] = await readField(field, name, given, label, { ...reading, raw, earlier });
	}
	return values as Values<F>;
}

/** Reads fields that all have a value: one that is not given has its default. */
export async function readFields<F extends Fields>(
	fields: F,
	given: Record<string, unknown>,
	reading: Reading,
	prefix = '',
): Promise<Values<F>> {
	const all = { ...given };
	for (const [name, { property }] of Object.entries(fields)) {
		if (!(name in all)) all[name] = property.default;
	}
	return await readAdded(fields, all, reading, prefix);
}

/** Optional properties of a field besides its label and type. */
export type Extras = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;

/** A field that reads as something else without a value. */
const withoutValue = <T, W>(field: Field<T>, without: W, extras: Extras) => ({
	...field,
	property: { ...field.property, required: false, ...extras },
	without,
});

/**
 * A field that a user may leave empty: it reads as undefined then.
 *
 * @param extras `isStrict` refuses an expression that found nothing, where nobody would notice that
 * the value is missing
 */
export const optional = <T>(
	field: Field<T>,
	{ isStrict = false, ...extras }: Extras & { isStrict?: boolean } = {},
): Field<T | undefined> =>
	withoutValue(field, isStrict ? WITHOUT.strict : WITHOUT.optional, extras);

/**
 * A field of a collection that reads as undefined until it is added. An added field has to have a
 * value: an expression that found nothing must not pass for a field that was left out.
 */
export const added = <T>(field: Field<T>, extras: Extras = {}): Field<T | undefined> =>
	withoutValue(field, { ...field.without, ...WITHOUT.added }, extras);

/**
 * A field that lets everything through when it is left alone: an expression that returned nothing is
 * refused, as nobody would notice.
 */
export function narrowing<T>(field: Field<T>): Field<T> {
	const without = { ...field.without };
	delete without.foundNothing;
	const advice = 'To apply no filter, remove the expression.';
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
