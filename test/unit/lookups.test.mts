/** What the node finds by models, names and numbers, in a service that is played by a function. */
import { describe, expect, it, vi } from 'vitest';
import { explainFailure } from '../../client/explain.ts';
import { explainWithProposal, recordsOf } from '../../nodes/PortalIo/run/records.ts';
import type { MissingArea } from '../../nodes/PortalIo/fields/field.ts';
import { listSearch as accountRecords } from '../../nodes/PortalIo/editor/lists.ts';
import { playedSession, Refusal } from './playedSession.mts';

function sessionWith(respond: (query: URLSearchParams) => unknown) {
	const asked: string[] = [];
	const { session } = playedSession(({ method, url, body }) => {
		const { pathname, searchParams } = new URL(url, 'https://service.example.com');
		asked.push([method, pathname, body].filter(Boolean).join(' '));
		return respond(searchParams);
	});
	return { session, asked };
}

const find = async (text: string, items: object[], itemType = 'Part') => {
	const searched: unknown[] = [];
	const { session } = sessionWith((query) => {
		if (query.get('PageNumber') === '1') searched.push(query.get('SearchText'));
		const start = 100 * (Number(query.get('PageNumber')) - 1);
		return { items: items.slice(start, start + 100), totalItemCount: items.length };
	});
	return { found: await recordsOf(session).catalogItem(text, itemType), searched };
};
const others = (count: number) =>
	Array.from({ length: count }, (_, id) => ({ id: id + 1, model: `Mount for X5 ${id}` }));

it.each([
	['CV6C', ['CV6C', 'CV 6 C']],
	['Corvane:CV-6C', ['Corvane CV-6C', 'Corvane CV 6 C']],
	['Corvane', ['Corvane']],
])('looks for a model as written, and with letters and numbers apart: %s', async (text, texts) => {
	const { found, searched } = await find(text, []);
	expect(searched).toEqual(texts);
	expect(found).toMatch(`no part has the model '${text}'`);
	expect((await find(text, [], 'Labor')).found).toMatch('no labor item has the model');
});

it.each([
	['AB-1', ['ab-1', ' AB-1 '], 2],
	// Variants from other programs: a minus sign, an invisible space, wide letters.
	['CV\u22126C', ['CV-7C', 'CV-6C'], 2],
	['C\u200bV-6C\ufeff', ['CV-7C', 'CV-6C'], 2],
	['\uff23\uff36\uff0d6C', ['CV-7C', 'CV-6C'], 2],
	['Acme® CV-6C', ['CV-7C', 'CV-6C'], 2],
	['ml-8-rlc', ['XX-9', 'ML 8RLC'], 2],
	[' AB-1 ', ['AB-1'], 1],
	['Acme > AB 1', ['AB-2', 'AB-1'], 2],
	['ab 1', ['AB>1', 'AB-1'], 2],
])('finds a model by the most exact match: %j in %j', async (text, models, id) => {
	const items = models.map((model, index) => ({ id: index + 1, brand: 'Acme', model }));
	expect((await find(text, items)).found).toBe(id);
});

it.each([
	['X5', [{ id: 901, model: 'X-5' }, ...others(130), { id: 905, model: 'X5' }]],
	['x 5', [{ id: 901, model: 'X-5' }, ...others(130), { id: 905, model: 'X 5' }]],
	['X5', [...others(499), { id: 905, model: 'X5' }]],
	['acme x5', [...others(20), { id: 905, brand: 'Acme', model: 'X5' }, ...others(2000)]],
	['32\u201d Mount', [{ id: 905, model: '32" Mount' }]],
])('finds a model behind similar ones: %j', async (text, items) =>
	expect((await find(text, items)).found).toBe(905),
);

const model = (id: number, model: string, brand = '') => ({ id, model, brand });
const twins = Array.from({ length: 7 }, (_, id) => model(id, 'Twin-1', `Brand ${id}`));
const firstTwins = [0, 1, 2, 3, 4].map((id) => `Brand ${id} Twin-1 (ID ${id})`).join(', ');
const nameless = [model(1, ''), { id: 2 }, model(3, 'X')];
const DISCONTINUED = 'or it is discontinued. Similar ones:';

