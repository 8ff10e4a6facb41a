/** What the node finds by models, names and numbers, in a service that is played by a function. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { toNodeError } from '../../client/errors.ts';
import { Reference, type ReferenceKind } from '../../nodes/PortalIo/fields/reference.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { errorForItem } from '../../nodes/PortalIo/run/errorForItem.ts';
import { findCatalogItem } from '../../nodes/PortalIo/run/findCatalogItem.ts';
import { explainNotFound } from '../../nodes/PortalIo/run/notFound.ts';
import { References } from '../../nodes/PortalIo/run/references.ts';
import { ProposalAreas } from '../../nodes/PortalIo/run/proposalAreas.ts';
import * as accountRecords from '../../nodes/PortalIo/editor/accountRecords.ts';
import * as proposalContents from '../../nodes/PortalIo/editor/proposalContents.ts';
import { playedSession, Refusal } from './playedSession.mts';

const node = { name: 'Portal.io' } as never;
/** A session, and what was asked in it: method, path and body of each request. */
function sessionWith(respond: (query: URLSearchParams) => unknown) {
	const asked: string[] = [];
	const { session } = playedSession(({ method, url, body }) => {
		const { pathname, searchParams } = new URL(url, 'https://service.example.com');
		asked.push([method, pathname, body].filter(Boolean).join(' '));
		return respond(searchParams);
	});
	return { session, asked };
}

describe('a model', () => {
	const find = async (text: string, items: object[], total = items.length) => {
		const searched: unknown[] = [];
		const { session } = sessionWith((query) => {
			searched.push(query.get('SearchText'));
			return { items, totalItemCount: total };
		});
		return { found: await findCatalogItem(session, { text, itemType: 'Part' }), searched };
	};

	it.each([
		['CV6C', ['CV6C', 'CV 6 C']],
		['Corvane:CV-6C', ['Corvane CV-6C', 'Corvane CV 6 C']],
		['Corvane', ['Corvane']],
	])(
		'is searched as it is written, and with its letters and numbers apart: %s',
		async (text, texts) => {
			const { found, searched } = await find(text, []);
			expect(searched).toEqual(texts);
			expect(found).toMatch(`no part has the model '${text}'`);
		},
	);

	it.each([
		['AB-1', ['ab-1', ' AB-1 '], 2],
		['ml-8-rlc', ['XX-9', 'ML 8RLC'], 2],
		[' AB-1 ', ['AB-1'], 1],
		['Acme > AB 1', ['AB-2', 'AB-1'], 2],
		['ab 1', ['AB>1', 'AB-1'], 2],
	])('is found as exactly as there is one: %j in %j', async (text, models, id) => {
		const items = models.map((model, index) => ({ id: index + 1, brand: 'Acme', model }));
		expect((await find(text, items)).found).toBe(id);
	});

	it.each([
		[
			'-',
			[{ id: 1, model: '' }, { id: 2 }],
			"no part has exactly the model '-'. Similar ones:  (ID 1),  (ID 2).",
		],
		['ML-8', [{ id: 1, model: 'XX-9' }], 'Similar ones: XX-9 (ID 1). Enter'],
		[' X5 ', [{ id: 1, name: 'Lamp' }], "exactly the model 'X5'. Similar ones: Lamp (ID 1)."],
		[
			'ab 1',
			[
				{ id: 1, model: 'AB-1' },
				{ id: 2, model: 'AB1' },
			],
			'matches 2 catalog items: AB-1 (ID 1), AB1 (ID 2).',
		],
	])('is not found where nothing or too much has it: %j', async (text, items, message) => {
		expect((await find(text, items)).found).toContain(message);
	});
});

