/** The ways to choose a record: what the editor accepts in each, and what is read of it. */
import type { INodePropertyRegexValidation } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import * as listSearch from '../../nodes/PortalIo/editor/listSearch.ts';
import * as loadOptions from '../../nodes/PortalIo/editor/loadOptions.ts';
import type { Field } from '../../nodes/PortalIo/fields/field.ts';
import * as locators from '../../nodes/PortalIo/fields/locators.ts';
import { Reference, referencesIn } from '../../nodes/PortalIo/fields/reference.ts';

const { proposalId, catalogItemId, areaOptionId } = locators;
const read = (field: Field<unknown>, value: unknown, earlier?: Record<string, unknown>) =>
	field.read(value, field.property.displayName, { timezone: 'UTC', earlier });
const modesOf = ({ property }: Field<unknown>) => property.modes ?? [];
const fields = Object.entries(locators as Record<string, unknown>).filter(
	([, one]) => (one as Field<unknown>).property !== undefined,
) as [string, Field<unknown>][];

/** The rules of a mode by which n8n's editor refuses what is entered. */
const accepts = (field: Field<unknown>, mode: string, text: string) => {
	const { validation } = modesOf(field).find(({ name }) => name === mode)!;
	const [rule, ...others] = validation as INodePropertyRegexValidation[];
	expect([rule!.type, ...others]).toEqual(['regex']);
	return new RegExp(rule!.properties.regex).test(text);
};

describe('a record to choose', () => {
	it.each(fields)('is chosen from a list of the node, in the field %s', (_, field) => {
		const [list] = modesOf(field);
		const { type, typeOptions } = field.property;
		if (type === 'multiOptions') {
			expect(loadOptions).toHaveProperty(typeOptions!.loadOptionsMethod!);
			return;
		}
		expect(list).toMatchObject({ name: 'list', type: 'list' });
		expect(listSearch).toHaveProperty(list!.typeOptions!.searchListMethod!);
		const hasSearch = list!.typeOptions!.searchListMethod!.endsWith('Locations') === false;
		expect(list!.typeOptions!.searchable).toBe(hasSearch);
		expect(field.property.default).toEqual({ mode: 'list', value: '' });
		expect(
			modesOf(field)
				.slice(1)
				.map(({ type }) => type),
		).toEqual(
			modesOf(field)
				.slice(1)
				.map(() => 'string'),
		);
	});

	it.each([
		[proposalId, ['list', 'number', 'id', 'url'], true],
		[areaOptionId, ['list', 'id', 'name'], true],
		[catalogItemId, ['list', 'id', 'model'], true],
		[locators.parentItemId, ['list', 'id'], false],
	])('offers its ways in their order: %#', (field, modes, isRequired) => {
		expect(modesOf(field).map(({ name }) => name)).toEqual(modes);
		expect(field.property.required).toBe(isRequired);
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
	])('accepts of a proposal in the mode %s what it can read: %j %j', (mode, text, isAccepted) => {
		expect(accepts(proposalId, mode, text)).toBe(isAccepted);
		const value = { mode: mode === 'number' ? 'number' : 'url', value: text };
		if (!isAccepted) expect(() => read(proposalId, value)).toThrow(/^'Proposal' /);
		else if (mode !== 'number') expect(read(proposalId, value)).toBe(12345);
		else expect(read(proposalId, value)).toMatchObject({ kind: 'proposal', text: '1042' });
	});

	it.each([
		['1042', '1042'],
		[' #1042', '1042'],
		[1042, '1042'],
		[`${'0'.repeat(46)}1042`, '1042'],
		[`${'0'.repeat(47)}1042`, undefined],
		['0', undefined],
		['9007199254740993', undefined],
		['x1042', undefined],
		['1042x', undefined],
	])('reads the number of a proposal: %j', (value, text) => {
		const found = () => read(proposalId, { mode: 'number', value });
		if (text === undefined) expect(found).toThrow("'Proposal' must be the number of a proposal");
		else expect(found()).toEqual(new Reference('proposal', text, 'Proposal', ''));
	});

	it('finds what is called by its name wherever it stands', () => {
		const area = new Reference('area', 'Den', 'Area');
		expect(referencesIn({ note: null, rows: [{ area, quantity: 2 }], area })).toEqual([area, area]);
	});

	it.each([
		[undefined, 'Part'],
		[{ itemType: 'Labor' }, 'Labor'],
	])('looks for a model among the items of the type above: %j', (earlier, itemType) => {
		const found = read(catalogItemId, { mode: 'model', value: 'Amp' }, earlier);
		expect(found).toEqual(new Reference('catalogItem', 'Amp', 'Catalog Item', itemType));
	});
});
