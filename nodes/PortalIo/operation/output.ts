/** How much of a record is output, for people and for AI agents alike. */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../client/data';
import { simplifyTo, type Shape } from '../../shared/shape';
import { shownIf, type Fields } from '../fields/field';
import { choice, choices } from '../fields/types';

/** The output of an operation. */
export type Output = FlatOutput | { asIs: Shape<never> };

/** Of records with more fields than people map: they choose how much of them they want. */
interface FlatOutput {
	/** All flat fields of a record, its ID first. */
	flat: Shape<never>;
	/** The names of those that are output unless the user chooses; the first ten when absent. */
	simplified?: readonly string[];
	/** Those that are left out where a record does not say them. */
	leftOut?: readonly string[];
}

/**
 * The result of an operation: each record is one output; anything else is confirmed with the sent
 * IDs.
 */
export interface Result {
	records: unknown[];
	/** The response that the records are from: the output of *Raw*, or where it shows no records. */
	raw?: unknown;
	/** The names of fields that belong to a simplified record with the options that the user chose. */
	also?: string[];
}

const MAX_SIMPLIFIED = 10;

/** The names of the fields that an operation outputs unless the user chooses others. */
export const simplifiedNames = (output: Output): readonly string[] =>
	'asIs' in output
		? Object.keys(output.asIs)
		: (output.simplified ?? Object.keys(output.flat).slice(0, MAX_SIMPLIFIED));

/** The fields of an operation with those by which users choose its output, in front of its options. */
export function withOutput(fields: Fields, output: Output | undefined): Fields {
	if (output === undefined || 'asIs' in output) return fields;
	const chosen = choices('Fields', Object.keys(output.flat));
	// Loaded when the list is opened: n8n's assistant would read the options with every operation.
	const loaded = { options: [], typeOptions: { loadOptionsMethod: 'getOutputFields' } };
	const property = { ...chosen.property, ...loaded };
	const own = { output: detail, fields: shownIf('output', 'selected', { ...chosen, property }) };
	const all = Object.entries(fields);
	const index = all.findIndex(([name]) => ['filters', 'options', 'sort'].includes(name));
	return Object.fromEntries(
		all.toSpliced(index < 0 ? all.length : index, 0, ...Object.entries(own)),
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

/** The entries of a result with the fields that the user wants. */
export function inWantedFields(
	output: Output,
	{ records, raw = records, also = [] }: Result,
	{ output: detail, fields }: Record<string, unknown>,
): unknown[] {
	if ('asIs' in output || detail === 'raw' || records.length === 0) return [raw].flat();
	const { flat, leftOut = [] } = output;
	const isSelected = detail === 'selected';
	const [idName, ...others] = Object.keys(flat) as [string];
	const names = isSelected
		? [idName, ...others.filter((name) => (fields as string[]).includes(name))]
		: [...simplifiedNames(output), ...also];
	return records.map((record) => {
		if (!isRecord(record)) return record;
		const all = simplifyTo(flat, record as never);
		if (isNoRecord(all)) return record;
		const isLeftOut = (name: string) => !isSelected && leftOut.includes(name) && all[name] === null;
		return Object.fromEntries(
			names.filter((name) => !isLeftOut(name)).map((name) => [name, all[name]]),
		);
	});
}

/**
 * Whether nothing of a record is there: an output of nulls would hide what it says. One field may be
 * known, which the operation has added.
 */
function isNoRecord(flat: IDataObject): boolean {
	const [id, ...others] = Object.values(flat);
	return id === null && others.filter((value) => value !== null).length <= 1;
}