describe('an area', () => {
	const area = (id: number, name: string, ...optionIds: number[]) => {
		const options = optionIds.map((one) => ({ id: one }));
		return { id, name, options };
	};
	const areas = [
		area(1, 'Den', 11, 12),
		area(2, 'Loft', 21),
		area(3, 'Den / 2', 31),
		area(41, 'Hall'),
		area(42, 'HALL'),
	];
	const find = async (
		kind: ReferenceKind,
		text: string,
		{ creates = false, canCreate = false, has = areas, responses = [] as unknown[] } = {},
	) => {
		const left = [{ id: 42, number: 1042, areas: has }, ...responses];
		const { session, asked } = sessionWith(() => left.shift());
		const reference = new Reference(kind, text, 'Area');
		const found = await new ProposalAreas(session).find(42, reference, { creates, canCreate }, 0);
		return { found, asked };
	};

	it.each<[ReferenceKind, string, unknown]>([
		['area', ' loft ', 2],
		[
			'area',
			'Loft / 1',
			/^was not found: the proposal has no area 'Loft \/ 1'\. It has 'Den', 'Loft', 'Den \/ 2', 'Hall', 'HALL'\. Check the name\.$/,
		],
		['areaOption', 'Loft', 21],
		['areaOption', 'Loft / 1', 21],
		['areaOption', 'Loft / 2', /^was not found: 'Loft' has only one option$/],
		['areaOption', 'Den / 3', /^was not found: 'Den' has only 2 options$/],
		[
			'areaOption',
			'Den',
			/^is ambiguous: 'Den' has 2 options\. Add the option number, as in 'Den \/ 1'\.$/,
		],
		['areaOption', 'Den/1', /the proposal has no area 'Den\/1'/],
		['areaOption', 'Den /1', /the proposal has no area 'Den \/1'/],
		['area', 'Hall', 41],
		['area', 'HALL', 42],
		['area', 'hall', /^is ambiguous: the proposal has 2 areas 'Hall'\. Choose one from the list/],
		// An area may be called like the place of an option.
		['areaOption', 'Den / 2', 31],
		['areaOption', 'Den / 12', /the proposal has no area 'Den \/ 12'/],
		['areaOption', 'Attic / 1', /the proposal has no area 'Attic \/ 1'/],
	])(
		'is found by its name, or an option by that and its place: %s %j',
		async (kind, text, expected) => {
			const { found } = await find(kind, text);
			if (typeof expected === 'number') expect(found).toBe(expected);
			else expect(found).toMatch(expected as RegExp);
		},
	);

	it.each([
		[[], 'It has none. Check the name.'],
		[
			Array.from({ length: 12 }, (_, id) => area(id, `Room ${id}`, id)),
			/It has ('Room \d', ){9}'Room 9'\. Check/,
		],
	])('that is missing is named with up to ten that are there', async (has, message) => {
		expect((await find('area', 'Attic', { has })).found).toMatch(message);
	});

	it('is created where that is wanted, and read where the response does not show it', async () => {
		const attic = area(9, 'Attic', 91);
		const created = { id: 42, number: 1042, areas: [...areas, attic] };
		const POST = 'POST /public/proposals/42/area Name=Attic';
		const GET = 'GET /public/proposals/42';
		const creates = { creates: true, canCreate: true };
		expect(await find('areaOption', ' Attic ', { ...creates, responses: [created] })).toEqual({
			found: 91,
			asked: [GET, POST],
		});
		for (const response of ['', { id: 42 }, [attic]]) {
			const responses = [response, created];
			expect(await find('areaOption', 'Attic', { ...creates, responses })).toEqual({
				found: 91,
				asked: [GET, POST, GET],
			});
		}
		const without = await find('areaOption', 'Attic', {
			...creates,
			responses: [{ id: 42, number: 1042, areas }],
		});
		expect(without.found).toMatch(/^could not be created/);
		const advice = "Check the name, or turn on 'Create Missing Area'.";
		expect((await find('areaOption', 'Attic', { canCreate: true })).found).toContain(advice);
	});
});

