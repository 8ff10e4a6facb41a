/** Fields that contain other fields. Operations call them as `collection.options({ … })`. */
import { asFilter, custom, described, required } from './declare';
import {
	isEmpty,
	isFromModel,
	propertiesOf,
	readCollection,
	readFields,
	type Field,
	type FieldMap,
	type Values,
} from './field';
import { readEntries } from './values';

/** Returns the fields outside of a collection on which its fields depend. */
const outerDependencies = (fields: FieldMap): string[] =>
	Object.values(fields)
		.flatMap(({ dependsOn = [] }) => dependsOn)
		.filter((name) => !(name in fields));

/** The user adds fields with a button. A field that is added must have a value unless it is optional. */
export const collection = <F extends FieldMap>(
	displayName: string,
	placeholder: string,
	fields: F,
): Field<Partial<Values<F>>> => ({
	...custom(
		'collection',
		displayName,
		async (value, _label, reading) =>
			await readFields(fields, readCollection(value), reading, { areAdded: true }),
		{
			placeholder,
			default: {},
			options: propertiesOf(fields).map((property) => ({
				...property,
				required: false,
			})),
		},
	),
	dependsOn: outerDependencies(fields),
});

export const additionalFields = <F extends FieldMap>(fields: F) =>
	collection('Additional Fields', 'Add field', fields);

const eachField = <F extends FieldMap>(
	fields: F,
	change: (original: Field<unknown>) => Field<unknown>,
) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, original]) => [name, change(original)]),
	) as FieldMap as F;

export const filters = <F extends FieldMap>(fields: F) =>
	collection('Filters', 'Add filter', eachField(fields, asFilter));

export const options = <F extends FieldMap>(fields: F) =>
	collection('Options', 'Add option', fields);

const KEEP_VALUE =
	'To keep the value that Portal.io has, remove the field. To keep it for some items only, filter them out before this step.';

/** The model of an AI agent leaves fields empty that it does not want to change. Empty text would clear them. */
function withoutEmptyModelValues(value: unknown, raw: unknown): Record<string, unknown> {
	const rawCollection = readCollection(raw);
	return Object.fromEntries(
		Object.entries(readCollection(value)).filter(
			([name, entry]) => !isFromModel(rawCollection[name]) || !isEmpty(entry),
		),
	);
}

/** Users must add at least one value. */
export const updateFields = <F extends FieldMap>(fields: F): Field<Partial<Values<F>>> => {
	const changes = eachField(fields, (original) => ({ ...original, advice: KEEP_VALUE }));
	const field = collection('Update Fields', 'Add field', changes);
	return {
		...described(field, 'Fields that are not added keep their value'),
		read: async (value, label, reading) =>
			await field.read(withoutEmptyModelValues(value, reading.raw), label, reading),
		...required('is empty: enter at least one value to change'),
	};
};

/** Users must add at least one row. */
export const rows = <F extends FieldMap>(
	displayName: string,
	row: { displayName: string; name: string; fields: F },
	placeholder: string,
): Field<Array<Values<F>>> => ({
	...custom(
		'fixedCollection',
		displayName,
		async (value, label, reading) => {
			const entries = [readCollection(value)[row.name] ?? []].flat();
			const stored = [readCollection(reading.raw)[row.name] ?? []].flat();
			return await readEntries(entries, label, async (entry, index) => {
				const context = { ...reading, raw: stored[index] };
				return await readFields(row.fields, readCollection(entry), context);
			});
		},
		{
			placeholder,
			required: true,
			default: {},
			typeOptions: { multipleValues: true },
			options: [
				{
					displayName: row.displayName,
					name: row.name,
					values: propertiesOf(row.fields),
				},
			],
		},
		required('is empty: add at least one'),
	),
	dependsOn: outerDependencies(row.fields),
});