it.each([
	['-', nameless, `'-', ${DISCONTINUED}  (ID 1),  (ID 2), X (ID 3).`],
	['X5', [{ model: 'X5' }], 'was found, but Portal.io did not return its ID'],
	['ML-8', [model(1, 'XX-9')], 'Similar ones: XX-9 (ID 1). Enter'],
	[' X5 ', [{ id: 1, name: 'Lamp' }], `no part has exactly the model 'X5', ${DISCONTINUED} Lamp`],
	['ab 1', [model(1, 'AB-1'), model(2, 'AB1')], 'matches 2 catalog items: AB-1 (ID 1), AB1 (ID'],
	['twin 1', twins, `matches 7 catalog items: ${firstTwins}. Add the brand before the model, or`],
	[
		'X5',
		[model(905, 'X5'), ...others(500)],
		"matches more than 500 items: a search for 'X5' finds",
	],
	[
		'Acme X5',
		[model(901, 'X-5', 'Acme'), ...others(2000)],
		"a search for 'Acme X5' finds too many",
	],
])('reports a model with no match or too many: %j', async (text, items, message) => {
	expect((await find(text, items)).found).toContain(message);
});

it.each([
	['CV6C', expect.stringContaining('matches more than 500 items')],
	['Corvane CV6C', 905],
])(
	'after a search that finds too much, accepts a part only with its brand: %s',
	async (text, id) => {
		// The first page counts too few.
		const tooMuch = { items: others(100), totalItemCount: 450 };
		const { session } = sessionWith((query) => {
			if (query.get('SearchText')!.includes('6 C')) {
				return { items: [{ id: 905, brand: 'Corvane', model: 'CV6C' }], totalItemCount: 1 };
			}
			const first = 100 * Number(query.get('PageNumber'));
			return { ...tooMuch, items: tooMuch.items.map((item) => ({ ...item, id: first + item.id })) };
		});
		expect(await recordsOf(session).catalogItem(text, 'Part')).toEqual(id);
	},
);

