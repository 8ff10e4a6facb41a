import type { IDataObject } from 'n8n-workflow';
import { readPagedList } from '../../../client/lists';
import { itemsOf, readProposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { nameKey, plainText, toLabel } from '../../shared/text';
import type { Found } from '../fields/field';
import { catalogList } from '../resources/catalog';
import { candidates, enterId, idOf, onlyOne } from './matches';

export async function findItem(
	session: Session,
	proposalId: number,
	model: string,
): Promise<Found> {
	const found = withModel(itemsOf(await readProposal(session, proposalId)), model);
	const places = found.map(({ areaName, id }) => `'${areaName}' (ID ${id})`).join(', ');
	return onlyOne(
		found,
		`the proposal has no item with the model '${model}'. Check the model, or choose from the list.`,
		`is ambiguous: the proposal has ${found.length} items with the model '${model}': in ${places}. Choose one from the list, or enter its ID.`,
	);
}

const MAX_RESULTS = 500;

/**
 * Finds a catalog item by its model, with or without the brand. Models may differ in a hyphen only, so an
 * exact match comes first. A search may find millions of parts that are only similar: among its first
 * results, only the brand with the exact model identifies an item.
 */
export async function findCatalogItem(
	session: Session,
	text: string,
	itemType: string,
): Promise<Found> {
	const model = text.trim();
	const what = itemType === 'Labor' ? 'labor item' : toLabel(itemType).toLowerCase();
	const similar: IDataObject[] = [];
	let isCut = false;
	for (const searchText of searchTexts(model)) {
		const list = catalogList({ searchText, itemType });
		const options = { limit: MAX_RESULTS + 1, advice: enterId(searchText) };
		const { records: results, total } = await readPagedList(session, list, options);
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
