/** Which parameters of the queries of lists have an effect. A service may ignore what it does not know. */
import { isSuccess } from '../attempt.mts';
import { endpointOf } from '../contract.mts';
import type { Answer } from '../model.mts';
import type { Query } from '../trial.mts';
import { WITHOUT_EFFECT } from '../outcome.mts';
import { addNote, camelCase, listIn, type Json, type Walk } from '../walk/walk.mts';

const NO_EFFECT = 'has no effect';
const NO_ID = 2_147_483_647;
const NO_TEXT = 'nothing has these words n8n-probe';

/** A list, and how its parameters are tried. */
interface List {
	records: string;
	count: string;
	/** Parameters with values that no record has. */
	none: () => Query;
	/** Parameters with two values, of which each leaves out what the other finds. */
	either: Record<string, [one: unknown, other: unknown]>;
	/** Flags that leave out the records whose field of that name is false. */
	flags: string[];
	/** Values of SortBy with the fields of the records that they sort by. */
	sorted: Record<string, string>;
}

const LISTS: Record<string, List> = {
	'proposal.getMany': {
		records: 'proposals',
		count: 'proposalCount',
		none: () => ({
			SearchText: NO_TEXT,
			ModifiedAfter: new Date(Date.now() + 86_400_000).toISOString(),
			Statuses: ['EmailFailed'],
			ContactId: NO_ID,
		}),
		either: { IsArchive: [false, true] },
		flags: [],
		sorted: { CreatedDate: 'createdDate', ModifiedDate: 'lastModifiedDate' },
	},
	'contact.getMany': {
		records: 'people',
		count: 'peopleCount',
		none: () => ({ SearchText: NO_TEXT }),
		either: { ContactTypes: [['Person'], ['Company']] },
		flags: [],
		sorted: { LastName: 'lastName', FirstName: 'firstName' },
	},
	'catalog.search': {
		records: 'items',
		count: 'totalItemCount',
		none: () => ({
			SearchText: NO_TEXT,
			Brands: [NO_TEXT],
			Suppliers: [NO_TEXT],
			CategoryIds: [NO_ID],
			ParentCategoryIds: [NO_ID],
		}),
		either: { ItemType: ['Part', 'Labor'] },
		flags: ['IsFavorite', 'IsCompanyApproved', 'IsInStock'],
		sorted: {},
	},
};

/** How many records are compared. */
const SIZE = 10;

/** One page: how many records there are in all, and those that came. */
interface Page {
	answer: Answer;
	total: number;
	records: Json[];
}

/** Asks one list. */
class Asker {
	readonly list: List;
	private readonly walk: Walk;
	private readonly operation: string;

	constructor(walk: Walk, operation: string) {
		this.walk = walk;
		this.operation = operation;
		this.list = LISTS[operation]!;
	}

	async ask(query: Query): Promise<Page> {
		const paged = { PageNumber: 1, PageSize: SIZE, ...query };
		const answer = await this.walk.probe.call(this.operation, {}, undefined, paged);
		const records = isSuccess(answer) ? listIn(answer, this.list.records) : [];
		const total = Number((answer.data as Json)?.[this.list.count] ?? records.length);
		return { answer, total, records };
	}
}

const idsOf = ({ records }: Page) => records.map(({ id }) => id).join();

/** Both show the same, and something: then what they differ in was not looked at. */
const isSamePage = (one: Page, other: Page) =>
	one.records.length > 0 && one.total === other.total && idsOf(one) === idsOf(other);

/** What was found; the status of a refusal says nothing against a parameter. */
const found = (pages: Page[], isIgnored: boolean, effect = 'filters') => {
	const refused = pages.find(({ answer }) => !isSuccess(answer));
	return refused?.answer.status ?? (isIgnored ? NO_EFFECT : effect);
};