describe('an area', () => {
	const area = (id: number, name: string, ...optionIds: number[]) => ({
		...{ id, name, options: optionIds.map((one) => ({ id: one })) },
	});
	const areas = [
		...[area(1, 'Den', 11, 12), area(2, 'Loft', 21), area(3, 'Den / 2', 31)],
		...[area(41, 'Hall'), area(42, 'HALL')],
	];
	const proposalWith = (all: object[]) => ({ id: 42, number: 1042, areas: all });
	type Missing = MissingArea | 'area' | 'option';
	const find = async (text: string, missing: Missing, ...responses: unknown[]) => {
		const { session, asked } = sessionWith(() => responses.shift());
		const { area, areaOption } = recordsOf(session);
		const option = missing === 'option' ? undefined : missing;
		const finding = option === 'area' ? area(42, text) : areaOption(42, text, option);
		return { found: await finding, asked };
	};
	const has = "It has 'Den', 'Loft', 'Den / 2', 'Hall', 'HALL'. Check the name.";
	const none = (name: string) => `was not found: the proposal has no area '${name}'. ${has}`;

	it.each<['area' | 'option', string, unknown]>([
		['area', ' loft ', 2],
		['area', 'Loft / 1', none('Loft / 1')],
		['option', 'Loft', 21],
		['option', 'Loft / 1', 21],
		['option', 'Loft / 2', "was not found: 'Loft' has only one option"],
		['option', 'Den / 3', "was not found: 'Den' has only 2 options"],
		['option', 'Den', "'Den' has 2 options. Add the option number, as in 'Den / 1'."],
		['option', 'Den/1', none('Den/1')],
		['option', 'Den /1', none('Den /1')],
		['area', 'Hall', 41],
		['area', 'HALL ', 42],
		['area', 'hall', "is ambiguous: the proposal has 2 areas 'Hall'. Choose one from the list"],
		['option', 'hall', "is ambiguous: the proposal has 2 areas 'Hall'. Choose one from the list"],
		// An area may be called like the place of an option.
		['option', 'Den / 2', 31],
		['option', 'Den / 12', none('Den / 12')],
		['option', 'Attic / 1', none('Attic / 1')],
	])('finds an area by name, and an option by name and number: %s %j', async (kind, text, id) => {
		const { found } = await find(text, kind, proposalWith(areas));
		if (typeof id === 'number') expect(found).toBe(id);
		else expect(found).toContain(id);
	});

	it('names up to ten areas in the error of a missing one', async () => {
		const missing = async (all: object[]) => await find('Attic', 'area', proposalWith(all));
		expect((await missing([])).found).toContain('It has none. Check the name.');
		const rooms = Array.from({ length: 12 }, (_, id) => area(id, `Room ${id}`, id));
		expect((await missing(rooms)).found).toMatch(/It has ('Room \d', ){9}'Room 9'\. Check/);
	});

	it('reads the proposal again before it creates an area, in case another execution did', async () => {
		const [before, after] = [areas, [...areas, area(9, 'Attic', 91)]].map(proposalWith);
		const responses = [before, after];
		const { session, asked } = sessionWith(() => responses.shift());
		const { areaOption } = recordsOf(session);
		expect(await areaOption(42, 'Loft', 'create')).toBe(21);
		expect(await areaOption(42, 'Attic', 'create')).toBe(91);
		expect(asked).toEqual(Array(2).fill('GET /public/proposals/42'));
	});

	it('finds an area that it created by the sent name, also after it has read the proposal again', async () => {
		const [stored, garage] = [area(9, 'The attic', 91), area(8, 'Garage', 81)];
		const first = proposalWith([...areas, stored]);
		const both = proposalWith([...areas, stored, garage]);
		const responses = [proposalWith(areas), first, first, both];
		const { session, asked } = sessionWith(() => responses.shift());
		const { areaOption } = recordsOf(session);
		const names = ['Attic', 'Garage', 'Attic', 'Garage'];
		const found: unknown[] = [];
		for (const name of names) found.push(await areaOption(42, name, 'create'));
		expect(found).toEqual([91, 81, 91, 81]);
		expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(2);
	});

	it('creates an area if requested, and reads it if the response does not show it', async () => {
		const attic = area(9, 'Attic', 91);
		const [before, created] = [proposalWith(areas), proposalWith([...areas, attic])];
		const POST = 'POST /public/proposals/42/area Name=Attic';
		const GET = 'GET /public/proposals/42';
		const shown = await find(' Attic ', 'create', before, created);
		expect(shown).toEqual({ found: 91, asked: [GET, POST] });
		for (const response of [
			'',
			{ id: 42 },
			{ id: 42, number: 1042 },
			{ ...created, id: 43 },
			[attic],
		]) {
			const read = await find('Attic', 'create', before, response, created);
			expect(read).toEqual({ found: 91, asked: [GET, POST, GET] });
		}
		// Portal.io may store the name in another form.
		expect(await find('The Attic', 'create', before, created)).toMatchObject({ found: 91 });
		// Another user may add an area at the same moment.
		const two = proposalWith([...areas, area(8, 'Garage', 81), attic]);
		expect(await find('attic', 'create', before, two)).toMatchObject({ found: 91 });
		const advice = "Check the name, or turn on 'Create Missing Area'.";
		expect((await find('Attic', 'couldCreate', before)).found).toContain(advice);
	});
});

it('creates no area if one of the two readings of its name matches', async () => {
	const areas = [
		{ id: 1, name: 'Den', options: [{ id: 11 }, { id: 12 }] },
		{ id: 2, name: 'Loft', options: [{ id: 21 }] },
		{ id: 3, name: 'Hall / 2', options: [{ id: 31 }] },
	];
	const { session, asked } = sessionWith(() => ({ id: 42, number: 1042, areas }));
	const { areaOption } = recordsOf(session);
	const find = async (text: string) => await areaOption(42, text, 'create');
	expect(await find('den / 2')).toBe(12);
	expect(await find('Loft / 1')).toBe(21);
	expect(await find('Hall / 2')).toBe(31);
	expect(await find('Den / 3')).toBe("was not found: 'Den' has only 2 options");
	expect(await find('Loft / 2')).toBe("was not found: 'Loft' has only one option");
	expect(await find('Den')).toContain("Add the option number, as in 'Den / 1'.");
	expect(asked).toEqual(['GET /public/proposals/42']);
	// Nothing is created for this response, which shows no new area.
	for (const text of ['Attic / 2', 'Den/2']) {
		await expect(find(text)).rejects.toThrow(
			'Portal.io accepted the request, but the proposal has no new area',
		);
		expect(asked.at(-1)).toBe(`POST /public/proposals/42/area Name=${encodeURIComponent(text)}`);
	}
});

