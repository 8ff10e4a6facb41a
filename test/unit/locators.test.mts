/** Tests the modes of the fields that choose a record. */
import type { INodePropertyRegexValidation } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { listSearch, loadOptions } from '../../nodes/PortalIo/editor/lists.ts';
import { withDescription } from '../../nodes/PortalIo/fields/declare.ts';
import { RecordReference, type Field } from '../../nodes/PortalIo/fields/field.ts';
import * as locators from '../../nodes/PortalIo/fields/locators.ts';

const { proposalId, catalogItemId } = locators;

const parse = (field: Field<unknown>, value: unknown): unknown =>
	field.parse(value, { timezone: 'UTC' });
const fields = Object.entries(locators as Record<string, unknown>).filter(
	([, one]) => (one as Field<unknown>).property !== undefined,
) as [string, Field<unknown>][];

it.each(fields)('loads the choices of %s from a list method that exists', (_, { property }) => {
	const { type, typeOptions, modes, default: value } = property;
	if (type === 'multiOptions') {
		expect(loadOptions).toHaveProperty(typeOptions!.loadOptionsMethod!);
		return;
	}
	const [list, ...others] = modes!;
	expect(list).toMatchObject({ name: 'list', type: 'list' });
	expect(list!.typeOptions!.searchable).toBe(true);
	expect(listSearch).toHaveProperty(list!.typeOptions!.searchListMethod!);
	expect(value).toEqual({ mode: 'list', value: '' });
	expect(new Set(others.map((mode) => mode.type))).toEqual(new Set(['string']));
});

/** Maximum number of letters in a label that n8n's mode selector shows. Only n8n's own label *From List* has more. */
const SHOWN_LETTERS = 8;

it('labels every mode with at most eight letters', () => {
	const modes = fields.flatMap(([, { property }]) => property.modes ?? []);
	const labels = new Set(modes.map(({ displayName }) => displayName));
	labels.delete('From List');
	expect([...labels].filter((label) => label.length > SHOWN_LETTERS)).toEqual([]);
	expect([...labels].toSorted()).toEqual(['By ID', 'By URL', 'Email', 'Model', 'Name', 'Number']);
});

it.each([
	['a number', proposalId, "If you drag the number here, change 'By ID' to 'Number'"],
	[
		'a model, with a description',
		withDescription(catalogItemId, 'An item.'),
		"An item. If you drag the model here, change 'By ID' to 'Model'.",
	],
	[
		'an email',
		locators.contactId,
		"A person or company. If you drag the email here, change 'By ID' to 'Email'.",
	],
	['an ID, which needs no other mode', locators.contentId, 'A recording or text file'],
])(
	'tells the user which mode to choose for a dragged value: %s',
	(_, { property }, description) => {
		expect(property.description).toBe(description);
		expect(property).not.toHaveProperty('hint');
	},
);

it.each([
	['a proposal', ['list', 'number', 'id', 'url'], true, proposalId],
	['an area option', ['list', 'name', 'id'], true, locators.placementId],
	['a catalog item', ['list', 'model', 'id'], true, catalogItemId],
	['a parent item', ['list', 'id'], false, locators.parentItemId],
])('gives %s the modes %j in this order (required: %s)', (...row) => {
	const [, modes, isRequired, { property }] = row;
	expect(property.modes!.map(({ name }) => name)).toEqual(modes);
	expect(property.required).toBe(isRequired);
});

it.each([
	['id', '12345', true],
	['id', ' 12345 ', true],
	['id', '12345a', false],
	['id', 'a12345', false],
	['id', '', false],
	['number', '1042', true],
	['number', ' #1042 ', true],
	['number', 'No. 1042', false],
	['number', '1042-B', false],
	['url', ' https://app.portal.io/proposals/12345 ', true],
	['url', 'http://app.portal.io/proposal/12345/areas', true],
	['url', 'https://app.portal.io/proposals/12345?tab=1', true],
	['url', 'https://app.portal.io/people/12345', false],
	['url', 'see https://app.portal.io/proposals/12345', false],
	['url', 'https://app.portal.io/proposals/12345 and more', false],
	['url', 'https:///proposals/12345', false],
])('accepts in the editor exactly what the mode %s can parse: %j %j', (name, text, isValid) => {
	const { validation } = proposalId.property.modes!.find((mode) => mode.name === name)!;
	const [rule] = validation as [INodePropertyRegexValidation];
	expect(new RegExp(rule.properties.regex).test(text)).toBe(isValid);
	const value = { mode: name === 'number' ? 'number' : 'url', value: text };
	const found = name === 'number' ? { target: 'proposal', name: '1042' } : 12345;
	const expected = typeof found === 'number' ? found : expect.objectContaining(found);
	if (isValid) expect(parse(proposalId, value)).toEqual(expected);
	else expect(() => parse(proposalId, value)).toThrow(/^must be/);
	if (name === 'url') expect(() => parse(catalogItemId, text)).toThrow(/^must be/);
});

it.each([
	['1042', '1042'],
	[' #1042', '1042'],
	[1042, '1042'],
	['01042', '1042'],
	['0', undefined],
	['1042\u00b2', undefined],
	['9007199254740993', undefined],
	['x1042', undefined],
	['1042x', undefined],
	['10#42', undefined],
	[{ toString: 1 }, undefined],
])(
	'accepts only a positive whole number, optionally after #, as a proposal number: %j',
	(value, number) => {
		const read = () => parse(proposalId, { mode: 'number', value });
		if (number !== undefined) {
			expect(read()).toEqual(new RecordReference('proposal', number, 'Proposal'));
		} else expect(read).toThrow('must be a proposal number');
		if (typeof value === 'object') {
			expect(() => parse(proposalId, value)).toThrow('must be a numeric ID');
		}
	},
);
