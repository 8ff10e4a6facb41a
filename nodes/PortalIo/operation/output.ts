/** Selects the fields of a record that are output. People and AI agents get the same fields. */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../client/guards';
import { simplifyTo, type JsonType, type Shape } from '../../shared/simplify';
import { toWords } from '../../shared/text';
import { shownIf } from '../fields/declare';
import type { FieldMap } from '../fields/field';
import { choice, choices } from '../fields/kinds';

/** The fields of a record, each with its type, and Portal.io's name if that is another. */
export type RecordShape = Record<string, JsonType | readonly [JsonType, portalName: string]>;

/** The fields that an operation outputs. Records with more fields than people map are `flat`. */
export type Output =
	| {
			/** All fields of the record. Fields that are not listed are also output. */
			asIs: RecordShape;
	  }
	| {
			/** All fields, the ID first. */
			flat: Shape<never>;
			/** The fields of *Simplified*; the first ten if absent. */
			simplified?: readonly string[];
			/** Describes fields in the list of *Selected Fields*, such as their unit. */
			descriptions?: Readonly<Record<string, string>>;
	  };

/** Each record is one output item; anything else is output as a confirmation with the sent IDs. */
export interface Result {
	records: unknown[];
	/** The whole response: for *Raw*, or if it contains no records. */
	raw?: unknown;
	/** Fields that the chosen options add to *Simplified*. */
	extraFields?: string[];
}

/** The value of *Output*, for operations that read more for some outputs. */
export interface OutputChoice {
	output?: 'raw' | 'selected' | 'simplified';
	/** The names of *Selected Fields*. */
	fields?: string[];
}

const MAX_SIMPLIFIED = 10;

/** Returns the names of the fields that are output by default. */
export const simplifiedNames = (output: Output): readonly string[] =>
	'asIs' in output
		? Object.keys(output.asIs)
		: (output.simplified ?? Object.keys(output.flat).slice(0, MAX_SIMPLIFIED));

/** Adds the fields for choosing the output, before the options. */
export function withOutput(fields: FieldMap, output: Output | undefined): FieldMap {
	if (output === undefined || 'asIs' in output) return fields;
	const names = Object.keys(output.flat);
	const namesField = choices(
		'Fields',
		names.map((name) => ({ name: toWords(name), value: name })),
	);
	// The editor loads the options when the list is opened: n8n's assistant would read them with every operation.
	const lazyOptions = { options: [], typeOptions: { loadOptionsMethod: 'getOutputFields' } };
	const property = { ...namesField.property, ...lazyOptions };
	const outputFields = {
		output: detail,
		fields: shownIf('output', 'selected', { ...namesField, property }),
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

/** Returns the records with the fields that the user chose. */
export function selectFields(
	output: Output,
	{ records, raw = records, extraFields = [] }: Result,
	{ output: detail, fields }: Record<string, unknown>,
): unknown[] {
	const selectedFields = (fields ?? []) as string[];
	if ('asIs' in output) return [raw].flat().map((record) => renameFields(output.asIs, record));
	if (detail === 'raw' || records.length === 0) return [raw].flat();
	const { flat } = output;
	const isSelected = detail === 'selected';
	const [idName, ...valueNames] = Object.keys(flat) as [string];
	const names = isSelected
		? [idName, ...valueNames.filter((name) => selectedFields.includes(name))]
		: [...simplifiedNames(output), ...extraFields];
	const outputs: unknown[] = [];
	for (const record of records) {
		const flatRecord = isRecord(record) ? simplifyTo(flat, record as never) : undefined;
		if (flatRecord === undefined || isNoRecord(flatRecord)) {
			outputs.push(record);
			continue;
		}
		const json: IDataObject = {};
		for (const name of names) {
			json[name] = flatRecord[name];
		}
		outputs.push(json);
	}
	return outputs;
}

/** Returns the record with the names of the shape, in Portal.io's order. */
function renameFields(shape: RecordShape, record: unknown): unknown {
	if (!isRecord(record)) return record;
	const names: Record<string, string> = {};
	for (const [name, field] of Object.entries(shape)) {
		if (typeof field !== 'string') names[field[1]] = name;
	}
	const renamed = Object.entries(record).map(([name, value]) => [names[name] ?? name, value]);
	return Object.fromEntries(renamed);
}

/** An output of nulls would hide the response. One value may come from the operation itself. */
function isNoRecord(flat: IDataObject): boolean {
	const [id, ...values] = Object.values(flat);
	return id === null && values.filter((value) => value !== null).length <= 1;
}

/** Returns the records of a response. If it has none, the response itself is the output. */
export const fromResponse = (raw: unknown, records: unknown): Result => ({
	records: [records ?? []].flat(),
	raw,
});

/**
 * Returns a record with `reused`, which says whether it existed before. *Simplified* contains it only if the
 * user chose the option that reuses records.
 */
export const withReused = (record: unknown, reused: boolean, isChosen = false): Result => ({
	records: [withDefaults(record, { reused })],
	raw: record,
	extraFields: isChosen ? ['reused'] : [],
});

/** Adds the fields that a record leaves out. */
export function withDefaults(record: unknown, defaults: IDataObject): unknown {
	if (!isRecord(record)) return record;
	const additions = Object.entries(defaults).filter(([name]) => (record[name] ?? null) === null);
	return { ...defaults, ...record, ...Object.fromEntries(additions) };
}
