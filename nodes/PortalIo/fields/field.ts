/** Fields of operations: what the editor shows, and how a value is read. */
import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { asRecord, isRecord } from '../../../client/guards';
import type { Upload } from '../../../client/upload';
import { FieldError } from './values';

/** A field of an operation; `T` is the type of its value. */
export interface Field<T> {
	/** As the editor shows it. Its name in n8n is its key among the fields of the operation. */
	property: Omit<INodeProperties, 'name'>;
	/** Whether it holds IDs. They are the output where the service returns no record. */
	isId?: true;
	/** Whether it is read, by the values of the fields before it; it always is when absent. */
	isUsed?(earlier: Record<string, unknown>): boolean;
	/** Whether an earlier input may create what it names: it is then read after that input. */
	isReadLater?(userInput: Record<string, unknown>): boolean;
	/** What a run needs to know of the field: the *Limit* of a list, or the proposal that errors name. */
	purpose?: 'limit' | 'proposal';
	/** What an empty value means. If absent, `read` gets empty values, too. */
	whenEmpty?: 'error' | 'omit' | 'clear';
	/** What an expression must find: a field, which may be blank, or a value. */
	mustFind?: 'field' | 'value';
	/** The error of a blank field, such as `is empty: enter a number`. */
	emptyError?: string;
	advice?: string;
	/**
	 * Reads a value and looks up the record that it names; throws a FieldError that names `label`. A
	 * list or collection without values counts as empty.
	 */
	read(value: unknown, label: string, reading: Reading): T | Promise<T>;
}

/** The context for reading a value. */
export interface Reading {
	/** The time zone of the workflow, for dates without one. */
	timezone: string;
	lookups: Lookups;
	/** Finds a file of the input, by the name of its field. */
	inputFile(field: unknown, label: string): Promise<InputFile>;
	/** The parameter as the workflow stores it, with its expressions not evaluated. */
	raw?: unknown;
	/** The values of the fields before this one. */
	earlier: Record<string, unknown>;
}

/**
 * Finds the ID of a record by what people call it. Throws a FieldError that names `label`, the field,
 * unless exactly one record fits.
 */
export interface Lookups {
	proposal(number: string, label: string): Promise<number>;
	/** By its model, with or without the brand in front. */
	catalogItem(model: string, itemType: string, label: string): Promise<number>;
	contact(email: string, label: string): Promise<number>;
	salesperson(email: string, label: string): Promise<number>;
	item(proposalId: number, model: string, label: string): Promise<number>;
	area(proposalId: number, name: string, label: string): Promise<number>;
	/** By the name of its area, and by its number if the area has several. */
	areaOption(
		proposalId: number,
		name: string,
		label: string,
		missing?: MissingArea,
	): Promise<number>;
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
export type FieldMap = Record<string, Field<unknown>>;

/** The values of fields, by name. */
export type Values<F extends FieldMap> = { [K in keyof F]: Awaited<ReturnType<F[K]['read']>> };

/** The fields as n8n describes them. */
export const propertiesOf = (fields: FieldMap): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

/** A collection of fields; empty when nothing was added to it. */
export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};

/** Whether a value is that of a resource locator. */
export const isLocator = (value: unknown): value is { value: unknown; mode?: unknown } =>
	isRecord(value) && 'value' in value;

/** Whether an expression found nothing. Arithmetic with a field that does not exist is not a number. */
function isMissing(value: unknown): boolean {
	const content = contentOf(value);
	return content === undefined || content === null || Number.isNaN(content);
}

export function isEmpty(value: unknown): boolean {
	const content = contentOf(value);
	const isBlank = typeof content === 'string' && content.trim() === '';
	return isBlank || isMissing(content) || (Array.isArray(content) && content.length === 0);
}

const contentOf = (value: unknown): unknown => (isLocator(value) ? value.value : value);

/** Whether the model of an AI agent fills in a field, as the workflow stores it. */
export const isFromModel = (raw: unknown): boolean =>
	isLocator(raw) ? isFromModel(raw.value) : typeof raw === 'string' && /\$fromai\s*\(/i.test(raw);

const isExpression = (raw: unknown): boolean =>
	isLocator(raw) ? isExpression(raw.value) : typeof raw === 'string' && raw.startsWith('=');

const FOUND_NOTHING =
	'has no value: the expression returned nothing. Check that the previous step outputs this field.';

const hasEntry = (collection: object | null): boolean =>
	Object.values(collection ?? {}).some((entry) => entry !== undefined);

async function readField<T>(
	field: Field<T>,
	value: unknown,
	label: string,
	reading: Reading,
): Promise<T> {
	const { whenEmpty, mustFind, emptyError = 'is empty', advice } = field;
	if (whenEmpty === undefined) return await field.read(value, label, reading);
	if (!isEmpty(value)) {
		const result = await field.read(value, label, reading);
		if (typeof result !== 'object' || hasEntry(result)) return result;
	}
	// A model leaves a field empty on purpose, and no previous step is to blame.
	const isNotFound =
		!isFromModel(reading.raw) &&
		(isMissing(value) || (mustFind === 'value' && isExpression(reading.raw)));
	if (isNotFound && (mustFind !== undefined || whenEmpty === 'error')) {
		throw new FieldError(label, FOUND_NOTHING, advice);
	}
	if (whenEmpty === 'error') throw new FieldError(label, emptyError, advice);
	return (whenEmpty === 'clear' ? '' : undefined) as T;
}

/**
 * Reads fields in their order. One that `given` does not name has its default. If `areAdded`, it is left
 * out instead.
 *
 * @param prefix of the labels in errors
 */
export async function readFields<F extends FieldMap>(
	fields: F,
	userInput: Record<string, unknown>,
	reading: Reading,
	{ prefix = '', areAdded = false } = {},
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		const earlier = { ...reading.earlier, ...values };
		if ((areAdded && !(name in userInput)) || field.isUsed?.(earlier) === false) continue;
		const { displayName, default: byDefault } = field.property;
		const value = name in userInput ? userInput[name] : byDefault;
		const context = { ...reading, raw: asRecord(reading.raw)?.[name], earlier };
		values[name] = await readField(field, value, prefix + displayName, context);
	}
	return values as Values<F>;
}

/** Properties of a field in the editor, besides its label and type. */
export type Extras = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;
