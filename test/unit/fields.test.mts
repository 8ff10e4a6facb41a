/** How fields are read, and what is left out. */
import { describe, expect, it } from 'vitest';
import {
	added,
	optional,
	readFields,
	shownIf,
	type Field,
} from '../../nodes/PortalIo/fields/field.ts';
import * as kinds from '../../nodes/PortalIo/fields/types.ts';
import { FieldError } from '../../nodes/PortalIo/fields/values.ts';
import { proposalId } from '../../nodes/PortalIo/fields/locators.ts';
import { sentIds, operation } from '../../nodes/PortalIo/operation/operation.ts';

const read = (field: Field<unknown>, value: unknown) =>
	field.read(value, field.property.displayName, { timezone: 'UTC' });

const ids = kinds.ids('Items', 'getItems', 'Items');

describe('a field', () => {
	const name = kinds.requiredText('Name', { max: 3 });
	const quantityOfOne = kinds.quantity('Quantity', { default: 1 });

	it.each([
		['optional text of a blank cell', kinds.text('Name'), ' \u00a0', undefined],
		['text of as many characters as fit', name, '👍👍👍', '👍👍👍'],
		['an optional field', optional(name), 'abc', 'abc'],
		['a flag as text', kinds.flag('On'), 'false', false],
		['a flag as text', kinds.flag('On'), 'true', true],
		['choices as text', kinds.choices('Kinds', ['a', 'b']), 'b, a', ['b', 'a']],
		[
			'a date in a collection',
			kinds.options({ day: kinds.date('Day') }),
			{ day: '2026-01-15' },
			{ day: '2026-01-15T00:00:00.000Z' },
		],
		[
			'a filter that was added and left empty',
			kinds.filters({ kind: kinds.text('Kind') }),
			{ kind: '' },
			{ kind: undefined },
		],
		['a collection that is none', kinds.options({ on: kinds.flag('On') }), 'x', { on: undefined }],
		[
			'an optional locator that was left empty',
			optional(proposalId),
			{ __rl: true, mode: 'list', value: '' },
			undefined,
		],
		['a locator', proposalId, { __rl: true, mode: 'id', value: ' 12 ' }, 12],
		['an ID with zeros in front', proposalId, '012', 12],
		['an unknown choice of an open list', kinds.openChoices('Statuses', ['a']), 'a, B', ['a', 'B']],
		['the address of a page', proposalId, 'https://app.portal.io/proposals/12/areas', 12],
	])('reads a field of %s', (_case, field, value, expected) => {
		expect(read(field as Field<unknown>, value)).toEqual(expected);
	});

	it.each([
		// The table of fields/types.ts: not added, left empty, and where an expression found nothing.
		['required text', name, 'error', 'error', 'error'],
		['a required flag', kinds.requiredFlag('On'), 'error', 'error', 'error'],
		['a choice', kinds.choice('Kind', ['a']), 'error', 'error', 'error'],
		['a number', kinds.money('Cost'), 'error', 'error', 'error'],
		['a locator', proposalId, 'error', 'error', 'error'],
		['clearable text', kinds.clearableText('Name'), 'error', '', 'error'],
		['added clearable text', added(kinds.clearableText('Name')), undefined, '', 'error'],
		['an added locator', added(proposalId), undefined, 'error', 'error'],
		['optional text', kinds.text('Name'), undefined, undefined, undefined],
		['an email', kinds.email('Email'), undefined, undefined, undefined],
		['a flag', kinds.flag('On'), undefined, undefined, undefined],
		['a date', kinds.date('Day'), undefined, undefined, undefined],
		['an optional locator', optional(proposalId), undefined, undefined, undefined],
		['strict text', optional(name, { isStrict: true }), undefined, undefined, 'error'],
		['texts', kinds.texts('Names'), [], [], []],
		['choices', kinds.choices('Kinds', ['a']), [], [], []],
		['IDs', ids, [], [], 'error'],
		['IDs of which one is needed', kinds.atLeastOne(ids), 'error', 'error', 'error'],
	])(
		'reads %s as %j when it was not added, as %j when it is empty, as %j for nothing',
		(_kind, field, notAdded, empty, nothing) => {
			const outcome = (value: unknown) => {
				try {
					return read(field as Field<unknown>, value);
				} catch (error) {
					if (error instanceof FieldError) return 'error';
					throw error;
				}
			};
			expect([undefined, '', null].map(outcome)).toEqual([notAdded, empty, nothing]);
		},
	);

	it.each([
		// Others: `refuses` in operations.yaml.
		['a default whose expression found nothing', quantityOfOne, null, "'Quantity' has no value"],
		[
			'an empty list of rows',
			kinds.rows('Items', { displayName: 'Item', name: 'item', fields: {} }, { required: true }),
			{ item: [] },
			"'Items' is empty: add at least one",
		],
		['another page', proposalId, 'https://app.portal.io/people/12', "'Proposal' must be an ID"],
		[
			'a filter whose expression found nothing',
			kinds.filters({ kind: kinds.text('Kind') }),
			{ kind: undefined },
			"'Kind' has no value: the expression returned nothing",
		],
		[
			'a filter by a record that an expression did not find',
			kinds.filters({ proposalId: optional(proposalId) }),
			{ proposalId: { __rl: true, mode: 'id', value: null } },
			"'Proposal' has no value: the expression returned nothing",
		],
	])('refuses %s under the label of its field', (_case, field, value, message) => {
		expect(() => read(field as Field<unknown>, value)).toThrow(message);
	});
});

