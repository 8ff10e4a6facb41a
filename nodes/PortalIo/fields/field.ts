import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { asRecord, isRecord } from '../../../client/responseShape';
import type { Upload } from '../../../client/upload';
import { InvalidFields, problemsOf, ValueError, type Problem } from './fieldError';

/**
 * A field of an operation, with what the editor shows and how the value is parsed. `P` is the type of the parsed value.
 */
export interface Field<P> {
	/** Parameter in the editor, without its name, which is the key of the field in the operation. */
	property: Omit<INodeProperties, 'name'>;
	/** True for IDs, which are the output if Portal.io returns no record. */
	isId?: true;
	/** Sentence about dragging that ends the description, without a period. */
	dragAdvice?: string;
	/**
	 * Returns whether to parse the field, given the values of the fields above it. If absent, the field is always
	 * parsed.
	 */
	isUsed?(values: Record<string, unknown>): boolean;
	/**
	 * Effect of an empty value: an error, a field that is left out, or a field that is cleared. If absent, `parse`
	 * receives empty values.
	 */
	whenEmpty?: 'error' | 'omit' | 'clear';
	/**
	 * What an expression must resolve to: a field that exists, even if it is blank (`field`), or a field with a value
	 * (`value`).
	 */
	mustFind?: 'field' | 'value';
	/** Error for a blank field, such as `is empty: enter a number`. */
	emptyError?: string | ((value: unknown) => string);
	advice?: string;
	/**
	 * Parses a value without sending a request. Throws a ValueError for an invalid value. Returns a reference if the
	 * user did not enter the record by ID. A list or collection without entries is treated as an empty value.
	 */
	parse(value: unknown, context: ParseContext): P;
}

export interface ParseContext {
	/** Time zone of the workflow, for dates without a time zone. */
	timezone: string;
	/** Parameter as the workflow stores it, before n8n evaluates its expressions. */
	raw?: unknown;
}

/** Kinds of records that users can enter by number, email, model, or name. */
export type Target =
	| 'area'
	| 'areaOption'
	| 'catalogItem'
	| 'contact'
	| 'item'
	/** Area option to which items are added or moved. *Create Missing Area* can create the option's area. */
	| 'placement'
	| 'proposal'
	| 'salesperson';

/**
 * A record that the user identified by something other than its ID. After all input items have been parsed, the ID
 * replaces the reference.
 */
export class RecordReference {
	/** Type of the value that replaces the reference. The property is only declared, and never set. */
	declare readonly found: number;
	readonly target: Target;
	/** Number, email, model, or name of the record. */
	readonly name: string;
	readonly label: string;
	/**
	 * True if an AI agent's model filled in the field. Errors then do not suggest other settings, because the model
	 * cannot change them.
	 */
	readonly isFromModel: boolean;

	constructor(target: Target, name: string, label: string, isFromModel = false) {
		this.target = target;
		this.name = name;
		this.label = label;
		this.isFromModel = isFromModel;
	}
}

/** A file of an input item, identified by the name of the file's field or by the result of an expression. */
export class FileReference {
	/** Type of the value that replaces the reference. The property is only declared, and never set. */
	declare readonly found: InputFile;
	readonly file: unknown;
	readonly label: string;

	constructor(file: unknown, label: string) {
		this.file = file;
		this.label = label;
	}
}

export type Reference = FileReference | RecordReference;

/** Type of a parsed value after its references are replaced. */
export type Found<P> = P extends Reference
	? P['found']
	: P extends Array<infer E>
		? Array<Found<E>>
		: P extends object
			? { [K in keyof P]: Found<P[K]> }
			: P;

/** Example of an expression that returns a file from an earlier step. */
const FILE_EXPRESSION = "{{ $('On form submission').item.binary.Recording }}";
export const EARLIER_FILE_ADVICE = `For a file from an earlier step, choose 'Expression' above the field and enter ${FILE_EXPRESSION}, but with the names of your step and its field.`;

/** A file of an input item. It can be opened more than once. */
export interface InputFile extends Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'> {
	bytes: number;
	open: Upload['open'];
}

export type FieldMap = Record<string, Field<unknown>>;

