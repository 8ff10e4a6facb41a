/** Tests finding areas and area options by name. */
import { describe, expect, it } from 'vitest';
import { RecordReference, type Target } from '../../nodes/PortalIo/fields/field.ts';
import { createLookups } from '../../nodes/PortalIo/lookup/lookups.ts';
import { recordingSession } from './playedSession.mts';

const area = (id: number, name: string, ...optionIds: number[]) => ({
	id,
	name,
	options: optionIds.map((optionId) => ({ id: optionId, status: 'Draft' })),
});
const declined = (id: number) => ({ id, status: 'Declined' });
const proposalWith = (areas: object[]) => ({ id: 42, number: 1042, areas });

/** Returns lookups in proposal 42. Their requests receive `responses` in order. */
function lookupsFrom(...responses: unknown[]) {
	const { session, requests } = recordingSession(() => responses.shift());
	const find = createLookups(session);
	const findIn = async (target: Target, name: string, options: object = {}) =>
		await find(new RecordReference(target, name, 'Area'), { proposalId: 42, options });
	return {
		requests,
		area: async (name: string) => await findIn('area', name),
		areaOption: async (name: string) => await findIn('areaOption', name),
		placement: async (name: string) => await findIn('placement', name),
		create: async (name: string) => await findIn('placement', name, { createMissingArea: true }),
	};
}

const areas = [
	area(1, 'Den', 11, 12),
	area(2, 'Loft', 21),
	area(3, 'Den / 2', 31),
	area(41, 'Hall'),
	area(42, 'HALL'),
];
const noArea = (name: string) =>
	`was not found: the proposal has no area '${name}'. It has 'Den', 'Loft', 'Den / 2', 'Hall', 'HALL'. Check the name.`;
const AMBIGUOUS =
	"is ambiguous: the proposal has 2 areas named 'Hall'. Use the ID of one of them, or rename the others in Portal.io.";

const READ = 'GET /public/proposals/42';
const CREATE = 'POST /public/proposals/42/area Name=Attic';

describe('an area', () => {
	it.each([
		[' loft ', 2],
		['Hall', 41],
		['HALL ', 42],
	])('is found by its name: %j', async (text, id) => {
		expect(await lookupsFrom(proposalWith(areas)).area(text)).toBe(id);
	});

	it.each([
		['Loft / 1', noArea('Loft / 1')],
		['hall', AMBIGUOUS],
	])('explains why the name %j does not identify an area', async (text, reason) => {
		await expect(lookupsFrom(proposalWith(areas)).area(text)).rejects.toThrow(reason);
	});

	it('reports that a proposal has no areas', async () => {
		await expect(lookupsFrom(proposalWith([])).area('Attic')).rejects.toThrow(
			'It has no areas. Check the name.',
		);
	});

	it('lists ten of twelve areas if none has the given name', async () => {
		const rooms = Array.from({ length: 12 }, (_, id) => area(id, `Room ${id}`, id));
		await expect(lookupsFrom(proposalWith(rooms)).area('Attic')).rejects.toThrow(
			/It has ('Room \d', ){9}'Room 9'\. Check/,
		);
	});
});

describe('an area option', () => {
	it.each([
		['Loft', 21],
		['Loft / 1', 21],
		// An area's name can look like an option.
		['Den / 2', 31],
	])('is found by its area and number: %j', async (text, id) => {
		expect(await lookupsFrom(proposalWith(areas)).areaOption(text)).toBe(id);
	});

	it.each([
		['Loft / 2', "was not found: 'Loft' has only one option"],
		['Den / 3', "was not found: 'Den' has only 2 options"],
		['Den', "'Den' has 2 options. Add the option number, as in 'Den / 1'."],
		['Den/1', noArea('Den/1')],
		['Den /1', noArea('Den /1')],
		['Den / 12', noArea('Den / 12')],
		['Attic / 1', noArea('Attic')],
		['hall', AMBIGUOUS],
	])('explains why %j does not identify an option', async (text, reason) => {
		await expect(lookupsFrom(proposalWith(areas)).areaOption(text)).rejects.toThrow(reason);
	});
});

describe('the chosen option of an area with declined options', () => {
	it.each([
		['the only one that is not declined', [declined(11), { id: 12 }], 12],
		['the only one, even if it is declined', [declined(11)], 11],
		[
			'the one with the given number if all are declined',
			[declined(11), declined(12)],
			12,
			'Den / 2',
		],
	])('is %s', async (_, options, id, text = 'Den') => {
		const { areaOption } = lookupsFrom(proposalWith([{ id: 1, name: 'Den', options }]));
		expect(await areaOption(text)).toBe(id);
	});

	it('is ambiguous if several are not declined, or if all of several are declined', async () => {
		for (const options of [
			[declined(11), { id: 12 }, { id: 13 }],
			[declined(11), declined(12)],
		]) {
			const { areaOption } = lookupsFrom(proposalWith([{ id: 1, name: 'Den', options }]));
			await expect(areaOption('Den')).rejects.toThrow(`'Den' has ${options.length} options.`);
		}
	});
});