it.each([
	['a filter', kinds.filters({ kinds: kinds.texts('Kinds') }), '={{ $json.kinds }}', []],
	['a filter', kinds.filters({ kinds: kinds.text('Kinds') }), '={{ $json.kinds }}', ' '],
	[
		'a filter by a record',
		kinds.filters({ kinds: optional(proposalId) }),
		{ value: '={{ 1 }}' },
		'',
	],
])(
	'refuses %s whose expression returned nothing, unless it may be left empty',
	(_what, field, raw, value) => {
		const reading = (one: unknown) => ({ timezone: 'UTC', raw: { kinds: one } });
		const given = { kinds: value };
		expect(() => field.read(given, 'Filters', reading(raw))).toThrow(
			/' has no value: the expression/,
		);
		expect(() => field.read(given, 'Filters', reading(value))).not.toThrow();
		for (const found of ['5', ['5', '6']].filter(
			(one) => Array.isArray(one) === Array.isArray(value),
		)) {
			const { kinds: read } = field.read({ kinds: found }, 'Filters', reading(raw)) as never;
			expect([read].flat()).toHaveLength([found].flat().length);
		}
	},
);

it('leaves alone a filter that an AI agent leaves empty', () => {
	const filters = kinds.filters({ text: kinds.text('Text') });
	const raw = { text: "={{ $fromAI('text', 'Empty for all') }}" };
	expect(filters.read({ text: '' }, 'Filters', { timezone: 'UTC', raw })).toEqual({
		text: undefined,
	});
});

it('says how to keep the value in the error of an empty field of an update', () => {
	const update = kinds.updateFields({ price: added(kinds.money('Price')) });
	for (const price of ['', null])
		expect(() => read(update, { price })).toThrow(
			expect.objectContaining({ description: expect.stringContaining('filter them out') }),
		);
	expect(() => read(update, { price: 'free' })).toThrow(
		expect.objectContaining({ description: undefined }),
	);
});

it('tells what an expression did not find from what was left out', () => {
	const more = kinds.additionalFields({ note: added(kinds.clearableText('Note')) });
	expect(read(more, {})).toEqual({ note: undefined });
	expect(() => read(more, { note: undefined })).toThrow("'Note' has no value");
});

it('reads a field that a workflow does not have as its default, unless it could be added', () => {
	const kind = kinds.choice('Kind', ['a', 'b']);
	const fields = { kind, more: kinds.options({ kind: added(kind) }) };
	expect(readFields(fields, {}, { timezone: 'UTC' })).toEqual({
		kind: 'a',
		more: { kind: undefined },
	});
});

it('sends the default of no number field', () => {
	expect(kinds.money('Price').property.default).toBe('');
	expect(kinds.quantity('Quantity').property.default).toBe('');
});

describe('an operation', () => {
	const example = operation({
		name: 'Example',
		action: 'Run example',
		description: 'Stands for any operation',
		fields: {
			by: kinds.choice('By', ['id', 'all']),
			proposalId: shownIf('by', 'id', proposalId),
			itemIds: kinds.ids('Items', 'getItems', 'Items'),
			guid: kinds.text('Grid'),
		},
		request: () => ({ method: 'GET', path: '/' }),
	});

	it('leaves fields that are not shown unread', () => {
		const values = example.read({ by: 'all', proposalId: 'no ID' }, { timezone: 'UTC' });
		expect(values).toEqual({ by: 'all', itemIds: [], guid: undefined });
		expect(() => example.read({ by: 'id', proposalId: 'no ID' }, { timezone: 'UTC' })).toThrow(
			"'Proposal'",
		);
	});

	it('marks the fields that must be filled in, and lists anew what depends on others', () => {
		const isRequired = [
			kinds.requiredText('Name'),
			kinds.text('Name', { required: true }),
			kinds.atLeastOne(ids),
			kinds.text('Name'),
		].map(({ property }) => property.required === true);
		expect(isRequired).toEqual([true, true, true, false]);
		expect(ids.property.typeOptions).toEqual({ loadOptionsMethod: 'getItems' });
		const dependent = kinds.ids('Items', 'getItems', 'Items', ['proposalId']);
		expect(dependent.property.typeOptions).toMatchObject({ loadOptionsDependsOn: ['proposalId'] });
	});

	it('knows the IDs of an operation by their fields, not by their names', () => {
		const ids = (given: object) =>
			sentIds(example, example.read({ by: 'id', ...given }, { timezone: 'UTC' }));
		expect(ids({ proposalId: '12', itemIds: '1, 2', guid: 'x' })).toEqual({
			proposalId: 12,
			itemIds: [1, 2],
		});
		expect(ids({ proposalId: 12, itemIds: '' })).toEqual({ proposalId: 12 });
	});
});