export type ParsedValues<F extends FieldMap> = { [K in keyof F]: ReturnType<F[K]['parse']> };

/** Values of fields, with IDs and files in place of references. */
export type Values<F extends FieldMap> = { [K in keyof F]: Found<ReturnType<F[K]['parse']>> };

export const toProperties = (fields: FieldMap): INodeProperties[] =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));

export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};

/**
 * Returns whether a value comes from a resource locator. Also recognizes a locator without the property `value`, which
 * n8n omits if an expression resolves to nothing.
 */
export const isLocator = (value: unknown): value is { value?: unknown; mode?: unknown } =>
	isRecord(value) && ('value' in value || value.__rl === true);

/**
 * Returns whether an expression resolved to nothing. NaN is treated as nothing, because arithmetic with a missing field
 * results in NaN.
 */
function isMissing(value: unknown): boolean {
	const content = unwrapLocator(value);
	return content === undefined || content === null || Number.isNaN(content);
}

export function isEmpty(value: unknown): boolean {
	const content = unwrapLocator(value);
	const isBlank = typeof content === 'string' && content.trim() === '';
	return isBlank || isMissing(content) || (Array.isArray(content) && content.length === 0);
}

const unwrapLocator = (value: unknown): unknown => (isLocator(value) ? value.value : value);

/** Returns whether an AI agent's model fills in a parameter. */
export const isFromModel = (raw: unknown): boolean =>
	isLocator(raw) ? isFromModel(raw.value) : typeof raw === 'string' && /\$fromai\s*\(/i.test(raw);

const isExpression = (raw: unknown): boolean =>
	isLocator(raw) ? isExpression(raw.value) : typeof raw === 'string' && raw.startsWith('=');

const FOUND_NOTHING =
	'has no value: the expression returned nothing. Check that the previous step outputs this field, or drag it from an earlier step.';

const hasEntry = (collection: object | null): boolean =>
	Object.values(collection ?? {}).some((entry) => entry !== undefined);

function parseField<P>(field: Field<P>, value: unknown, context: ParseContext): P {
	const { whenEmpty, mustFind, emptyError = 'is empty', advice } = field;
	if (whenEmpty === undefined) return field.parse(value, context);
	if (!isEmpty(value)) {
		const result = field.parse(value, context);
		if (typeof result !== 'object' || hasEntry(result)) return result;
	}
	// Do not blame a previous step if an AI agent's model left the field empty on purpose.
	const isNotFound =
		!isFromModel(context.raw) &&
		(isMissing(value) || (mustFind === 'value' && isExpression(context.raw)));
	if (isNotFound && (mustFind !== undefined || whenEmpty === 'error')) {
		throw new ValueError(FOUND_NOTHING, advice);
	}
	if (whenEmpty === 'error') {
		throw new ValueError(typeof emptyError === 'function' ? emptyError(value) : emptyError, advice);
	}
	return (whenEmpty === 'clear' ? '' : undefined) as P;
}

/**
 * Parses fields in their order, then throws one InvalidFields error for all invalid values. If `userInput` lacks a field,
 * uses the field's default, or omits the field if users add fields one by one (`areAdded`).
 */
export function parseFields<F extends FieldMap>(
	fields: F,
	userInput: Record<string, unknown>,
	context: ParseContext,
	{ areAdded = false } = {},
): ParsedValues<F> {
	const values: Record<string, unknown> = {};
	const problems: Problem[] = [];
	for (const [name, field] of Object.entries(fields)) {
		if ((areAdded && !(name in userInput)) || field.isUsed?.(values) === false) continue;
		const { displayName, default: defaultValue } = field.property;
		const value = name in userInput ? userInput[name] : defaultValue;
		// Treat every value as entered by the model if the model fills in the whole list.
		const raw = isFromModel(context.raw) ? context.raw : asRecord(context.raw)?.[name];
		try {
			values[name] = parseField(field, value, { ...context, raw });
		} catch (error) {
			problems.push(...problemsOf(error, displayName));
		}
	}
	if (problems.length > 0) throw new InvalidFields(problems);
	return values as ParsedValues<F>;
}

export type PropertyOptions = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;
