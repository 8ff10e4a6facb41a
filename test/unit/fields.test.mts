/** Tests the parsing of fields, with and without values. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { plainValues } from '../../dev/scripts/recordedCall.mts';
import { type Field, parseFields } from '../../nodes/PortalIo/fields/field.ts';
import { locator, proposalId } from '../../nodes/PortalIo/fields/locators.ts';
import * as collection from '../../nodes/PortalIo/fields/collections.ts';
import {
	toFilter,
	atLeastOne,
	allowBlank,
	makeOptional,
	showIf,
} from '../../nodes/PortalIo/fields/declare.ts';
import * as kinds from '../../nodes/PortalIo/fields/fieldTypes.ts';
import { InvalidFields } from '../../nodes/PortalIo/fields/fieldError.ts';
import { defineOperation, selectSentIds } from '../../nodes/PortalIo/operation/operation.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { choiceKey } from '../../nodes/shared/text.ts';

/** Parses a field of a collection. `raw` is the stored parameter, which can be an expression. */
const read = async (field: Field<unknown>, value: unknown, raw: unknown = value) => {
	const context = { timezone: 'UTC', raw: { field: raw } };
	return parseFields({ field }, { field: value }, context, { areAdded: true }).field;
};
const ids = kinds.ids('Items', 'getItems');
const name = kinds.requiredText('Name');

describe('a field', () => {
	it('limits the length of text, parses a date in a collection, and accepts unknown choices', async () => {
		const short = kinds.requiredText('Name', { max: 3 });
		expect(await read(short, '👍👍👍')).toBe('👍👍👍');
		await expect(read(short, 'abcd')).rejects.toThrow(
			"'Name' has 4 characters, but Portal.io accepts",
		);
		const options = collection.options({ day: kinds.date('Day') });
		const day = '2026-01-15T00:00:00.000Z';
		expect(await read(options, { day: '2026-01-15' })).toEqual({ day });
		expect(await read(options, 'no collection')).toEqual({ day: undefined });
		expect(await read(kinds.openChoices('Kinds', ['a']), 'a, B')).toEqual(['a', 'B']);
	});

	it.each([
		// Columns: result for an expression without a value, result for a blank field, a value, and the result for this
		// value.
		['required text', 'error', 'error', 'abc', 'abc', name],
		['a required flag', 'error', 'error', false, false, kinds.requiredFlag('On')],
		['a choice', 'error', 'error', 'a', 'a', kinds.choice('Kind', ['a'])],
		['a number', 'error', 'error', 0, 0, kinds.money('Cost')],
		['a locator', 'error', 'error', 5, 5, proposalId],
		['clearable text', 'error', '', 'a ', 'a ', kinds.clearableText('Name')],
		['optional text', undefined, undefined, 'a', 'a', kinds.text('Name')],
		['an email', undefined, undefined, 'a@b.c', 'a@b.c', kinds.email('Email')],
		['a flag', undefined, undefined, 'true', true, kinds.flag('On')],
		['a date', undefined, undefined, '2026', 'error', kinds.date('Day')],
		['an optional locator', undefined, undefined, 5, 5, makeOptional(proposalId)],
		['strict text', 'error', undefined, 'a', 'a', allowBlank(name)],
		['several text values', undefined, undefined, 'a', ['a'], kinds.texts('Names')],
		['choices', undefined, undefined, ['a'], ['a'], kinds.choices('Kinds', ['a'])],
		['IDs', 'error', undefined, '5', [5], ids],
		['a required list of IDs', 'error', 'error', 5, [5], atLeastOne(ids)],
		['a filter by text', 'error', undefined, 'a', 'a', toFilter(kinds.text('Name'))],
		[
			'a filter by several text values',
			'error',
			undefined,
			'a',
			['a'],
			toFilter(kinds.texts('Names')),
		],
	])(
		'parses %s without a value as %j, a blank field as %j, and the value %j as %j',
		async (_kind, foundNothing, blank, value, expected, field) => {
			const outcome = async (given: unknown) => {
				const fields = { field: field as Field<unknown> };
				try {
					return parseFields(fields, { field: given }, { timezone: 'UTC' }).field;
				} catch (error) {
					return error instanceof InvalidFields ? 'error' : error;
				}
			};
			const isLocator = field.property.type === 'resourceLocator';
			const inLocator = (one: unknown) => (isLocator ? { mode: 'id', value: one } : one);
			for (const nothing of [undefined, null, Number.NaN, inLocator(undefined)])
				expect(await outcome(nothing)).toEqual(foundNothing);
			for (const one of ['', ' \u00a0', [], inLocator('')])
				expect(await outcome(one)).toEqual(blank);
			expect(await outcome(inLocator(value))).toEqual(expected);
		},
	);

	// For other fields, see `refuses` in dev/scripts/operations.yaml.
	it('rejects empty numbers and lists', async () => {
		const quantity = kinds.quantity('Quantity', { default: 1 });
		await expect(read(quantity, null)).rejects.toThrow("'Quantity' has no value");
		const rows = collection.rows('Rows', { displayName: 'Row', name: 'row', fields: {} }, '');
		await expect(read(rows, { row: [] })).rejects.toThrow("'Rows' is empty: add at least one");
		const items = read(atLeastOne(ids), ' , ,');
		await expect(items).rejects.toThrow("'Items' is empty: enter at least one");
	});
});