/** Which parameters of each list leave out, sort and page as they should. */
export async function filters(walk: Walk): Promise<unknown> {
	const facts: Record<string, unknown> = {};
	for (const operation of Object.keys(LISTS)) {
		const asker = new Asker(walk, operation);
		const all = await asker.ask({});
		facts[operation] =
			all.records.length === 0
				? 'not known: there is nothing to find'
				: {
						...(await tryFilters(asker, all)),
						...(await trySorting(asker)),
						...(await tryPaging(asker, all)),
					};
	}
	return facts;
}

async function tryFilters(asker: Asker, all: Page): Promise<Record<string, unknown>> {
	const { none, either, flags } = asker.list;
	const facts: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(none())) {
		const page = await asker.ask({ [name]: value });
		// An ID that does not exist may be refused as such.
		facts[name] = found([page], page.total >= all.total);
	}
	for (const [name, values] of Object.entries(either)) {
		const pages = [await asker.ask({ [name]: values[0] }), await asker.ask({ [name]: values[1] })];
		facts[name] = found(pages, isSamePage(pages[0]!, pages[1]!));
	}
	for (const name of flags) {
		const page = await asker.ask({ [name]: true });
		const isWrong = page.records.some((record) => record[camelCase(name)] === false);
		// When all records have the flag, nothing shows whether it counts.
		const effect = page.total < all.total ? 'filters' : 'not known';
		facts[name] = found([page], isWrong && page.total >= all.total, effect);
	}
	return facts;
}

const valuesOf = ({ records }: Page, field: string) => records.map((one) => one[field] ?? '');

/** What a list that is sorted by one field, and by another, shows of SortBy and SortDirection. */
async function trySorting(asker: Asker): Promise<Record<string, unknown>> {
	const [one, other] = Object.entries(asker.list.sorted);
	if (one === undefined || other === undefined) return {};
	const ask = async (SortBy: string, SortDirection: string) =>
		await asker.ask({ SortBy, SortDirection });
	const up = await ask(one[0], 'Asc');
	const down = await ask(one[0], 'Desc');
	const byOther = await ask(other[0], 'Asc');
	const haveSeveral = new Set(valuesOf(up, one[1])).size > 1;
	// Two fields may have the same order; then each of them is in order.
	const isOutOfOrder = !isAscending(valuesOf(up, one[1])) || !isAscending(valuesOf(up, other[1]));
	return {
		SortBy: found([up, byOther], isSamePage(up, byOther) && isOutOfOrder, 'sorts'),
		SortDirection: found([up, down], haveSeveral && isSamePage(up, down), 'sorts'),
	};
}

/** In the order of any alphabet, as the service's is not known. */
const isAscending = (values: unknown[]) =>
	values.every(
		(value, index) =>
			index === 0 ||
			String(values[index - 1]) <= String(value) ||
			String(values[index - 1]).localeCompare(String(value)) <= 0,
	);

async function tryPaging(asker: Asker, all: Page): Promise<Record<string, unknown>> {
	if (all.records.length < 2) return {};
	const first = await asker.ask({ PageSize: 1 });
	const second = await asker.ask({ PageSize: 1, PageNumber: 2 });
	return {
		PageSize: found([first], first.records.length > 1, 'counts'),
		PageNumber: found([first, second], isSamePage(first, second), 'counts'),
	};
}

/** What a list ignores, this package sends in vain: then the list is not as it expects. */
export function reportIgnored(walk: Walk): void {
	const { probe } = walk;
	for (const [operation, results] of Object.entries((probe.facts.filters ?? {}) as object)) {
		if (typeof results !== 'object') continue;
		const { query } = endpointOf(operation);
		const ignored = Object.keys(results).filter(
			(name) => results[name] === NO_EFFECT && name in query,
		);
		const report = probe.endpoints.get(operation)!;
		if (ignored.length === 0 || !['confirmed', 'differs'].includes(report.verdict)) continue;
		report.verdict = 'differs';
		report.ignored = ignored;
		// This says which of them had none.
		if (report.note === WITHOUT_EFFECT) delete report.note;
		const verb = ignored.length === 1 ? 'has' : 'have';
		addNote(walk, operation, `In the query, ${ignored.join(', ')} ${verb} no effect.`);
	}
}
