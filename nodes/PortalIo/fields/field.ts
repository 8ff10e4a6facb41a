/** Fields of operations: what the editor shows, and how a value is read. */
import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { asRecord, isRecord } from '../../../client/guards';
import type { Upload } from '../../../client/upload';
import { FieldError } from './values';

/** The reason that a field has no value: its expression found nothing, or it was left blank. */
export type Emptiness = 'foundNothing' | 'blank';

/** The value of each kind of field without input; a reason that it does not list is an error. */
export const WITHOUT = {
	required: {},
	optional: { foundNothing: undefined, blank: undefined },
	strict: { blank: undefined },
	clearable: { blank: '' },
	list: { foundNothing: [], blank: [] },
	strictList: { blank: [] },
};

/** A field of an operation; `T` is the type of its value. */
export interface Field<T> {
	/** As the editor shows it. Its name in n8n is its key among the fields of the operation. */
	property: Omit<INodeProperties, 'name'>;
	/** Whether it holds IDs. They are the output where the service returns no record. */
	isId?: true;
	/** Whether it is read, by the values of the fields before it; it always is when absent. */
	isUsed?(earlier: Record<string, unknown>): boolean;
	/** Whether an earlier input may create what it names: it is then read after that input. */
	isReadLater?(given: Record<string, unknown>): boolean;
	/** The result without a value. If absent, `read` gets the input unchanged. */
	without?: Partial<Record<Emptiness, T>>;
	/** The error of a blank field, such as `is empty: enter a number`. */
	whenBlank?: string;
	advice?: string;
	/** Whether an expression must find something that is not blank. */
	isNarrowing?: true;
	/**
	 * Reads a value and looks up the record that it names; throws a FieldError that names `label`. A
	 * list or collection without values counts as blank.
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
	inputFile(field: unknown, label: string): Promise<InputFile>;
	/** The parameter as the workflow stores it, with its expressions not evaluated. */
	raw?: unknown;
	/** The values of the fields before this one. */
	earlier: Record<string, unknown>;
}

/** The ID of a record, or the reason for a missing one, as the end of a sentence about the field. */
export type Found = number | string;

/** Finds the records of an account by what people call them. */
export interface Records {
	proposal(number: string): Promise<Found>;
	/** By its model, with or without the brand in front. */
	catalogItem(model: string, itemType: string): Promise<Found>;
	contact(email: string): Promise<Found>;
	salesperson(email: string): Promise<Found>;
	item(proposalId: number, model: string): Promise<Found>;
	area(proposalId: number, name: string): Promise<Found>;
	/** By the name of its area, and by its number if the area has several. */
	areaOption(proposalId: number, name: string, missing?: MissingArea): Promise<Found>;
}

/** For a missing area: create it, or suggest the option that would create it. */
export type MissingArea = 'create' | 'couldCreate';

/** An example of an expression for the file of an earlier step. */
export const FILE_EXPRESSION = "{{ $('On form submission').item.binary.Recording }}";

/** A file of the input, which can be opened more than once. */
export interface InputFile extends Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'> {
	bytes: number;
	open: Upload['open'];
}

/** Fields by their names in n8n, in the order of the editor. */
export type Fields = Record<string, Field<unknown>>;

/** The values of fields, by name. */
export type Values<F extends Fields> = { [K in keyof F]: Awaited<ReturnType<F[K]['read']>> };

/** The fields as n8n describes them. */
export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

/** A collection of fields; empty when nothing was added to it. */
export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};

/** Whether a value is that of a resource locator. */
export const isLocator = (value: unknown): value is { value: unknown; mode?: unknown } =>
	isRecord(value) && 'value' in value;

/** The reason that an input is not a value; undefined if it is one. */
export function emptinessOf(value: unknown): Emptiness | undefined {
	const given = isLocator(value) ? value.value : value;
	// Arithmetic with a field that does not exist is not a number.
	if (given === undefined || given === null || Number.isNaN(given)) return 'foundNothing';
	const text = Array.isArray(given) && given.length === 0 ? '' : given;
	return typeof text === 'string' && text.trim() === '' ? 'blank' : undefined;
}

/** Whether a field has an expression other than that of an AI agent, which leaves it empty on purpose. */
const isExpression = (raw: unknown): boolean =>
	isLocator(raw)
		? isExpression(raw.value)
		: typeof raw === 'string' && raw.startsWith('=') && !raw.includes('$fromAI(');

const FOUND_NOTHING =
	'has no value: the expression returned nothing. Check that the previous step outputs this field.';

const hasValue = (listed: object | null): boolean =>
	Object.values(listed ?? {}).some((one) => one !== undefined);

async function readField<T>(
	field: Field<T>,
	value: unknown,
	label: string,
	reading: Reading,
): Promise<T> {
	const { without, isNarrowing, whenBlank = 'is empty', advice } = field;
	let emptiness = emptinessOf(value);
	if (without === undefined || emptiness === undefined) {
		const result = await field.read(value, label, reading);
		if (without === undefined || typeof result !== 'object' || hasValue(result)) return result;
		emptiness = 'blank';
	}
	if (isNarrowing && isExpression(reading.raw)) emptiness = 'foundNothing';
	const isMissing = emptiness === 'foundNothing';
	if (emptiness in without && !(isNarrowing && isMissing)) return without[emptiness] as T;
	throw new FieldError(label, isMissing ? FOUND_NOTHING : whenBlank, advice);
}

/**
 * Reads fields in their order. One that `given` does not name has its default. If `areAdded`, it is left
 * out instead.
 *
 * @param prefix of the labels in errors
 */
export async function readFields<F extends Fields>(
	fields: F,
	given: Record<string, unknown>,
	reading: Reading,
	{ prefix = '', areAdded = false } = {},
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		const earlier = { ...reading.earlier, ...values };
		if ((areAdded && !(name in given)) || field.isUsed?.(earlier) === false) continue;
		const { displayName, default: byDefault } = field.property;
		const value = name in given ? given[name] : byDefault;
		const context = { ...reading, raw: asRecord(reading.raw)?.[name], earlier };
		values[name] = await readField(field, value, prefix + displayName, context);
	}
	return values as Values<F>;
}

/** Properties of a field in the editor, besides its label and type. */
export type Extras = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;