describe('a filter', () => {
	it.each<[string, unknown, Field<unknown>, unknown]>([
		['several text values', [], kinds.texts('Kinds'), '={{ $json.kinds }}'],
		['several text values', ',', kinds.texts('Kinds'), '={{ $json.kinds }}'],
		['text', ' ', kinds.text('Kinds'), '={{ $json.kinds }}'],
		['a record', '', makeOptional(proposalId), { value: '={{ 1 }}' }],
	])(
		'rejects an empty expression in a filter by %s, but ignores %j as a plain value',
		async (...row) => {
			const [, value, kind, raw] = row;
			const field = collection.filters({ kinds: kind });
			const given = { kinds: value };
			const foundNothing = expect.objectContaining({
				message: expect.stringMatching(/' has no value: the expression/),
				description: 'To leave out this filter, remove the expression.',
			});
			await expect(read(field, { kinds: undefined })).rejects.toThrow(foundNothing);
			await expect(read(field, given, { kinds: raw })).rejects.toThrow(foundNothing);
			await expect(read(field, given)).resolves.toEqual({ kinds: undefined });
			const { kinds: found } = (await read(field, { kinds: '5' }, { kinds: raw })) as never;
			expect(String(found)).toBe('5');
		},
	);

	it('is ignored if an AI agent leaves it empty', async () => {
		const filters = collection.filters({ text: kinds.text('Text') });
		const raw = { text: "={{ $fromAI('text', 'Empty for all') }}" };
		expect(await read(filters, { text: '' }, raw)).toEqual({ text: undefined });
	});
});

describe('an update', () => {
	it('ignores fields that an AI agent leaves empty', async () => {
		const update = collection.updateFields({
			name: kinds.requiredText('Name'),
			note: kinds.clearableText('Note'),
			owner: locator('Owner', undefined),
			price: kinds.money('Price'),
		});
		const id = (value: unknown) => ({ __rl: true, mode: 'id', value });
		const fromModel = "={{ $fromAI('value', 'Empty to keep it', 'string', '') }}";
		const raw = { name: fromModel, note: fromModel, owner: id(fromModel), price: fromModel };
		const given = { name: undefined, note: '', owner: id(''), price: '' };
		expect(await read(update, { ...given, price: '1799.004' }, raw)).toEqual({ price: 1799.004 });
		await expect(read(update, given, raw)).rejects.toThrow(
			"'Update Fields' is empty: enter at least one value to change",
		);
		// Keep an empty value from the user, because it clears the text.
		expect(await read(update, { note: '' }, { note: '' })).toEqual({ note: '' });
	});

	it('reports a missing value from an AI agent as an empty field', async () => {
		const raw = "={{ $fromAI('price', 'In dollars', 'number') }}";
		await expect(read(kinds.money('Price'), undefined, raw)).rejects.toThrow(
			"'Price' is empty: enter a number",
		);
	});

	it('explains how to keep a value if a field of an update is empty', async () => {
		const update = collection.updateFields({ price: kinds.money('Price') });
		for (const price of ['', null])
			await expect(read(update, { price })).rejects.toThrow(
				expect.objectContaining({ description: expect.stringContaining('filter them out') }),
			);
		await expect(read(update, { price: 'free' })).rejects.toThrow(
			expect.objectContaining({ description: undefined }),
		);
	});
});

describe('an operation', () => {
	it('uses the default of a field that a workflow lacks, unless the field is optional in a collection', async () => {
		const kind = kinds.choice('Kind', ['a', 'b']);
		const fields = { kind, more: collection.options({ kind }) };
		const expected = { kind: 'a', more: {} };
		expect(parseFields(fields, {}, { timezone: 'UTC' })).toEqual(expected);
	});

	const example = () =>
		defineOperation({
			name: 'Example',
			action: 'Run example',
			description: 'Stands for any operation',
			kind: 'read',
			fields: {
				by: kinds.choice('By', ['id', 'all']),
				proposalId: showIf('by', 'id', proposalId),
				itemIds: kinds.ids('Items', 'getItems'),
				guid: kinds.text('Grid'),
			},
			run: async () => [],
			output: { confirms: 'success' },
		});

	it('ignores fields that are not shown', async () => {
		const values = await plainValues(example(), { by: 'all', proposalId: 'no ID' });
		expect(values).toEqual({ by: 'all', itemIds: undefined, guid: undefined });
		const shown = plainValues(example(), { by: 'id', proposalId: 'no ID' });
		await expect(shown).rejects.toThrow("'Proposal'");
	});

	it.each([[[null]], [[[]]], [/(?<model>\S+)/.exec('TV-55')!.groups]])(
		'rejects the IDs %j',
		async (given) => await expect(read(ids, given)).rejects.toBeInstanceOf(InvalidFields),
	);

	it('describes each kind of field for the editor', () => {
		const name = () => kinds.requiredText('Name');
		const items = kinds.ids('Items', 'getItems');
		const choose = expect.stringMatching(/^Choose from the list, or specify IDs/);
		const ofArea = kinds.ids('Items', 'getItems', ['proposalId'], 'Of one area.');
		const row = { displayName: 'Item', name: 'item', fields: { name: name() } };
		const inStock = { name: 'In Stock', value: 'InStock' };
		const b = { name: 'B', value: 'a' };
		const described: [Field<unknown>, object][] = [
			[name(), { displayName: 'Name', type: 'string', default: '', required: true }],
			[kinds.text('Note'), { type: 'string', required: false }],
			// Expect an empty default, so no number is sent that nobody entered.
			[kinds.money('Price'), { default: '' }],
			[kinds.quantity('Quantity'), { default: '' }],
			[items, { type: 'multiOptions', default: [], description: choose }],
			[items, { typeOptions: { loadOptionsMethod: 'getItems' } }],
			[ofArea, { description: expect.stringMatching(/^Of one area. Choose .*\.$/) }],
			[ofArea, { typeOptions: { loadOptionsDependsOn: ['proposalId'] } }],
			[atLeastOne(items), { type: 'multiOptions', required: true }],
			[kinds.choice('Kind', ['InStock']), { type: 'options', default: 'InStock' }],
			[kinds.choice('Kind', ['InStock']), { options: [inStock] }],
			[kinds.openChoices('Kinds', [b]), { type: 'multiOptions', default: [], options: [b] }],
			[collection.filters({ name: name() }), { displayName: 'Filters', type: 'collection' }],
			[collection.filters({ name: name() }), { placeholder: 'Add filter' }],
			[collection.options({ name: name() }), { displayName: 'Options' }],
			[collection.options({ name: name() }), { options: [{ name: 'name', required: false }] }],
			[collection.rows('Items', row, 'Add item'), { type: 'fixedCollection', required: true }],
			[collection.rows('Items', row, 'Add item'), { typeOptions: { multipleValues: true } }],
		];
		for (const [{ property }, expected] of described) expect(property).toMatchObject(expected);
	});

	it('has no two choices with the same value or label in one field', () => {
		const allIn = (fields: INodeProperties[]): INodeProperties[] =>
			fields.flatMap((field) => {
				const inner = (field.options ?? []).flatMap((option) =>
					'values' in option ? option.values : 'type' in option ? [option] : [],
				);
				return [field, ...allIn(inner)];
			});
		const all = Object.values(registry)
			.flatMap(({ operations }) => Object.values(operations))
			.flatMap(({ fields }) => allIn(fields))
			.filter(({ type }) => type === 'options' || type === 'multiOptions');
		expect(all.length).toBeGreaterThan(50);
		for (const { displayName, options = [] } of all) {
			const keys = (options as INodePropertyOptions[]).map(
				({ name, value }) => new Set([choiceKey(name), choiceKey(String(value))]),
			);
			const count = keys.reduce((sum, { size }) => sum + size, 0);
			expect(new Set(keys.flatMap((key) => [...key])).size, displayName).toBe(count);
		}
	});

	it('lists the possible values if a choice is empty', async () => {
		const kind = read(kinds.choice('Kind', ['a', 'b']), '');
		await expect(kind).rejects.toThrow("'Kind' is empty: it must be one of a, b");
	});

	it('recognizes an ID by the kind of its field, not by its name', async () => {
		const ids = async (given: object) => {
			return selectSentIds(example(), await plainValues(example(), { by: 'id', ...given }));
		};
		const all = { proposalId: '12', itemIds: '1, 2', guid: 'x' };
		expect(await ids(all)).toEqual({ proposalId: 12, itemIds: [1, 2] });
		expect(await ids({ proposalId: 12, itemIds: '' })).toEqual({ proposalId: 12 });
	});
});
