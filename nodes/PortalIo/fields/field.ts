/** A field of an operation defines what the editor shows and how its value is read. */
import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { asRecord, isRecord } from '../../../client/guards';
import type { Upload } from '../../../client/upload';
import { FieldError, InvalidFields, type Problem } from './fieldError';

/** A field of an operation; `T` is the type of its value. */
export interface Field<T> {
	/** The parameter in the editor. Its name is the key of the field in the operation. */
	property: Omit<INodeProperties, 'name'>;
	/** True for IDs, which are the output if Portal.io returns no record. */
	isId?: true;
	/** Returns whether the field is read, depending on earlier fields. If absent, it is always read. */
	isUsed?(earlierValues: Record<string, unknown>): boolean;
	/** The fields whose values it needs. It is not read if one of them is invalid. */
	dependsOn?: string[];
	/** Returns whether earlier inputs may create the record that the field names. It is read after them. */
	isReadLater?(userInput: Record<string, unknown>): boolean;
	/** Marks the *Limit* of a list, or the proposal that errors name. */
	purpose?: 'limit' | 'proposal';
	/** An empty value is an error, or leaves the field out, or clears it. If absent, `read` gets empty values. */
	whenEmpty?: 'error' | 'omit' | 'clear';
	/** An expression must find this. A field that it finds may be blank. */
	mustFind?: 'field' | 'value';
	/** The error of a blank field, such as `is empty: enter a number`. */
	emptyError?: string | ((value: unknown) => string);
	advice?: string;
	/**
	 * Reads a value and looks up the record that it names; throws a FieldError that names `label`. An empty
	 * list or collection as the result counts as an empty value.
	 */
	read(value: unknown, label: string, reading: Reading): T | Promise<T>;
}

/** The context for reading a value. */
export interface Reading {
	/** The time zone of the workflow applies to dates without a time zone. */
	timezone: string;
	lookups: Lookups;
	/** Finds a file of the input; `field` is the name of its field, or the file itself. */
	inputFile(field: unknown, label: string): Promise<InputFile>;
	/** The parameter as the workflow stores it, before n8n evaluates its expressions. */
	raw?: unknown;
	/** The values of the fields before this field. */
	earlierValues: Record<string, unknown>;
	/** The options of areas that the lookups have created for this input. */
	newOptionIds: Set<number>;
}

/**
 * Finds the ID of a record by the name or number that people use. Throws a FieldError that names the field
 * `label` unless exactly one record matches.
 */
export interface Lookups {
	proposal(number: string, label: string): Promise<number>;
	/** The model may follow the brand. */
	catalogItem(model: string, itemType: string, label: string): Promise<number>;
	contact(email: string, label: string): Promise<number>;
	salesperson(email: string, label: string): Promise<number>;
	/** @param mayBeId true if the text may be an ID, because an AI agent cannot choose another mode for it */
	item(proposalId: number, model: string, label: string, mayBeId?: boolean): Promise<number>;
	area(proposalId: number, name: string, label: string): Promise<number>;
	/** The name is the name of the area, with the number of the option if the area has several. */
	areaOption(
		proposalId: number,
		name: string,
		label: string,
		missing?: MissingArea,
	): Promise<OptionMatch>;
}

/** An area option, and whether the lookup has created it with its area. */
export interface OptionMatch {
	id: number;
	isNew: boolean;
}

/** A missing area is created, or its error suggests the option that creates it. */
export type MissingArea = 'create' | 'couldCreate';

/** An example for users who need a file of an earlier step. */
export const FILE_EXPRESSION = "{{ $('On form submission').item.binary.Recording }}";

/** A file of the input. It can be opened more than once. */
export interface InputFile extends Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'> {
	bytes: number;
	open: Upload['open'];
}

/** Fields by their names in n8n, in the order of the editor. */
export type FieldMap = Record<string, Field<unknown>>;

export type Values<F extends FieldMap> = { [K in keyof F]: Awaited<ReturnType<F[K]['read']>> };

export const propertiesOf = (fields: FieldMap): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

/** Returns the values in a collection; `{}` if the user has added no field. */
export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};

/** Returns whether a value is the value of a resource locator. */
export const isLocator = (value: unknown): value is { value: unknown; mode?: unknown } =>
	isRecord(value) && 'value' in value;

/** Returns whether an expression found nothing. Arithmetic with a missing field results in NaN. */
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

/** Returns whether the model of an AI agent fills in a parameter. */
export const isFromModel = (raw: unknown): boolean =>
	isLocator(raw) ? isFromModel(raw.value) : typeof raw === 'string' && /\$fromai\s*\(/i.test(raw);

const isExpression = (raw: unknown): boolean =>
	isLocator(raw) ? isExpression(raw.value) : typeof raw === 'string' && raw.startsWith('=');

const FOUND_NOTHING =
	'has no value: the expression returned nothing. Check that the previous step outputs this field, or drag it from an earlier step.';

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
		throw new FieldError(label, FOUND_NOTHING, { description: advice });
	}
	if (whenEmpty === 'error') {
		const error = typeof emptyError === 'function' ? emptyError(value) : emptyError;
		throw new FieldError(label, error, { description: advice });
	}
	return (whenEmpty === 'clear' ? '' : undefined) as T;
}

/**
 * Reads fields in their order, then throws one error for all invalid fields. A field that `userInput` lacks
 * has its default, or is left out if users add the fields one by one (`areAdded`).
 */
export async function readFields<F extends FieldMap>(
	fields: F,
	userInput: Record<string, unknown>,
	reading: Reading,
	{ areAdded = false } = {},
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	const problems: Problem[] = [];
	const unreadable = new Set<string>();
	for (const [name, field] of Object.entries(fields)) {
		const earlierValues = { ...reading.earlierValues, ...values };
		if (field.dependsOn?.some((earlier) => unreadable.has(earlier))) {
			unreadable.add(name);
			continue;
		}
		if ((areAdded && !(name in userInput)) || field.isUsed?.(earlierValues) === false) continue;
		const { displayName, default: defaultValue } = field.property;
		const value = name in userInput ? userInput[name] : defaultValue;
		// If a model fills in the whole list, it fills in each value.
		const raw = isFromModel(reading.raw) ? reading.raw : asRecord(reading.raw)?.[name];
		const context = { ...reading, raw, earlierValues };
		const pending = readField(field, value, displayName, context);
		values[name] = await pending.catch((error: Error) => {
			if (!(error instanceof InvalidFields)) throw error;
			problems.push(...error.problems);
			unreadable.add(name);
		});
	}
	if (problems.length > 0) throw new InvalidFields(problems);
	return values as Values<F>;
}

/** Properties of a field in the editor, besides its label and type. */
export type Extras = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;
