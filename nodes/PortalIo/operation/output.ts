/** Selects the fields that are output. People and AI agents get the same fields. */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../client/responseShape';
import { simplifyTo, type JsonType, type Shape } from '../../shared/simplify';
import { toWords } from '../../shared/text';
import { showIf } from '../fields/declare';
import type { FieldMap } from '../fields/field';
import { choice, choices } from '../fields/fieldTypes';

/** Fields of a record, each with its type. If Portal.io uses another name for a field, that name follows the type. */
export type RecordShape = Record<string, JsonType | readonly [JsonType, portalName: string]>;

/** Output of an operation. Records are `flat` if they have more fields than people usually map. */
export type Output =
	| {
			/**
			 * Name of a field that is true in the output. Portal.io returns no record, so the output consists of this
			 * field and the sent IDs.
			 */
			confirms: 'deleted' | 'success';
	  }
	| {
			/** Expected fields of the record. Any other fields are also output. */
			asIs: RecordShape;
	  }
	| {
			/** All fields, starting with the ID. */
			flat: Shape<never>;
			/** Names of the fields in *Simplified*. Defaults to the first ten fields. */
			simplified?: readonly string[];
			/** Descriptions in the list of *Selected Fields*, such as the unit of a field. */
			descriptions?: Readonly<Record<string, string>>;
	  };

/** Values of *Output* and *Fields*, for operations that send more requests for some outputs than for others. */
export interface OutputChoice {
	output?: 'raw' | 'selected' | 'simplified';
	fields?: string[];
}

const MAX_SIMPLIFIED = 10;

/** Returns the names of the fields that are output by default, apart from the IDs in a confirmation. */
export function simplifiedNames(output: Output): readonly string[] {
	if ('confirms' in output) return [output.confirms];
	if ('asIs' in output) return Object.keys(output.asIs);
	return output.simplified ?? Object.keys(output.flat).slice(0, MAX_SIMPLIFIED);
}

/** Adds the fields for choosing the output, before *Filters*, *Options*, and *Sort*. */
export function addOutputFields(fields: FieldMap, output: Output): FieldMap {
	if (!('flat' in output)) return fields;
	const names = Object.keys(output.flat);
	const namesField = choices(
		'Fields',
		names.map((name) => ({ name: toWords(name), value: name })),
	);
	// Load the options when the list is opened, or n8n's assistant would read them with every operation.
	const lazyOptions = { options: [], typeOptions: { loadOptionsMethod: 'getOutputFields' } };
	const property = { ...namesField.property, ...lazyOptions };
	const outputFields = {
		output: detail,
		fields: showIf('output', 'selected', { ...namesField, property }),
	};
	const entries = Object.entries(fields);
	const index = entries.findIndex(([name]) => ['filters', 'options', 'sort'].includes(name));
	return Object.fromEntries(
		entries.toSpliced(index < 0 ? entries.length : index, 0, ...Object.entries(outputFields)),
	);
}

const detail = choice(
	'Output',
	[
		{ name: 'Raw', value: 'raw' },
		{ name: 'Selected Fields', value: 'selected' },
		{ name: 'Simplified', value: 'simplified' },
	],
	{ default: 'simplified' },
);

type RecordOutput = Exclude<Output, { confirms: unknown }>;

/**
 * Returns whether a response is a record to output. An acknowledgment such as `{ ok: true }` is not, because it has no
 * ID.
 */
export function isOutputRecord(output: RecordOutput, response: unknown): response is IDataObject {
	if (!isRecord(response)) return false;
	if ('asIs' in output) return Object.keys(response).length > 0;
	const [[idName, field]] = Object.entries(output.flat) as [[string, Shape[string]]];
	const isOptional = (typeof field === 'string' ? field : field[0]) === 'integer?';
	return isOptional || simplifyTo(output.flat, response as never, [idName])[idName] !== null;
}

export function selectFields(
	output: RecordOutput,
	record: IDataObject,
	{ output: detail, fields }: Record<string, unknown>,
): IDataObject {
	if ('asIs' in output) return renameFields(output.asIs, record);
	if (detail === 'raw') return record;
	const { flat } = output;
	const [idName] = Object.keys(flat);
	const selectedNames = [idName, ...((fields ?? []) as string[])];
	const names =
		detail === 'selected'
			? Object.keys(flat).filter((name) => selectedNames.includes(name))
			: simplifiedNames(output);
	return simplifyTo(flat, record as never, names);
}

function renameFields(shape: RecordShape, record: IDataObject): IDataObject {
	const names: Record<string, string> = {};
	for (const [name, field] of Object.entries(shape)) {
		if (typeof field !== 'string') names[field[1]] = name;
	}
	const renamed = Object.entries(record).map(([name, value]) => [names[name] ?? name, value]);
	return Object.fromEntries(renamed);
}

export function addDefaults(record: unknown, defaults: IDataObject): unknown {
	if (!isRecord(record)) return record;
	const additions = Object.entries(defaults).filter(([name]) => (record[name] ?? null) === null);
	return { ...defaults, ...record, ...Object.fromEntries(additions) };
}
