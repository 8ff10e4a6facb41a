import { enumerations, objects, type Field, type Json } from './contract.mts';

/**
 * How optional fields in responses are written: with their value, absent, or null. `…Inside` keeps objects and lists
 * but affects the fields in them. `absentInPages` omits fields only in paged lists.
 */
export type OptionalFields =
	| 'present'
	| 'absent'
	| 'null'
	| 'absentInside'
	| 'nullInside'
	| 'absentInPages';

/** Error about a response that the contract forbids, which is a bug in the simulator. */
export class ContractViolation extends Error {}

const IS_OF_TYPE: Record<string, (value: Json) => boolean> = {
	int: Number.isInteger,
	number: Number.isFinite,
	bool: (value) => typeof value === 'boolean',
	text: (value) => typeof value === 'string',
};

/** Formats a date as ServiceStack does without a time zone: with seven decimals. */
export const renderDate = (iso: string) =>
	iso.replace(/(?:\.(\d+))?Z$/, (_, digits = '') => `.${digits.padEnd(7, '0')}`);

function renderObject(type: string, value: Json, kept: OptionalFields, place: string): Json {
	const fields = objects.get(type)!;
	const presentNames = Object.keys(value).filter((name) => value[name] !== undefined);
	const unknown = presentNames.filter((name) => !fields.some((field) => field.name === name));
	if (unknown.length > 0) throw new ContractViolation(`${place} has ${unknown.join()}`);
	const rendered = fields.flatMap((field) => {
		const inner = value[field.name];
		if (inner === undefined && field.isOptional) return [];
		const isKept = typeof inner === 'object' && inner !== null && kept.endsWith('Inside');
		if (field.isOptional && kept !== 'present' && !isKept) {
			return kept.startsWith('null') ? [[field.name, null]] : [];
		}
		return [[field.name, render(field, inner, kept, `${place}.${field.name}`)]];
	});
	return Object.fromEntries(rendered);
}

function keptIn(type: string, kept: OptionalFields): OptionalFields {
	if (kept !== 'absentInPages') return kept;
	return type.endsWith('Page') ? 'absent' : 'present';
}

/** Writes a value as its field declares it. Throws a ContractViolation if it doesn't match. */
export function render(
	field: Field,
	value: Json,
	kept: OptionalFields = 'present',
	place = field.name,
): Json {
	if (field.isList && Array.isArray(value)) {
		return value.map((one, index) =>
			render({ ...field, isList: false }, one, kept, `${place}[${index}]`),
		);
	}
	if (value === null && field.isNullable) return null;
	if (!field.isList && typeof value === 'object' && value !== null && objects.has(field.type)) {
		return renderObject(field.type, value, keptIn(field.type, kept), place);
	}
	if (!field.isList && field.type === 'date' && value.endsWith('Z')) return renderDate(value);
	const isValue =
		IS_OF_TYPE[field.type] ?? ((one: Json) => enumerations.get(field.type)?.includes(one));
	if (field.isList || !isValue(value))
		throw new ContractViolation(`${place} is ${JSON.stringify(value)}`);
	return value;
}

export const renderAs = (type: string, value: Json): Json =>
	renderObject(type, value, 'present', type);
