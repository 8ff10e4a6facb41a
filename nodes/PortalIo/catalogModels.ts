/** Catalog items by their model, which is what people know: Portal.io works with their IDs. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { readPages } from '../../client/pagination';
import type { Session } from '../../client/session';
import { errorForItem } from './errorForItem';
import { catalogPages } from './resources/catalog/pages';
import type { Reading, SoughtModel } from './shared/field';

/** How many models of one input are searched at a time. */
const SEARCHES_AT_A_TIME = 5;
/** How many results of a search are looked through: its best page. */
const RESULTS = 100;
const MAX_CANDIDATES = 5;

/** The ID of a model, why it has none, or why it could not be searched. */
type Found = number | string | Error;

/** The models of an execution, each of which is searched once. */
export class CatalogModels {
	private readonly found = new Map<string, Promise<Found>>();

	private readonly context: IExecuteFunctions;

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	/**
	 * Searches models that were not searched before.
	 *
	 * @returns finds the IDs; it throws, for a search that the service refused, why it did
	 */
	async search(
		session: Session,
		sought: SoughtModel[],
		itemIndex: number,
	): Promise<NonNullable<Reading['findModel']>> {
		const results = new Map<string, Found>();
		await mapConcurrent(sought, SEARCHES_AT_A_TIME, async (one) => {
			const key = keyOf(one);
			const known = this.found.get(key) ?? searchFor(session, one, itemIndex);
			this.found.set(key, known);
			results.set(key, await known);
		});
		return (one) => {
			const result = results.get(keyOf(one))!;
			if (result instanceof Error) throw errorForItem(this.context, itemIndex, result);
			return result;
		};
	}
}

/** What of a model counts: not its case, spaces and hyphens. */
const plain = (text: unknown) =>
	String(text ?? '')
		.replace(/[\s\p{Pd}]/gu, '')
		.toLowerCase();

/** The letters and the numbers of a model, apart. */
const partsOf = (text: string) =>
	text
		.replace(/\p{Pd}/gu, ' ')
		.replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
		.replace(/\s+/g, ' ');

const keyOf = ({ model, itemType }: SoughtModel) => `${itemType} ${plain(model)}`;

async function searchFor(
	session: Session,
	{ model, itemType }: SoughtModel,
	itemIndex: number,
): Promise<Found> {
	const text = model.trim();
	// A search finds 'CV6C' in 'CV-6C' by its parts only.
	const texts = new Set([text, partsOf(text)]);
	const similar: IDataObject[] = [];
	try {
		for (const SearchText of texts) {
			const request = {
				method: 'GET',
				path: '/public/catalog',
				query: { SearchText, ItemType: itemType },
			} as const;
			const list = { request, ...catalogPages(itemType) };
			const results = await readPages<IDataObject>(session, list, RESULTS, itemIndex);
			const same = results.filter((one) => isModel(one, text));
			if (same.length === 1) return Number(same[0]!.id);
			if (same.length > 1) {
				return `matches ${same.length} catalog items: ${candidates(same)}. Put the brand in front, or enter the ID.`;
			}
			similar.push(...results);
		}
	} catch (error) {
		return error as Error;
	}
	return similar.length === 0
		? `was not found in the catalog: no ${LABELS[itemType] ?? itemType} has the model '${text}'. Check the model, or enter the ID.`
		: `was not found in the catalog: no ${LABELS[itemType] ?? itemType} has exactly the model '${text}'. Similar ones: ${candidates(similar)}. Enter the model or the ID of one of them.`;
}

const LABELS: Record<string, string> = {
	CustomItem: 'custom item',
	Labor: 'labor',
	Part: 'part',
};

const isModel = ({ brand, model }: IDataObject, text: string) =>
	plain(model) !== '' && [plain(model), plain(brand) + plain(model)].includes(plain(text));

const candidates = (records: IDataObject[]) =>
	[...new Map(records.map((one) => [one.id, one])).values()]
		.slice(0, MAX_CANDIDATES)
		.map(
			({ id, brand, model, name }) =>
				`${[brand, model].filter(Boolean).join(' ') || String(name ?? '')} (ID ${String(id)})`,
		)
		.join(', ');