describe('a record that is not found', () => {
	const proposal = {
		...{ id: 42, number: 1021 },
		areas: [
			{ id: 1, options: [{ id: 11, items: [{ id: 101 }, { id: 102 }] }, { id: 12 }] },
			{ id: 2 },
		],
	};
	const explain = async (
		name: string,
		values: object,
		response: unknown = proposal,
		status = '404',
	) => {
		const { session } = sessionWith(() => response);
		const [resource, operation] = name.split('.') as [string, string];
		const words = { responseStatus: { message: 'Item not found' } };
		const error = toNodeError(node, { status, code: '', headers: {}, data: words });
		const { description } = error;
		const given = { proposalId: 42, ...values } as never;
		const answered = { session, operation: findOperation(resource, operation)!, itemIndex: 0 };
		const said = await explainNotFound(error, { ...answered, given, values: given });
		const [first, ...others] = (said as typeof error).description!.split('\n');
		if (others.join('\n') === description) return first;
		expect((said as typeof error).description).toBe(description);
		return undefined;
	};

	it.each<[string, object, string | undefined]>([
		['item.setSupplier', { itemId: 103 }, "'Item' does not belong to this proposal: 103."],
		['item.setSupplier', { itemId: 102 }, undefined],
		[
			'item.move',
			{ itemIds: [101, 999], areaOptionId: 12 },
			"'Item Names or IDs' does not belong to this proposal: 999.",
		],
		[
			'item.move',
			{ itemIds: [101, 102], areaOptionId: 13 },
			"'Area Option' does not belong to this proposal: 13.",
		],
		[
			'item.copy',
			{ itemIds: [101], areaOptionIds: [11, 14] },
			"'Area Option Names or IDs' does not belong to this proposal: 14.",
		],
		['item.copy', { itemIds: [101], areaOptionIds: [11, 12] }, undefined],
		['areaOption.create', { areaId: 3 }, "'Area' does not belong to this proposal: 3."],
		['areaOption.create', { areaId: 2 }, undefined],
	])('is named where it is of another proposal: %s %j', async (name, values, message) => {
		const said = await explain(name, values);
		if (message === undefined) expect(said).toBeUndefined();
		else expect(said).toBe(`${message} Choose it again.`);
	});

	it('is a number of a proposal in the place of its ID', async () => {
		const found = { proposals: [{ id: 7, number: 42 }], proposalCount: 1 };
		const said = "42 is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.";
		expect(await explain('proposal.get', {}, found)).toBe(said);
		expect(await explain('proposal.get', {}, { proposals: [], proposalCount: 0 })).toBeUndefined();
		expect(await explain('proposal.get', {}, found, '409')).toBeUndefined();
	});
});

describe('what an input gives by its name', () => {
	const add = findOperation('item', 'add')!;
	const referencesTo = (response: unknown) => {
		const { session, context } = playedSession(() => response);
		return new References(context, session);
	};

	it.each([
		[{}, /It has none\. Check the name\.$/],
		[{ createMissingArea: undefined }, "Check the name, or turn on 'Create Missing Area'."],
	])(
		'is said to be missing under the label of its field, with options %j',
		async (options, said) => {
			const areaOptionId = new Reference('areaOption', 'Attic', 'Area Option');
			const values = { proposalId: 42, areaOptionId, options } as never;
			const looking = referencesTo({ id: 42, number: 1042, areas: [] }).lookUpAreas(add, values, 0);
			await expect(looking).rejects.toThrow(/^'Area Option' was not found/);
			await expect(looking).rejects.toThrow(said);
		},
	);

	it('is looked up by its kind, and once for all inputs; areas wait for the inputs before', async () => {
		const { session, asked } = sessionWith(() => ({
			...{ proposals: [{ id: 7, number: 42 }], proposalCount: 1 },
			...{ items: [{ id: 5, model: '42' }], totalItemCount: 1 },
		}));
		const references = new References({} as never, session);
		const areaOptionId = new Reference('areaOption', 'Den', 'Area Option');
		const areaId = new Reference('area', 'Den', 'Area');
		const values = () => ({
			proposalId: new Reference('proposal', '42', 'Proposal'),
			items: [{ itemId: new Reference('catalogItem', '42', 'Catalog Item', 'Part'), areaId }],
			areaOptionId,
		});
		const lookUp = async () => await references.lookUp(add, values() as never, 0);
		const found = { proposalId: 7, items: [{ itemId: 5, areaId }], areaOptionId };
		expect(await Promise.all([lookUp(), lookUp()])).toEqual([found, found]);
		expect(asked.toSorted()).toEqual(['GET /public/catalog', 'GET /public/proposals']);
	});

	it('is created, as an area, only where that is wanted', async () => {
		const has = (...names: string[]) => ({
			...{ id: 42, number: 1042 },
			areas: names.map((name) => ({ id: 1, name, options: [{ id: 11 }] })),
		});
		const look = async (createMissingArea: boolean) => {
			const responses = [has(), has('Den')];
			const { session } = sessionWith(() => responses.shift());
			const areaOptionId = new Reference('areaOption', 'Den', 'Area Option');
			const values = { proposalId: 42, areaOptionId, options: { createMissingArea } };
			return await new References({} as never, session).lookUpAreas(add, values as never, 0);
		};
		expect(await look(true)).toMatchObject({ areaOptionId: 11 });
		await expect(look(false)).rejects.toThrow(/was not found/);
	});

	it('is an error of its list where several have none, and of the request where that fails', async () => {
		const copy = findOperation('item', 'copy')!;
		const look = async (response: unknown) => {
			const areaOptionIds = ['A', 'B'].map((name) => new Reference('areaOption', name, 'Row'));
			const values = { proposalId: 42, areaOptionIds } as never;
			return await referencesTo(response).lookUpAreas(copy, values, 0);
		};
		await expect(look({ id: 42, number: 1042, areas: [] })).rejects.toThrow(
			"'Area Option Names or IDs' has 2 entries",
		);
		await expect(look(new Refusal(403, 'Not yours'))).rejects.toMatchObject({ httpCode: '403' });
	});

	it('is no ID of a record that has none, and not taken for one where the search fails', async () => {
		const values = { proposalId: new Reference('proposal', '1021', 'Proposal') } as never;
		const withoutId = { proposals: [{ number: 1021 }], proposalCount: 1 };
		const look = async (response: unknown) => await referencesTo(response).lookUp(add, values, 0);
		await expect(look(withoutId)).rejects.toThrow(/^'Proposal' /);
		await expect(look(new Refusal(403, 'Not yours'))).rejects.toMatchObject({ httpCode: '403' });
	});
});

