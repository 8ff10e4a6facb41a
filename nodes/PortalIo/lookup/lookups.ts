/** Finds the records that the inputs of an execution name by a number, email, model or name. */
import type { IDataObject } from 'n8n-workflow';
import { isNotFound, PortalError, statusOf } from '../../../client/errors';
import { takeList } from '../../../client/guards';
import { contactList, proposalList, readList } from '../../../client/lists';
import { areasOf, itemsOf, readProposal, type Proposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { nameKey, plainText, toLabel } from '../../shared/text';
import type { Found, MissingArea, Records } from '../fields/field';
import { wholeNumber } from '../fields/values';
import type { AnyValues } from '../operation/operation';
import { addedRecord, areasNamed, newArea, proposalWithAreas } from '../resources/area';
import { catalogList } from '../resources/catalog';

/** Each record is looked up once. */
export function recordsOf(session: Session): Records {
	const once =
		<R, A extends unknown[]>(
			find: (session: Session, ...names: A) => Promise<R>,
			found = new Map<string, Promise<R>>(),
		) =>
		async (...names: A): Promise<R> => {
			const key = String(names);
			const finding = found.get(key) ?? find(session, ...names);
			found.set(key, finding);
			return await finding;
		};
	const knownAreas = new Map<string, Promise<KnownArea[]>>();
	/** The names of the areas that were created, as they were sent: Portal.io may store another form. */
	const sentNames = new Map<number, string>();
	const withSentName = (area: KnownArea): KnownArea => ({
		...area,
		name: sentNames.get(area.id) ?? area.name,
	});
	const areas = once(
		async (_, proposalId: number) => (await readAreas(session, proposalId)).map(withSentName),
		knownAreas,
	);
	return {
		proposal: once(findProposal),
		catalogItem: once(findCatalogItem),
		contact: once(findContact),
		salesperson: once(findSalesperson),
		item: once(findItem),
		area: async (id, name) => findArea(await areas(id), name),
		// Inputs that may create an area in the same proposal have to wait for each other.
		areaOption: async (id, name, missing) => {
			const wasRead = knownAreas.has(String(id));
			let before = await areas(id);
			let option = findOption(before, name, missing);
			if (option === undefined && wasRead) {
				// Another execution may have created the area since then.
				knownAreas.delete(String(id));
				before = await areas(id);
				option = findOption(before, name, missing);
			}
			if (option !== undefined) return option;
			// After a failure, the areas are read again.
			knownAreas.delete(String(id));
			const response = await session.send(newArea(id, name.trim()));
			const after = areasIn(await proposalWithAreas(session, id, response));
			const created = addedRecord('area', before, after, (added) => areasNamed(added, name));
			sentNames.set(created.id, name.trim());
			knownAreas.set(String(id), Promise.resolve(after.map(withSentName)));
			return idOf({ id: created.optionIds[0] });
		},
	};
}

/** Advice for a search of which not all matches could be read. */
const enterId = (text: string) => `The search for '${text}' finds too much. Enter the ID instead.`;

const idOf = ({ id }: { id?: unknown }): Found =>
	wholeNumber(id) ?? 'was found, but Portal.io did not return its ID';

/** @param none and `several` are the ends of a sentence about the field */
function onlyOne(found: Array<{ id?: unknown }>, none: string, several: string): Found {
	if (found.length === 1) return idOf(found[0]!);
	return found.length === 0 ? `was not found: ${none}` : several;
}

async function findProposal(session: Session, number: string): Promise<Found> {
	const current = await proposalsWith(session, number);
	// The archive, a list of its own, is searched only if no other proposal has the number.
	const found =
		current.length > 0 ? current : await proposalsWith(session, number, { IsArchive: true });
	return onlyOne(
		found,
		`no proposal has the number ${number}. Check the number, or choose the proposal from the list.`,
		`matches ${found.length} proposals with the number ${number}. Choose one from the list, or enter its ID.`,
	);
}

async function proposalsWith(session: Session, number: string, query = {}, limit = Infinity) {
	const list = proposalList({ SearchText: number, ...query });
	const { records } = await readList(session, list, { limit, advice: enterId(number) });
	return records.filter((proposal) => String(proposal.number) === number);
}

async function findContact(session: Session, email: string): Promise<Found> {
	const list = contactList({ SearchText: email });
	const { records } = await readList(session, list, { advice: enterId(email) });
	return withEmail(records, 'contactEmail', email, 'contact');
}

async function findSalesperson(session: Session, email: string): Promise<Found> {
	const request = { method: 'GET', path: '/public/users' } as const;
	const users = takeList(await session.send(request), 'users', 'usersCount');
	return withEmail(users, 'email', email, 'active user');
}

function withEmail(records: IDataObject[], field: string, email: string, what: string): Found {
	const found = records.filter((one) => nameKey(one[field]) === nameKey(email));
	return onlyOne(
		found,
		`no ${what} has the email ${email}. Check the email, or choose from the list.`,
		`is ambiguous: ${found.length} ${what}s have the email ${email}. Choose one from the list, or enter its ID.`,
	);
}

async function findItem(session: Session, proposalId: number, model: string): Promise<Found> {
	const found = withModel(itemsOf(await readProposal(session, proposalId)), model);
	const places = found.map(({ areaName, id }) => `'${areaName}' (ID ${id})`).join(', ');
	return onlyOne(
		found,
		`the proposal has no item with the model '${model}'. Check the model, or choose from the list.`,
		`is ambiguous: the proposal has ${found.length} items with the model '${model}': in ${places}. Choose one from the list, or enter its ID.`,
	);
}

/** An area, without its items: there may be many. */
interface KnownArea {
	id: number;
	name: string;
	optionIds: number[];
}

const readAreas = async (session: Session, proposalId: number) =>
	areasIn(await readProposal(session, proposalId));

const areasIn = (proposal: Proposal): KnownArea[] =>
	areasOf(proposal).map(({ id, name, options }) => ({
		id,
		name: String(name),
		optionIds: options.map((option) => option.id),
	}));

/** A name with the number of an option: `Living Room / 2`. `Apt 2/3` is a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;
const MAX_NAMED_AREAS = 10;

function findArea(areas: KnownArea[], name: string): Found {
	const area = onlyArea(areasNamed(areas, name)) ?? noArea(areas, name);
	return typeof area === 'string' ? area : area.id;
}

/**
 * Finds an option by the name of its area, with its number if the area has several. Undefined if the
 * proposal does not have the area, and it is to be created.
 */
function findOption(areas: KnownArea[], text: string, missing?: MissingArea): Found | undefined {
	const named = areasNamed(areas, text);
	const [, name = text, number] = WITH_OPTION.exec(plainText(text)) ?? [];
	// A name may end like the number of an option.
	const isNumbered = named.length === 0;
	const area = onlyArea(isNumbered ? areasNamed(areas, name) : named);
	if (area === undefined) {
		return missing === 'create' ? undefined : noArea(areas, text, missing);
	}
	if (typeof area === 'string') return area;
	const { optionIds } = area;
	const count = optionIds.length;
	if (isNumbered) {
		const has = count === 1 ? 'only one option' : `only ${count} options`;
		return optionIds[Number(number) - 1] ?? `was not found: '${area.name}' has ${has}`;
	}
	return count === 1
		? optionIds[0]!
		: `is ambiguous: '${area.name}' has ${count} options. Add the option number, as in '${area.name} / 1'.`;
}

/** Returns a reason if there are several, undefined if there is none. */
function onlyArea([area, ...others]: KnownArea[]): KnownArea | string | undefined {
	return others.length === 0
		? area
		: `is ambiguous: the proposal has ${others.length + 1} areas '${area!.name}'. ${CHOOSE}`;
}

const CHOOSE = 'Choose one from the list, or enter its ID.';

function noArea(areas: KnownArea[], name: string, missing?: MissingArea): string {
	const names = areas.slice(0, MAX_NAMED_AREAS).map((area) => `'${area.name}'`);
	const has = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
	const advice = missing === 'couldCreate' ? ", or turn on 'Create Missing Area'." : '.';
	return `was not found: the proposal has no area '${plainText(name)}'. ${has} Check the name${advice}`;
}

const MAX_RESULTS = 500;
const MAX_CANDIDATES = 5;

/**
 * Finds a catalog item by its model, with or without the brand. Models may differ in a hyphen only, so an
 * exact match comes first. A search may find millions of parts that are only similar: among its first
 * results, only the brand with the exact model identifies an item.
 */
async function findCatalogItem(session: Session, text: string, itemType: string): Promise<Found> {
	const model = text.trim();
	const what = itemType === 'Labor' ? 'labor item' : toLabel(itemType).toLowerCase();
	const similar: IDataObject[] = [];
	let isCut = false;
	for (const searchText of searchTexts(model)) {
		const list = catalogList({ searchText, itemType });
		const options = { limit: MAX_RESULTS + 1, advice: enterId(searchText) };
		const { records: results, total } = await readList(session, list, options);
		isCut ||= results.length > MAX_RESULTS || total > results.length;
		const same = withModel(results, model, isCut);
		if (same.length === 1) return idOf(same[0]!);
		if (same.length > 0) {
			return `matches ${same.length} catalog items: ${candidates(same)}. Add the brand before the model, or enter the ID.`;
		}
		similar.push(...results);
	}
	if (isCut) {
		return `matches more than ${MAX_RESULTS} items: a search for '${model}' finds too many. Add the brand before the model, or enter the ID.`;
	}
	return similar.length === 0
		? `was not found in the catalog: no ${what} has the model '${model}', or it is discontinued. Check the model, or enter the ID.`
		: `was not found in the catalog: no ${what} has exactly the model '${model}', or it is discontinued. Similar ones: ${candidates(similar)}. Enter the model or the ID of one of them.`;
}

const SEPARATORS = /[:›»>|]/g;

/** Also with letters and digits apart: a search finds `CV6C` in `CV-6C` only this way. */
function searchTexts(model: string): Set<string> {
	const text = plainText(plainText(model).replace(SEPARATORS, ' '));
	const apart = text.replace(/-/g, ' ').replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ');
	return new Set([text, plainText(apart)]);
}

/** Forms of a model for comparison, from exact to without case, spaces, hyphens and separators. */
const KEYS: Array<(text: string) => string> = [
	(text) => text.trim(),
	nameKey,
	(text) => nameKey(text).replace(/[\s-]/g, ''),
	(text) => nameKey(text).replace(/[\s-]/g, '').replace(SEPARATORS, ''),
];

/** Uses the most exact match. `isCut`: more results exist, so only the brand tells items apart. */
function withModel<T extends { brand?: unknown; model?: unknown }>(
	items: T[],
	text: string,
	isCut = false,
): T[] {
	for (const key of isCut ? KEYS.slice(0, 2) : KEYS) {
		const sought = key(text);
		const same = items.filter(({ brand, model }) => {
			const withBrand = brand ? [`${String(brand)} ${String(model)}`] : [];
			const names = isCut ? withBrand : [String(model), ...withBrand];
			return model && names.some((name) => key(name) === sought);
		});
		if (same.length > 0) return same;
	}
	return [];
}

function candidates(records: IDataObject[]): string {
	const names = records.map(
		({ id, brand, model, name }) =>
			`${[brand, model].filter(Boolean).join(' ') || String(name ?? '')} (ID ${String(id)})`,
	);
	return [...new Set(names)].slice(0, MAX_CANDIDATES).join(', ');
}

const PAGE = 100;

/**
 * Adds to an error what reading the proposal again shows: that a number was given for an ID, or
 * that the status prevents the change.
 */
export async function explainWithProposal(
	error: Error,
	session: Session,
	{ idFields, isRead }: { idFields: string[]; isRead: boolean },
	{ proposalId }: AnyValues,
): Promise<Error> {
	const isConflict = statusOf(error) === '409' && !isRead;
	if (typeof proposalId !== 'number' || !(isConflict || isNotFound(error))) return error;
	const reading = async () => await readProposal(session, proposalId);
	// With several IDs, another one may be wrong.
	const isUnclear = isConflict || idFields.length > 1;
	const found = isUnclear ? await reading().catch((reason: Error) => reason) : error;
	if (!(found instanceof Error)) {
		const { number, status } = found;
		if (!isConflict || !CLOSED.includes(status)) return error;
		const what = `Proposal ${number} is ${status.toLowerCase()}, so it can't be changed`;
		return PortalError.from(error).with({ what });
	}
	if (!isNotFound(found)) return error;
	const numbered = await proposalsWith(session, String(proposalId), {}, PAGE).catch(() => []);
	if (numbered.length === 0) return error;
	const advice = `${proposalId} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.`;
	return new PortalError(error.message, { ...error, advice: [advice] });
}

const CLOSED = ['Accepted', 'Completed', 'Declined'];
