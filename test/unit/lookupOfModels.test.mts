/** Tests finding catalog items by their model. */
import { expect, it } from 'vitest';
import type { Session } from '../../client/session.ts';
import { RecordReference } from '../../nodes/PortalIo/fields/field.ts';
import { createLookups } from '../../nodes/PortalIo/lookup/lookups.ts';
import { recordingSession } from './playedSession.mts';

/** Returns the ID that the lookup finds, or the message of its error. */
const lookUp = async (session: Session, text: string, itemType = 'Part') =>
	await createLookups(session)(new RecordReference('catalogItem', text, 'Catalog Item'), {
		itemType,
	}).catch(({ message }: Error) => message);

/**
 * Searches for a model in a catalog that returns `items` for any search. Returns the ID, or the message of the error.
 */
async function findModel(text: string, items: object[], itemType = 'Part') {
	const searchTexts: unknown[] = [];
	const { session } = recordingSession((query) => {
		if (query.get('PageNumber') === '1') searchTexts.push(query.get('SearchText'));
		const start = 100 * (Number(query.get('PageNumber')) - 1);
		return { items: items.slice(start, start + 100), totalItemCount: items.length };
	});
	return { result: await lookUp(session, text, itemType), searchTexts };
}

const item = (id: number, model: string, brand = '') => ({ id, model, brand });
const similarItems = (count: number) =>
	Array.from({ length: count }, (_, index) => item(index + 1, `Mount for X5 ${index}`));

it.each([
	['CV6C', ['CV6C', 'CV 6 C']],
	['Corvane:CV-6C', ['Corvane CV-6C', 'Corvane CV 6 C']],
	['Corvane', ['Corvane']],
])(
	'searches for %s as written, then with letters and numbers separated',
	async (text, searchTexts) => {
		expect((await findModel(text, [])).searchTexts).toEqual(searchTexts);
	},
);

it.each([
	['Part', 'no part has the model'],
	['Labor', 'no labor item has the name'],
	['CustomItem', 'no custom item has the model or name'],
])('reports that no item of the type %s has the model', async (itemType, message) => {
	const { result } = await findModel('CV6C', [], itemType);
	expect(result).toMatch(`${message} 'CV6C'`);
});

it.each([
	['AB-1', ['ab-1', ' AB-1 '], 2],
	// Variants from other programs: a minus sign, an invisible space, and wide letters.
	['CV\u22126C', ['CV-7C', 'CV-6C'], 2],
	['C\u200bV-6C\ufeff', ['CV-7C', 'CV-6C'], 2],
	['\uff23\uff36\uff0d6C', ['CV-7C', 'CV-6C'], 2],
	['Acme® CV-6C', ['CV-7C', 'CV-6C'], 2],
	['ml-8-rlc', ['XX-9', 'ML 8RLC'], 2],
	[' AB-1 ', ['AB-1'], 1],
	['Acme > AB 1', ['AB-2', 'AB-1'], 2],
	['ab 1', ['AB>1', 'AB-1'], 2],
])('finds the model %j by the most exact match in %j', async (text, models, id) => {
	const items = models.map((model, index) => item(index + 1, model, 'Acme'));
	expect((await findModel(text, items)).result).toBe(id);
});

it('finds labor and custom items that have no model by their name', async () => {
	const labors = ['Installation', 'Project management'].map((name, index) => ({
		id: index + 1,
		name,
	}));
	expect((await findModel('installation', labors, 'Labor')).result).toBe(1);
	expect((await findModel('Project Management', labors, 'CustomItem')).result).toBe(2);
	expect((await findModel('Install', labors, 'Labor')).result).toContain(
		"no labor item has exactly the name 'Install', or it is discontinued. Similar items: Installation (ID 1), Project management (ID 2). Enter the name or the ID of one of them.",
	);
});

it.each([
	['X5', [item(901, 'X-5'), ...similarItems(130), item(905, 'X5')]],
	['x 5', [item(901, 'X-5'), ...similarItems(130), item(905, 'X 5')]],
	['X5', [...similarItems(499), item(905, 'X5')]],
	['acme x5', [...similarItems(20), item(905, 'X5', 'Acme'), ...similarItems(2000)]],
	['32\u201d Mount', [item(905, '32" Mount')]],
])('finds the model %j among similar ones', async (text, items) => {
	expect((await findModel(text, items)).result).toBe(905);
});

const twins = Array.from({ length: 7 }, (_, id) => item(id, 'Twin-1', `Brand ${id}`));
const firstTwins = [0, 1, 2, 3, 4].map((id) => `Brand ${id} Twin-1 (ID ${id})`).join(', ');
const nameless = [item(1, ''), { id: 2 }, item(3, 'X')];
const DISCONTINUED = 'or it is discontinued. Similar items:';

it.each([
	['-', nameless, `'-', ${DISCONTINUED}  (ID 1),  (ID 2), X (ID 3).`],
	['X5', [{ model: 'X5' }], 'was found, but Portal.io did not return its ID'],
	['ML-8', [item(1, 'XX-9')], 'Similar items: XX-9 (ID 1). Enter'],
	['X5', [{ id: 1, name: 'Lamp' }], `no part has exactly the model 'X5', ${DISCONTINUED} Lamp`],
	['ab 1', [item(1, 'AB-1'), item(2, 'AB1')], 'matches 2 catalog items: AB-1 (ID 1), AB1 (ID'],
	['twin 1', twins, `matches 7 catalog items: ${firstTwins}. Add the brand before the model, or`],
	[
		'X5',
		[item(905, 'X5'), ...similarItems(500)],
		"is too general: a search for 'X5' finds more than 500 items.",
	],
	[
		'Acme X5',
		[item(901, 'X-5', 'Acme'), ...similarItems(2000)],
		"a search for 'Acme X5' finds more than 500 items.",
	],
])('explains why the model %j does not identify a catalog item', async (text, items, message) => {
	expect((await findModel(text, items)).result).toContain(message);
});

it.each([
	['CV6C', expect.stringContaining('finds more than 500 items')],
	['Corvane CV6C', 905],
])('requires the brand with a model if a search has too many results: %s', async (text, result) => {
	// Report a count that is too low, and return full pages even past it.
	const tooMany = { items: similarItems(100), totalItemCount: 450 };
	const { session } = recordingSession((query) => {
		if (query.get('SearchText')!.includes('6 C')) {
			return { items: [item(905, 'CV6C', 'Corvane')], totalItemCount: 1 };
		}
		const first = 100 * Number(query.get('PageNumber'));
		const items = tooMany.items.map((one) => ({ ...one, id: first + one.id }));
		return { ...tooMany, items };
	});
	expect(await lookUp(session, text)).toEqual(result);
});
