import type { IDataObject } from 'n8n-workflow';
import { readPagedList } from '../../../client/lists';
import { itemsOf, readProposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { nameKey, plainText, toLabel } from '../../shared/text';
import { FieldError } from '../fields/values';
import { catalogList } from '../resources/catalog';
import { candidates, USE_ID, enterId, idOf, idOfOnly } from './select';

/** Returns the IDs and areas of the items with a model. */
export async function itemsWithModel(
	session: Session,
	proposalId: number,
	model: string,
): Promise<IDataObject[]> {
	const items = withModel(itemsOf(await readProposal(session, proposalId)), model);
	return items.map(({ id, areaName }) => ({ id, areaName }));
}

export function itemIdByModel(items: IDataObject[], model: string, label: string): number {
	const places = candidates(items, ({ areaName }) => `'${String(areaName)}'`);
	return idOfOnly(items, label, {
		ifNone: `the proposal has no item with the model '${model}'. Check the model, or use the ID of the item.`,
		ifSeveral: `is ambiguous: the proposal has ${items.length} items with the model '${model}': in ${places}. ${USE_ID}`,
	});
}

const MAX_RESULTS = 500;

interface CatalogSearch {
	/** The items with this model. */
	matches: IDataObject[];
	/** The names of some other results; '' if there are none. */
	similar: string;
	/** True if Portal.io has more results than were read. */
	isTruncated: boolean;
}

/**
 * Searches for a model, with or without the brand. Two models may differ only in a hyphen, so an exact match
 * comes first. A search may find millions of similar parts. Only the brand with the exact model identifies
 * an item among the first of them.
 */
export async function searchCatalog(
	session: Session,
	model: string,
	itemType: string,
): Promise<CatalogSearch> {
	const similarItems: IDataObject[] = [];
	let isTruncated = false;
	for (const searchText of searchTexts(model)) {
		const list = catalogList({ searchText, itemType });
		const options = { limit: MAX_RESULTS + 1, advice: enterId(searchText) };
		const { records, total } = await readPagedList(session, list, options);
		isTruncated ||= records.length > MAX_RESULTS || total > records.length;
		const matches = withModel(records, model, isTruncated);
		if (matches.length > 0) return { matches, similar: '', isTruncated };
		similarItems.push(...records);
	}
	return { matches: [], similar: candidates(similarItems, catalogName), isTruncated };
}

export function catalogItemIdByModel(
	{ matches, similar, isTruncated }: CatalogSearch,
	model: string,
	itemType: string,
	label: string,
): number {
	if (matches.length === 1) return idOf(matches[0]!, label);
	if (matches.length > 1) {
		throw new FieldError(
			label,
			`matches ${matches.length} catalog items: ${candidates(matches, catalogName)}. Add the brand before the model, or enter the ID.`,
		);
	}
	if (isTruncated) {
		throw new FieldError(
			label,
			`matches more than ${MAX_RESULTS} items: a search for '${model}' finds too many. Add the brand before the model, or enter the ID.`,
		);
	}
	const type = itemType === 'Labor' ? 'labor item' : toLabel(itemType).toLowerCase();
	throw new FieldError(
		label,
		similar === ''
			? `was not found in the catalog: no ${type} has the model '${model}', or it is discontinued. Check the model, or enter the ID.`
			: `was not found in the catalog: no ${type} has exactly the model '${model}', or it is discontinued. Similar ones: ${similar}. Enter the model or the ID of one of them.`,
	);
}

const catalogName = ({ brand, model, name }: IDataObject) =>
	[brand, model].filter(Boolean).join(' ') || String(name ?? '');

const MODEL_SEPARATORS = /[:›»>|]/g;

/** Returns the model, and the model with spaces between letters and digits: only `CV 6 C` finds `CV-6C`. */
function searchTexts(model: string): Set<string> {
	const text = plainText(plainText(model).replace(MODEL_SEPARATORS, ' '));
	const spacedText = text.replace(/-/g, ' ').replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ');
	return new Set([text, plainText(spacedText)]);
}

/** Models are compared in these forms. Each form ignores more differences than the form before it. */
const MODEL_FORMS: Array<(text: string) => string> = [
	(text) => text.trim(),
	nameKey,
	(text) => nameKey(text).replace(/[\s-]/g, ''),
	(text) => nameKey(text).replace(/[\s-]/g, '').replace(MODEL_SEPARATORS, ''),
];

/** Returns the items with the most exact match. If `needsBrand`, the text must contain the brand. */
function withModel<T extends { brand?: unknown; model?: unknown }>(
	items: T[],
	text: string,
	needsBrand = false,
): T[] {
	for (const formOf of needsBrand ? MODEL_FORMS.slice(0, 2) : MODEL_FORMS) {
		const form = formOf(text);
		const matches = items.filter(({ brand, model }) => {
			const withBrand = brand ? [`${String(brand)} ${String(model)}`] : [];
			const names = needsBrand ? withBrand : [String(model), ...withBrand];
			return model && names.some((name) => formOf(name) === form);
		});
		if (matches.length > 0) return matches;
	}
	return [];
}
