/** The items of a proposal by their model, which several areas and options may have. */
import { describe, expect, it } from 'vitest';
import { lookupsOf } from '../../nodes/PortalIo/lookup/lookups.ts';
import { playedSession } from './playedSession.mts';

const speaker = (id: number) => ({ id, brand: 'Corvane', model: 'CV-6C' });
const option = (id: number, status: string) => ({ id, status, items: [speaker(id)] });
const lobby = { id: 1, name: 'Lobby', options: [option(7, 'Draft'), option(8, 'Draft')] };
const den = { id: 2, name: 'Den', options: [option(9, 'Draft')] };
const attic = { id: 3, name: 'Attic', options: [option(10, 'Declined')] };

const itemsIn = async (areas: object[], choice = {}) => {
	const { session } = playedSession(() => ({ id: 42, number: 1, areas }));
	return await lookupsOf(session).items(42, 'Corvane CV-6C', 'Item', choice);
};

describe('the items with a model', () => {
	it('names the options of several matches, and the fields that choose among them', async () => {
		await expect(itemsIn([lobby, den])).rejects.toThrow(
			"'Item' is ambiguous: the proposal has 3 items with the model 'Corvane CV-6C': in 'Lobby / 1' (ID 7), 'Lobby / 2' (ID 8), 'Den' (ID 9). Add the option 'Area', turn on 'All Items with This Model', or use the ID.",
		);
	});

	it('asks for the number of the option where the area has several', async () => {
		await expect(itemsIn([lobby, den], { area: 'Lobby' })).rejects.toThrow(
			"in 'Lobby / 1' (ID 7), 'Lobby / 2' (ID 8). Set 'Area' to the area of one of them, such as 'Lobby / 1', turn on",
		);
	});

	it('are the one whose ID the error named, for an AI agent only', async () => {
		const { session } = playedSession(() => ({ id: 42, number: 1, areas: [lobby] }));
		const { items } = lookupsOf(session);
		expect(await items(42, '8', 'Item', { mayBeId: true })).toEqual([8]);
		await expect(items(42, '8', 'Item', {})).rejects.toThrow("no item with the model '8'");
	});

	it('suggests no area where one option has several', async () => {
		const twice = {
			...den,
			options: [{ ...option(9, 'Draft'), items: [speaker(9), speaker(10)] }],
		};
		await expect(itemsIn([twice])).rejects.toThrow(
			"in 'Den' (ID 9), 'Den' (ID 10). Turn on 'All Items with This Model', or use the ID.",
		);
	});

	it.each([
		[{ area: 'den' }, [9]],
		[{ area: 'Den / 1' }, [9]],
		[{ area: ' Lobby / 2' }, [8]],
		[{ area: 'Lobby', allWithModel: true }, [7, 8]],
		[{ allWithModel: true }, [7, 8, 9]],
	])('are those that the options choose: %j', async (choice, ids) => {
		expect(await itemsIn([lobby, den, attic], choice)).toEqual(ids);
	});

	it('are those of an area whose name ends like the number of an option', async () => {
		const second = { id: 4, name: 'Lobby / 2', options: [option(11, 'Draft')] };
		expect(await itemsIn([lobby, second], { area: 'Lobby / 2' })).toEqual([11]);
		const empty = { ...second, options: [{ id: 11, status: 'Draft', items: [] }] };
		await expect(itemsIn([lobby, empty], { area: 'Lobby / 2' })).rejects.toThrow(
			"'Area' is 'Lobby / 2', which has no item with the model",
		);
	});

	it('leave out those of declined options, unless all are declined', async () => {
		expect(await itemsIn([den, attic])).toEqual([9]);
		expect(await itemsIn([attic])).toEqual([10]);
	});

	it('are missing in an area: the error says where they are', async () => {
		await expect(itemsIn([den], { area: 'Loby' })).rejects.toThrow(
			"'Area' is 'Loby', which has no item with the model 'Corvane CV-6C': the proposal has it in 'Den' (ID 9). Correct the area, or leave it empty to search all areas.",
		);
	});
});
