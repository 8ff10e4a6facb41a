/** How fields are read, and what is left out. */
import { describe, expect, it } from 'vitest';
import {
	added,
	optional,
	shownIf,
	withDefault,
	type Field,
} from '../../nodes/PortalIo/shared/field.ts';
import * as kinds from '../../nodes/PortalIo/shared/fieldTypes.ts';
import { proposalId } from '../../nodes/PortalIo/shared/locators.ts';
import { operation } from '../../nodes/PortalIo/shared/operation.ts';
import { toWire } from '../../nodes/PortalIo/shared/wire.ts';

const read = (field: Field<unknown>, value: unknown) =>
	field.read(value, field.property.displayName, 'UTC');

describe('a field', () => {
	const name = kinds.requiredText('Name', { max: 3 });

	it.each([
		['optional text that is empty', kinds.text('Name'), '', undefined],
		['optional text that is absent', kinds.text('Name'), null, undefined],
		['text of as many characters as fit', name, '👍👍👍', '👍👍👍'],
		['cleared text', kinds.clearableText('Name'), '', ''],
		['a field that was not added', added(name), undefined, undefined],
		['an optional field', optional(name), 'abc', 'abc'],
		['a default', withDefault(kinds.choice('Kind', ['a', 'b'])), undefined, 'a'],
		['a flag as text', kinds.flag('On'), 'false', false],
		['a flag without a value', kinds.flag('On'), undefined, undefined],
		['choices as text', kinds.choices('Kinds', ['a', 'b']), 'b, a', ['b', 'a']],
		['no choices', kinds.choices('Kinds', ['a']), undefined, []],
		[
			'a date in a collection',
			kinds.options({ day: kinds.date('Day') }),
			{ day: '2026-01-15' },
			{ day: '2026-01-15T00:00:00.000Z' },
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
		['the address of a page', proposalId, 'https://app.portal.io/proposals/12/areas', 12],
	])('%s is read', (_case, field, value, expected) => {
		expect(read(field as Field<unknown>, value)).toEqual(expected);
	});

	it.each([
		['too much text', name, 'abcd', "'Name' has 4 characters: Portal.io takes 3"],
		['white space', kinds.text('Name'), ' ', "'Name' must not be empty"],
		['an added field without a value', added(name), null, "'Name' has no value"],
		['an empty required flag', kinds.requiredFlag('On'), '', "'On' has no value"],
		['an unknown choice', kinds.choice('Kind', ['a']), 'b', "'Kind' must be one of a"],
		['no ID', kinds.requiredIds('IDs'), ' ', "'IDs' is empty: give at least one ID"],
		['another page', proposalId, 'https://app.portal.io/people/12', "'Proposal' must be an ID"],
		[
			'nothing to update',
			kinds.updateFields({ name: added(name) }),
			{},
			"'Update Fields' is empty",
		],
		[
			'a field of a row',
			kinds.rows('Rows', { displayName: 'Row', name: 'row', fields: { name } }, {}),
			{ row: [{ name: 'abc' }, { name: '' }] },
			"'Rows: Name' must not be empty",
		],
		[
			'no rows',
			kinds.rows('Rows', { displayName: 'Row', name: 'row', fields: {} }, { required: true }),
			{ row: [] },
			"'Rows' is empty: add at least one",
		],
	])('%s is refused under its label', (_case, field, value, message) => {
		expect(() => read(field as Field<unknown>, value)).toThrow(message);
	});
});

describe('an operation', () => {
	const example = operation({
		name: 'Example',
		action: 'Run example',
		description: 'Stands for any operation',
		mark: 'docs',
		fields: {
			by: kinds.choice('By', ['id', 'all']),
			proposalId: shownIf('by', 'id', proposalId),
			itemIds: kinds.ids('Items'),
			guid: kinds.text('Grid'),
		},
		request: () => ({ method: 'GET', path: '/' }),
	});

	it('does not read what is not shown', () => {
		const values = example.read({ by: 'all', proposalId: 'no ID' }, 'UTC');
		expect(values).toEqual({ by: 'all', itemIds: [], guid: undefined });
		expect(() => example.read({ by: 'id', proposalId: 'no ID' }, 'UTC')).toThrow("'Proposal'");
	});

	it('knows its IDs by their fields, not by their names', () => {
		const ids = (given: object) => example.ids(example.read({ by: 'id', ...given }, 'UTC'));
		expect(ids({ proposalId: '12', itemIds: '1, 2', guid: 'x' })).toEqual({
			proposalId: 12,
			itemIds: [1, 2],
		});
		expect(ids({ proposalId: 12, itemIds: '' })).toEqual({ proposalId: 12 });
	});

	it('shows its fields under the names of their keys', () => {
		expect(example.fields.map(({ name, displayName }) => [name, displayName])).toEqual([
			['by', 'By'],
			['proposalId', 'Proposal'],
			['itemIds', 'Items'],
			['guid', 'Grid'],
		]);
	});
});

it('values go out under the names of their parameters in PascalCase', () => {
	expect(toWire({ salesPersonId: 7, contactEmailCC: 'a' })).toEqual({
		SalesPersonId: 7,
		ContactEmailCC: 'a',
	});
});
