/**
 * Tests how references in an input item's values are replaced by IDs, in the order in which the values are declared.
 */
import { expect, it } from 'vitest';
import { RecordReference } from '../../nodes/PortalIo/fields/field.ts';
import { InvalidFields, ValueError } from '../../nodes/PortalIo/fields/fieldError.ts';
import { replaceReferences } from '../../nodes/PortalIo/lookup/references.ts';

const proposal = new RecordReference('proposal', '1042', 'Proposal');
const option = new RecordReference('areaOption', 'Den', 'Area Option');
const model = (name: string) => new RecordReference('catalogItem', name, 'Catalog Item');

it('looks up each record with the values of earlier fields, in its row and its input item', async () => {
	const scopes: object[] = [];
	const values = {
		proposalId: proposal,
		areaOptionId: option,
		items: [{ itemType: 'Labor', itemId: model('Rack') }],
		options: { createMissingArea: true },
	};
	const found = await replaceReferences(values, async ({ label }, { proposalId, itemType }) => {
		scopes.push({ label, proposalId, itemType });
		return scopes.length;
	});
	expect(found).toEqual({
		proposalId: 1,
		areaOptionId: 2,
		items: [{ itemType: 'Labor', itemId: 3 }],
		options: { createMissingArea: true },
	});
	expect(scopes).toEqual([
		{ label: 'Proposal', proposalId: proposal, itemType: undefined },
		{ label: 'Area Option', proposalId: 1, itemType: undefined },
		{ label: 'Catalog Item', proposalId: 1, itemType: 'Labor' },
	]);
	expect(values.proposalId).toBe(proposal);
});

const fail = async () => {
	throw new ValueError('was not found');
};

it('reports the first missing record of each row', async () => {
	const error = async (values: object) =>
		(await replaceReferences(values as never, fail).catch((reason) => reason)) as InvalidFields;
	expect((await error({ proposalId: proposal, areaOptionId: option })).message).toBe(
		"'Proposal' was not found",
	);
	const rows = ['A', 'B', 'C'].map((name) => ({ itemId: model(name) }));
	expect((await error({ items: [{ itemId: 5 }, ...rows] })).description).toBe(
		[2, 3, 4].map((row) => `Row ${row}: 'Catalog Item' was not found.`).join('\n'),
	);
});

it('throws the failure of a request unchanged', async () => {
	const failure = new Error('Portal.io cannot be reached');
	const find = async () => {
		throw failure;
	};
	await expect(replaceReferences({ items: [{ itemId: model('A') }] }, find)).rejects.toBe(failure);
});
