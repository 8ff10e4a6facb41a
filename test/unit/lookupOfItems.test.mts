/** Tests finding a proposal's items by their model. */
import { describe, expect, it } from 'vitest';
import { RecordReference } from '../../nodes/PortalIo/fields/field.ts';
import { createLookups } from '../../nodes/PortalIo/lookup/lookups.ts';
import { playedSession } from './playedSession.mts';

const speaker = (id: number) => ({ id, brand: 'Corvane', model: 'CV-6C' });
const option = (id: number, status: string) => ({ id, status, items: [speaker(id)] });
const lobby = { id: 1, name: 'Lobby', options: [option(7, 'Draft'), option(8, 'Draft')] };
const den = { id: 2, name: 'Den', options: [option(9, 'Draft')] };
const attic = { id: 3, name: 'Attic', options: [option(10, 'Declined')] };

const itemIn = async (areas: object[], text = 'Corvane CV-6C', isFromModel = false) => {
	const { session } = playedSession(() => ({ id: 42, number: 1, areas }));
	const reference = new RecordReference('item', text, 'Item', isFromModel);
	return await createLookups(session)(reference, { proposalId: 42 });
};

describe('an item found by its model', () => {
	it('is the only one, with or without the brand', async () => {
		expect(await itemIn([den])).toBe(9);
		expect(await itemIn([den], 'cv6c')).toBe(9);
	});

	it('can be labor or a fee, which has no model and is found by its name', async () => {
		const labor = { id: 12, brand: null, model: null, name: 'Rack Installation' };
		const fee = { id: 13, brand: '', model: '', name: 'Freight' };
		const rack = {
			id: 4,
			name: 'Rack',
			options: [{ id: 12, status: 'Draft', items: [labor, fee] }],
		};
		expect(await itemIn([den, rack], 'rack installation')).toBe(12);
		expect(await itemIn([den, rack], 'Freight')).toBe(13);
		await expect(itemIn([den, rack], 'null')).rejects.toThrow(
			"no item with the model or name 'null'",
		);
	});

	it('is ambiguous if several items have the model', async () => {
		await expect(itemIn([lobby, den])).rejects.toThrow(
			"is ambiguous: 3 items in the proposal match 'Corvane CV-6C', in 'Lobby / 1' (ID 7), 'Lobby / 2' (ID 8), 'Den' (ID 9). To change one of them, use its ID. To change several, find them with 'Item: Get Many' and its filter 'Models' in a previous step, and use their IDs.",
		);
	});

	it('is not in a declined option unless all items with the model are', async () => {
		expect(await itemIn([den, attic])).toBe(9);
		expect(await itemIn([attic])).toBe(10);
	});

	it('can be identified by an ID from the error, but only if an AI agent enters it', async () => {
		expect(await itemIn([lobby], '8', true)).toBe(8);
		await expect(itemIn([lobby], '8')).rejects.toThrow("no item with the model or name '8'");
	});
});