it('returns neither of two new areas with the same name', async () => {
	const areas = [1, 2].map((id) => ({ id, name: 'Den', options: [{ id: 10 + id }] }));
	const responses = [{ areas: [] }, { areas }];
	const { session } = sessionWith(() => ({ id: 42, number: 1042, ...responses.shift() }));
	await expect(recordsOf(session).areaOption(42, 'Den', 'create')).rejects.toMatchObject({
		message:
			'Portal.io accepted the request, but others added an area at the same moment, so it is unknown which one is new',
		description: 'Open the proposal in Portal.io before you run the step again.',
	});
});

it('finds an area again under the name that it was created with', async () => {
	const [before, after] = [[], [{ id: 9, name: 'ATTIC RM', options: [{ id: 91 }] }]];
	const responses = [before, after];
	const { session, asked } = sessionWith(() => ({
		id: 42,
		number: 1042,
		areas: responses.shift(),
	}));
	const { areaOption } = recordsOf(session);
	for (let time = 0; time < 2; time++) {
		expect(await areaOption(42, 'Attic Room', 'create')).toBe(91);
	}
	expect(asked).toHaveLength(2);
});

const explain = async (
	respond: (path: string) => unknown,
	status = '404',
	values = { proposalId: 42 } as object,
	idFields = ['proposalId', 'itemId'],
) => {
	const { session } = playedSession(({ url }) => respond(url));
	const words = { responseStatus: { message: 'Item not found' } };
	const about = { idFields, isRead: false };
	const error = explainFailure({ status, data: words });
	const explained = await explainWithProposal(error, session, about, values as never);
	const { message, advice } = explained as typeof error;
	const added = advice.filter((line) => !error.advice.includes(line));
	return [message === error.message ? '' : message, ...added].join('');
};

it('says that the ID is the number of a proposal', async () => {
	const listed = { proposals: [{ id: 7, number: 42 }], proposalCount: 1 };
	const without = { proposals: [], proposalCount: 0 };
	const gone = (list: object) => (url: string) =>
		url.includes('/42') ? new Refusal(404, 'Not found') : list;
	const said = "42 is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.";
	expect(await explain(gone(listed))).toBe(said);
	expect(await explain(gone(without))).toBe('');
	expect(await explain(() => ({ id: 42, number: 1, status: 'Accepted', ...listed }))).toBe('');
	const failing = (url: string) => (url.includes('/42') ? new Refusal(500) : listed);
	expect(await explain(failing)).toBe('');
	const refused = (url: string) => new Refusal(url.includes('/42') ? 404 : 500, 'Not found');
	expect(await explain(refused)).toBe('');
	const service = vi.fn();
	expect(await explain(service, '404', { contactId: 42 })).toBe('');
	expect(service).not.toHaveBeenCalled();
	service.mockReturnValue(without);
	expect(await explain(service, '404', { proposalId: 42 }, ['proposalId'])).toBe('');
	expect(service).toHaveBeenCalledWith(expect.stringContaining('?SearchText=42'));
});

it.each([
	['Accepted', "Proposal 1012 is accepted, so it can't be changed"],
	['Completed', "Proposal 1012 is completed, so it can't be changed"],
	['Declined', "Proposal 1012 is declined, so it can't be changed"],
	['Draft', ''],
])('says which proposal cannot be changed, and why: %s', async (status, message) => {
	expect(await explain(() => ({ id: 42, number: 1012, status }), '409')).toBe(message);
	expect(await explain(() => new Refusal(500), '409')).toBe('');
});