describe("'Create Missing Area'", () => {
	const attic = area(9, 'Attic', 91);
	const before = proposalWith(areas);
	const created = proposalWith([...areas, attic]);

	/** Finds the option, or creates its area. Returns the option's ID or the error message, and the requests. */
	async function findOrCreate(text: string, ...responses: unknown[]) {
		const { create, requests } = lookupsFrom(...responses);
		const result = await create(text).catch(({ message }: Error) => message);
		return { result, requests };
	}

	it('creates a missing area', async () => {
		expect(await findOrCreate(' Attic ', before, created)).toEqual({
			result: 91,
			requests: [READ, CREATE],
		});
	});

	it.each([
		['is empty', ''],
		['is no proposal', { id: 42 }],
		['is a proposal without areas', { id: 42, number: 1042 }],
		['is another proposal', { ...created, id: 43 }],
		['is a list', [attic]],
	])('reads the created area from the proposal if the response %s', async (_, response) => {
		expect(await findOrCreate('Attic', before, response, created)).toEqual({
			result: 91,
			requests: [READ, CREATE, READ],
		});
	});

	it('finds the new area even if Portal.io stored another form of its name', async () => {
		const { result } = await findOrCreate('The Attic', before, created);
		expect(result).toBe(91);
	});

	it('finds the new area by name if another user adds one at the same time', async () => {
		const two = proposalWith([...areas, area(8, 'Garage', 81), attic]);
		expect((await findOrCreate('attic', before, two)).result).toBe(91);
	});

	it('fails if two new areas have the same name', async () => {
		const twins = proposalWith([area(1, 'Den', 11), area(2, 'Den', 12)]);
		const { create } = lookupsFrom(proposalWith([]), twins);
		await expect(create('Den')).rejects.toMatchObject({
			message:
				'Portal.io accepted the request, but someone else added an area at the same time, so the new one cannot be identified',
			description: 'Open the proposal in Portal.io before you run the step again.',
		});
	});

	it('finds an area again by the name used to create it', async () => {
		const renamed = proposalWith([area(9, 'ATTIC RM', 91)]);
		const { create, requests } = lookupsFrom(proposalWith([]), renamed);
		expect(await create('Attic Room')).toBe(91);
		expect(await create('Attic Room')).toBe(91);
		expect(requests).toHaveLength(2);
	});

	it('reads the proposal again before it creates an area', async () => {
		const { create, requests } = lookupsFrom(before, created);
		expect(await create('Loft')).toBe(21);
		expect(await create('Attic')).toBe(91);
		expect(requests).toEqual([READ, READ]);
	});

	it('finds a created area by the name that was sent, even after the proposal is read again', async () => {
		const withAttic = proposalWith([...areas, area(9, 'The attic', 91)]);
		const withBoth = proposalWith([...areas, area(9, 'The attic', 91), area(8, 'Garage', 81)]);
		const { create, requests } = lookupsFrom(before, withAttic, withAttic, withBoth);
		const ids: unknown[] = [];
		for (const name of ['Attic', 'Garage', 'Attic', 'Garage']) {
			ids.push(await create(name));
		}
		expect(ids).toEqual([91, 81, 91, 81]);
		expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
	});

	it('is suggested if it is off', async () => {
		await expect(lookupsFrom(before).placement('Attic')).rejects.toThrow(
			"Check the name, or turn on 'Create Missing Area'.",
		);
	});

	it.each([
		['den / 2', 12],
		['Loft / 1', 21],
		['Hall / 2', 31],
		['Den / 3', "was not found: 'Den' has only 2 options"],
		['Loft / 2', "was not found: 'Loft' has only one option"],
		['Den', expect.stringContaining("Add the option number, as in 'Den / 1'.")],
	])('creates no area for %j, because the area exists', async (text, result) => {
		const present = [area(1, 'Den', 11, 12), area(2, 'Loft', 21), area(3, 'Hall / 2', 31)];
		expect(await findOrCreate(text, proposalWith(present))).toEqual({
			result,
			requests: [READ],
		});
	});

	it('creates an area whose name only looks like an option', async () => {
		const { create, requests } = lookupsFrom(before, before, before);
		// Expect an error, because the response shows no new area.
		await expect(create('Den/2')).rejects.toThrow(
			'Portal.io accepted the request, but the proposal has no new area',
		);
		expect(requests[1]).toBe('POST /public/proposals/42/area Name=Den%2F2');
	});

	it('rejects option 2 of a missing area', async () => {
		expect(await findOrCreate('Attic / 2', before)).toEqual({
			result: `${noArea('Attic').slice(0, -1)}, or leave out the number to create the area.`,
			requests: [READ],
		});
	});
});
