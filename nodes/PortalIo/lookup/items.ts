import type { IDataObject } from 'n8n-workflow';
import { readPagedList } from '../../../client/lists';
import { optionsOf, readProposal, type AreaItem } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { toPlainText, toLabel } from '../../shared/text';
import { ValueError } from '../fields/fieldError';
import { catalogList } from '../resources/catalog';
import { MODEL_SEPARATORS, matchModel } from '../resources/modelNumbers';
import { formatCandidates, adviseId, requireId, requireOnlyId } from './pickOne';

type PlacedItem = Pick<AreaItem, 'id' | 'brand' | 'model' | 'name'> & {
	/** Name of the area, with the number of the option if the area has several, such as `Lobby / 2`. */
	place: string;
	isDeclined: boolean;
};

/** Returns the items of a proposal with only the values that the lookups need. */
export async function readProposalItems(
	session: Session,
	proposalId: number,
): Promise<PlacedItem[]> {
	const proposal = await readProposal(session, proposalId);
	return optionsOf(proposal).flatMap(({ area, option, optionNumber }) => {
		const place = area.options.length === 1 ? area.name : `${area.name} / ${optionNumber}`;
		const isDeclined = option.status === 'Declined';
		return option.items.map(({ id, brand, model, name }) => {
			return { id, brand, model, name, place, isDeclined };
		});
	});
}

const CHOOSE_ITEM =
	"To change one of them, use its ID. To change several, find them with 'Item: Get Many' and its filter 'Models' in a previous step, and use their IDs.";

/**
 * Returns the ID of the only item with the given model or name. Ignores items in declined options, unless all matching
 * items are in declined options.
 */
export function chooseProposalItem(all: PlacedItem[], model: string, mayBeId = false): number {
	const withModel = matchModel(all, model);
	// Also accept an ID, because the error for an ambiguous model lists IDs.
	const isId = mayBeId && withModel.length === 0;
	const items = isId ? all.filter(({ id }) => String(id) === model) : withModel;
	const undeclined = items.filter(({ isDeclined }) => !isDeclined);
	const matches = undeclined.length > 0 ? undeclined : items;
	const places = formatCandidates(matches, ({ place }) => `'${place}'`);
	return requireOnlyId(matches, {
		ifNone: `the proposal has no item with the model or name '${model}'. Check the model or name, or use the item's ID.`,
		ifSeveral: `is ambiguous: ${matches.length} items in the proposal match '${model}', in ${places}. ${CHOOSE_ITEM}`,
	});
}

const MAX_RESULTS = 500;

interface CatalogSearch {
	matches: IDataObject[];
	/** Names of some search results, if no result matches the model; '' otherwise. */
	similar: string;
	isTruncated: boolean;
}

/**
 * Searches the catalog for a model, with or without the brand. Prefers an exact match, because two models can differ
 * only in a hyphen. If there are more results than can be read, accepts only an exact model with its brand.
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
		const options = { limit: MAX_RESULTS + 1, advice: adviseId(searchText) };
		const { records, total } = await readPagedList(session, list, options);
		isTruncated ||= records.length > MAX_RESULTS || total > records.length;
		const matches = matchModel(records, model, isTruncated);
		if (matches.length > 0) return { matches, similar: '', isTruncated };
		similarItems.push(...records);
	}
	return { matches: [], similar: formatCandidates(similarItems, catalogName), isTruncated };
}

export function chooseCatalogItem(
	{ matches, similar, isTruncated }: CatalogSearch,
	model: string,
	itemType: string,
): number {
	if (matches.length === 1) return requireId(matches[0]!);
	if (matches.length > 1) {
		throw new ValueError(
			`matches ${matches.length} catalog items: ${formatCandidates(matches, catalogName)}. Add the brand before the model, or enter the ID.`,
		);
	}
	if (isTruncated) {
		throw new ValueError(
			`is too general: a search for '${model}' finds more than ${MAX_RESULTS} items. Add the brand before the model, or enter the ID.`,
		);
	}
	const type = itemType === 'Labor' ? 'labor item' : toLabel(itemType).toLowerCase();
	const what = MODEL_OF_TYPE[itemType] ?? 'model';
	throw new ValueError(
		similar === ''
			? `was not found in the catalog: no ${type} has the ${what} '${model}', or it is discontinued. Check the ${what}, or enter the ID.`
			: `was not found in the catalog: no ${type} has exactly the ${what} '${model}', or it is discontinued. Similar items: ${similar}. Enter the ${what} or the ID of one of them.`,
	);
}

/** Names, by item type, for what users enter to identify an item. Errors use them. The default is *model*. */
const MODEL_OF_TYPE: Record<string, string> = { CustomItem: 'model or name', Labor: 'name' };

const catalogName = ({ brand, model, name }: IDataObject) =>
	[brand, model].filter(Boolean).join(' ') || String(name ?? '');

/**
 * Returns the search terms for a model: the model itself, and the model with spaces between letters and digits, because
 * Portal.io's search for `CV6C` does not return `CV-6C`, but the search for `CV 6 C` does (assumed).
 */
function searchTexts(model: string): Set<string> {
	const text = toPlainText(toPlainText(model).replace(MODEL_SEPARATORS, ' '));
	const spacedText = text.replace(/-/g, ' ').replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ');
	return new Set([text, toPlainText(spacedText)]);
}