/** What n8n calls a list of the editor with: every field above it holds 7. */
const contextOf = (response: object) =>
	playedSession(() => response, { getCurrentNodeParameter: () => 7, getTimezone: () => 'UTC' })
		.context;

it.each([
	['contacts', accountRecords.searchContacts, { peopleCount: 0 }],
	['users', accountRecords.searchSalespeople, { usersCount: 0 }],
	['locations', accountRecords.searchContactLocations, { locationCount: 0 }],
])('offers nothing of an account without %s', async (_, search, response) => {
	expect(await search.call(contextOf(response))).toMatchObject({ results: [] });
});

it.each([
	['people', accountRecords.searchContacts],
	['proposals', accountRecords.searchProposals],
	['users', accountRecords.searchSalespeople],
	['subscriptions', accountRecords.searchSubscriptions],
	['contactLocations', accountRecords.searchContactLocations],
	['suppliers', proposalContents.searchSuppliers],
	['changeOrders', proposalContents.searchChangeOrders],
	['items', proposalContents.searchContent],
])('offers what is in %s, whatever other list a response has', async (name, search) => {
	const response = { [name]: [{ id: 1 }], others: [] };
	expect((await search.call(contextOf(response))).results).toHaveLength(1);
});

it('says in the list which subscriptions are disabled', async () => {
	const one = { subscriptionId: 1, url: 'https://x', events: ['a'] };
	const subscriptions = [
		{ ...one, enabled: true },
		{ ...one, enabled: false },
	];
	const { results } = await accountRecords.searchSubscriptions.call(contextOf({ subscriptions }));
	expect(results.map(({ name }) => name)).toEqual(['a – https://x', 'a – https://x – disabled']);
});

it('keeps of an error that several inputs share what it says, for each of them', () => {
	const context = { getNode: () => node } as never;
	const error = toNodeError(node, {
		status: '402',
		code: '',
		headers: {},
		data: { message: 'Over' },
	});
	expect(errorForItem(context, 3, error)).toMatchObject({
		...{ message: error.message, description: error.description, httpCode: '402' },
		context: { itemIndex: 3 },
	});
	const plain = errorForItem(context, 3, new Error('Broken')) as unknown as IDataObject;
	expect(plain).toMatchObject({ message: 'Broken' });
	expect(plain.description ?? '').toBe('');
	expect(plain.httpCode ?? '').toBe('');
});