it('looks up each record once for all inputs, by its kind, type and spelling', async () => {
	const models = ['ML-8', 'ML8'].map((text, index) => ({ id: 5 + index, model: text }));
	const { session, asked } = sessionWith(() => ({
		...{ proposals: [{ id: 7, number: 42 }], proposalCount: 1 },
		...{ items: models, totalItemCount: 2 },
	}));
	const { proposal, catalogItem } = recordsOf(session);
	const ofType = (type: string) => models.map(async (one) => await catalogItem(one.model, type));
	const find = async () =>
		await Promise.all([proposal('42'), ...ofType('Part'), ...ofType('Labor')]);
	const ids = [7, 5, 6, 5, 6];
	expect(await Promise.all([find(), find()])).toEqual([ids, ids]);
	expect(asked.toSorted()).toEqual([
		...Array(4).fill('GET /public/catalog'),
		'GET /public/proposals',
	]);
});

it('does not report a record as missing when the search fails', async () => {
	const { session } = playedSession(() => new Refusal(403, 'Not yours'));
	const records = recordsOf(session);
	const refused = { facts: { status: '403' } };
	await expect(records.proposal('1021')).rejects.toMatchObject(refused);
	await expect(records.area(42, 'Den')).rejects.toMatchObject(refused);
});

it('finds a salesperson among the users, regardless of other lists in the response', async () => {
	const find = async (response: object) =>
		await recordsOf(playedSession(() => response).session).salesperson('a@b.c');
	expect(await find({ users: [{ id: 5, email: 'A@b.c' }], others: [] })).toBe(5);
	expect(await find({ usersCount: 0 })).toContain('no active user has the email a@b.c');
});

/** What n8n calls a list of the editor with: every field above it holds 7. */
const contextOf = (response: object) =>
	playedSession(() => response, { getCurrentNodeParameter: () => 7, getTimezone: () => 'UTC' })
		.context;

it.each([
	['contacts', accountRecords.searchContacts, { peopleCount: 0 }],
	['users', accountRecords.searchSalespeople, { usersCount: 0 }],
	['locations', accountRecords.searchContactLocations, { locationCount: 0 }],
	['contacts on a page', accountRecords.searchContacts, { people: [], peopleCount: 1000 }],
])('lists nothing for an account without %s', async (_, search, response) => {
	expect(await search.call(contextOf(response))).toEqual({ results: [] });
});

it('searches a list for all words, also for a single character', async () => {
	const search = vi.fn((_url: string) => ({ people: [], peopleCount: 0, items: [] }));
	const { context } = playedSession(({ url }) => search(url), { getCurrentNodeParameter: vi.fn() });
	await accountRecords.searchCatalog.call(context, 'Sonos "Amp" 2');
	await accountRecords.searchContacts.call(context, '(7)');
	expect(search.mock.calls.join(' ')).toMatch(/SearchText=Sonos%20Amp%202&.*SearchText=7&/);
});

it.each([
	['people', accountRecords.searchContacts],
	['proposals', accountRecords.searchProposals],
	['users', accountRecords.searchSalespeople],
	['subscriptions', accountRecords.searchSubscriptions],
	['contactLocations', accountRecords.searchContactLocations],
	['suppliers', accountRecords.searchSuppliers],
	['changeOrders', accountRecords.searchChangeOrders],
	['items', accountRecords.searchContent],
])('lists what is in %s, regardless of other lists in the response', async (name, search) => {
	const response = { [name]: [{ id: 1 }], others: [] };
	expect((await search.call(contextOf(response))).results).toHaveLength(1);
});

it('says in the list which subscriptions are disabled', async () => {
	const one = { subscriptionId: 1, url: 'https://x', events: ['a'] };
	const subscriptions = [true, false].map((enabled) => ({ ...one, enabled }));
	const { results } = await accountRecords.searchSubscriptions.call(contextOf({ subscriptions }));
	expect(results.map(({ name }) => name)).toEqual(['a – https://x', 'a – https://x – disabled']);
});
