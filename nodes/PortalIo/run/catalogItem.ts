import type { IDataObject } from 'n8n-workflow';
import { readList } from '../../../client/pages';
import type { Session } from '../../../client/session';
import { nameKey, plainText } from '../../shared/text';
import { catalogPages } from '../resources/catalog';
import type { Found } from '../fields/field';

const MAX_RESULTS = 500;
const MAX_CANDIDATES = 5;

const LABELS: Record<string, string> = { CustomItem: 'custom item', Labor: 'labor', Part: 'part' };

/**
 * Finds a catalog item by its model, with or without the brand. Models may differ in a hyphen only,
 * so an exact match comes first.
 */
export async function findCatalogItem(
	session: Session,
	text: string,
	itemType: string,
): Promise<Found> {
	const model = text.trim();
	const what = LABELS[itemType] ?? itemType;
	const similar: IDataObject[] = [];
	for (const SearchText of searchTexts(model)) {
		const query = { SearchText, ItemType: itemType };
		const list = {
			request: { method: 'GET', path: '/public/catalog', query } as const,
			...catalogPages(itemType),
		};
		const { records: results } = await readList(session, list, { limit: MAX_RESULTS + 1 });
		const isCut = results.length > MAX_RESULTS;
		const same = withModel(results, model, isCut);
		if (same.length === 1) return Number(same[0]!.id);
		if (same.length > 0) {
			return `matches ${same.length} catalog items: ${candidates(same)}. Add the brand before the model, or enter the ID.`;
		}
		if (isCut) {
			return `was not found: '${model}' has more than ${MAX_RESULTS} results. Add the brand before the model, or enter the ID.`;
		}
		similar.push(...results);
	}
	return similar.length === 0
		? `was not found in the catalog: no ${what} has the model '${model}', or it is discontinued. Check the model, or enter the ID.`
		: `was not found in the catalog: no ${what} has exactly the model '${model}', or it is discontinued. Similar ones: ${candidates(similar)}. Enter the model or the ID of one of them.`;
}

/** Separators between a brand and a model. */
const SEPARATORS = /[:›»>|]/g;

/** Also with letters and digits apart: a search finds `CV6C` in `CV-6C` only this way. */
function searchTexts(model: string): Set<string> {
	const text = plainText(plainText(model).replace(SEPARATORS, ' '));
	const apart = text.replace(/-/g, ' ').replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ');
	return new Set([text, plainText(apart)]);
}

/** Forms of a model for comparison, from exact to without case, spaces, hyphens and separators. */
const KEYS: Array<(text: unknown) => string> = [
	(text) => String(text ?? '').trim(),
	nameKey,
	(text) => nameKey(text).replace(/[\s-]/g, ''),
	(text) => nameKey(text).replace(/[\s-]/g, '').replace(SEPARATORS, ''),
];

/** Uses the most exact match. `isCut`: more results exist, so only the brand tells items apart. */
export function withModel<T extends { brand?: unknown; model?: unknown }>(
	items: T[],
	text: string,
	isCut = false,
): T[] {
	for (const key of isCut ? KEYS.slice(0, 2) : KEYS) {
		const sought = key(text);
		const same = items.filter(({ brand, model }) => {
			const names = [isCut ? '' : model, brand ? `${String(brand)} ${String(model)}` : ''];
			return key(model) !== '' && names.some((name) => key(name) === sought);
		});
		if (same.length > 0) return same;
	}
	return [];
}

const candidates = (records: IDataObject[]) =>
	[...new Map(records.map((one) => [one.id, one])).values()]
		.slice(0, MAX_CANDIDATES)
		.map(
			({ id, brand, model, name }) =>
				`${[brand, model].filter(Boolean).join(' ') || String(name ?? '')} (ID ${String(id)})`,
		)
		.join(', ');
