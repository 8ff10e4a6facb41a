/** The lists of contacts and proposals, the catalog, and which parameters of them have an effect. */
import type { Check } from '../check.mts';
import type { Fields, Json } from '../model.mts';
import type { Probe } from '../probe.mts';
import type { Source } from './items.mts';
import { isSame, itemsOf, listIn, readProposal } from './reading.mts';

const NO_TEXT = 'nothing has these words n8n-probe';
const NO_ID = 2_147_483_647;
const PAGE = { PageNumber: 1, PageSize: 10 };
const LATEST_FIRST = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };

/** Two queries that must find something else when the parameter has an effect. */
interface Parameter {
	name: string;
	query: Fields;
	other?: Fields;
	/** With a page in hand, whether the same page twice says nothing. */
	saysNothing?: (records: Json[]) => boolean;
}

/** A value that no record has. */
const none = (name: string, value: unknown): Parameter => ({ name, query: { [name]: value } });

/** Two values of which each leaves out what the other finds. */
const either = (name: string, one: unknown, other: unknown): Parameter => ({
	name,
	query: { [name]: one },
	other: { [name]: other },
});

/** A flag that leaves out the records whose field of that name is false. */
const only = (name: string, member: string): Parameter => ({
	...none(name, true),
	saysNothing: (records) => records.every((record) => record[member] !== false),
});

const sorted = (SortBy: string, member: string): Parameter => ({
	name: 'SortBy and SortDirection',
	query: { SortBy, SortDirection: 'Asc' },
	other: { SortBy, SortDirection: 'Desc' },
	saysNothing: (records) => new Set(records.map((record) => record[member])).size < 2,
});

const paging: Parameter = {
	name: 'PageNumber and PageSize',
	query: { PageNumber: 1, PageSize: 1 },
	other: { PageNumber: 2, PageSize: 1 },
};

interface List {
	records: string;
	count: string;
	parameters: () => Parameter[];
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

const PROPOSALS: List = {
	records: 'proposals',
	count: 'proposalCount',
	parameters: () => [
		none('SearchText', NO_TEXT),
		none('ModifiedAfter', tomorrow()),
		none('ContactId', NO_ID),
		none('Statuses', ['EmailFailed']),
		either('IsArchive', false, true),
		sorted('CreatedDate', 'createdDate'),
		paging,
	],
};

const PEOPLE: List = {
	records: 'people',
	count: 'peopleCount',
	parameters: () => [
		none('SearchText', NO_TEXT),
		either('ContactTypes', ['Person'], ['Company']),
		sorted('LastName', 'lastName'),
		paging,
	],
};

const CATALOG: List = {
	records: 'items',
	count: 'totalItemCount',
	parameters: () => [
		none('SearchText', NO_TEXT),
		none('Brands', [NO_TEXT]),
		none('Suppliers', [NO_TEXT]),
		none('CategoryIds', [NO_ID]),
		none('ParentCategoryIds', [NO_ID]),
		either('ItemType', 'Part', 'Labor'),
		only('IsFavorite', 'isFavorite'),
		only('IsCompanyApproved', 'isCompanyApproved'),
		only('IsInStock', 'isInStock'),
		paging,
	],
};

/** The names of the parameters of a list that change nothing; none of them in an empty list. */
async function withoutEffect(probe: Probe, operation: string, list: List): Promise<string[]> {
	const ask = async (query: Fields) => {
		const { isSuccess, data } = await probe.send(operation, { ...PAGE, ...query });
		const records = listIn(data, list.records);
		return { isSuccess, records, total: Number(data?.[list.count] ?? records.length) };
	};
	const all = await ask({});
	if (all.records.length < 2) return [];
	const ignored: string[] = [];
	for (const { name, query, other = {}, saysNothing } of list.parameters()) {
		const [one, two] = [await ask(query), await ask(other)];
		const ids = (records: Json[]) => records.map(({ id }) => id).join();
		const isSamePage = one.total === two.total && ids(one.records) === ids(two.records);
		// A refusal shows that the parameter is known.
		const isKnown = !one.isSuccess || !two.isSuccess || saysNothing?.(one.records) === true;
		if (isSamePage && one.records.length > 0 && !isKnown) ignored.push(name);
	}
	return ignored;
}

/** Reports the parameters without effect, as this package sends them in vain. */
const tryParameters =
	(operation: string, list: List) =>
	async (probe: Probe): Promise<void> => {
		const report = probe.reportOf(operation);
		if (report.verdict !== 'confirmed' && report.verdict !== 'differs') return;
		const ignored = await withoutEffect(probe, operation, list);
		if (ignored.length === 0) return;
		report.verdict = 'no effect';
		report.note = `Without effect in the query: ${ignored.join(', ')}.`;
	};

/** A proposal and a contact of the account, to read where the probe makes none of its own. */
export const findRecords = async (probe: Probe): Promise<void> => {
	const { own, found } = probe;
	const query = { ...PAGE, ...LATEST_FIRST };
	const [proposal] = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	const [person] = listIn((await probe.send('contact.getMany', query)).data, 'people');
	if (proposal !== undefined) found.ProposalId = proposal.id;
	if (person !== undefined) Object.assign(found, { PersonId: person.id, ContactId: person.id });
	if (own.ProposalId !== undefined || proposal === undefined) return;
	const [item] = itemsOf(await readProposal(probe));
	if (item !== undefined) found.ProposalItemId = item.id;
};

const PART = { ItemType: 'Part' };
/** So many parts are looked at for one with several suppliers. */
const LOOKED_AT = 5;

async function chooseSources(probe: Probe, data: Json): Promise<void> {
	const { kept, found } = probe;
	const parts = listIn(data, 'items')
		.filter(({ isDiscontinued }) => isDiscontinued !== true)
		.slice(0, LOOKED_AT)
		.map(({ id }): Source => ({ id, itemType: 'Part' }));
	if (parts.length > 0) found.ItemId = parts[0]!.id;
	kept.parts = parts;
	if (probe.options.readOnly) return;
	for (const part of parts) {
		const { data } = await probe.send(
			'catalog.get',
			{ ...PART, ExtendedDetails: true },
			{ ItemId: part.id },
		);
		if ((data?.suppliers?.length ?? 0) < 2) continue;
		kept.parts = [part, ...parts.filter((one) => one !== part)];
		break;
	}
	for (const [itemType, list, name] of [
		['Labor', 'labors', 'labor'],
		['CustomItem', 'customItems', 'customItem'],
	] as const) {
		const { data } = await probe.send('catalog.search', { ...PAGE, ItemType: itemType });
		const id = data?.[list]?.[0]?.id;
		if (id !== undefined) kept[name] = { id, itemType } satisfies Source;
	}
}

export const catalogChecks: Check[] = [
	{ operation: 'catalog.getCategories' },
	{
		operation: 'catalog.search',
		// Two brands, so that lists in a query are tried as well.
		prepare: async (probe) => {
			if (probe.kept.brands !== undefined) return;
			const { data } = await probe.send('catalog.search', { ...PAGE, ...PART });
			await chooseSources(probe, data);
			const facets = listIn(data?.brandFacets, '');
			probe.kept.brands = facets
				.filter(({ value, count }) => count > 0 && !String(value ?? ',').includes(','))
				.slice(0, 2);
		},
		fields: ({ kept }) => ({
			...PAGE,
			...PART,
			...(kept.brands.length === 2 ? { Brands: kept.brands.map(({ value }: Json) => value) } : {}),
		}),
		tookEffect: async ({ kept }, { Brands }, { data }) =>
			Brands === undefined || data?.totalItemCount === kept.brands[0].count + kept.brands[1].count,
		after: tryParameters('catalog.search', CATALOG),
	},
	{
		operation: 'catalog.get',
		fields: () => ({ ...PART, ExtendedDetails: true }),
		tookEffect: async ({ found }, _, { data }) => isSame(found.ItemId!, data?.id),
	},
];

/** Late, as lists may take a moment to show what is new. */
export const listChecks: Check[] = [
	{
		operation: 'contact.getMany',
		fields: () => ({ ...PAGE, ...LATEST_FIRST, ContactTypes: ['Person', 'Company'] }),
		// The probe's own was modified last.
		tookEffect: async ({ own }, _, { data }) =>
			own.PersonId === undefined || listIn(data, 'people').some(({ id }) => id === own.PersonId),
		after: tryParameters('contact.getMany', PEOPLE),
	},
	{
		operation: 'proposal.getMany',
		fields: () => ({
			...PAGE,
			...LATEST_FIRST,
			Statuses: ['Draft', 'Submitted'],
			IsArchive: false,
		}),
		tookEffect: async ({ own }, _, { data }) =>
			own.ProposalId === undefined ||
			listIn(data, 'proposals').some(({ id }) => id === own.ProposalId),
		after: tryParameters('proposal.getMany', PROPOSALS),
	},
	{
		operation: 'changeOrder.getMany',
		after: async (probe, { data }) => {
			const [own] = listIn(data, 'changeOrders');
			const { ProposalId = 0 } = { ...probe.found, ...probe.own };
			if (own !== undefined) keepChangeOrder(probe, ProposalId, own.id);
			else await findChangeOrder(probe);
		},
	},
	{
		operation: 'changeOrder.get',
		obstacle: ({ found }) =>
			found.ChangeOrderId === undefined
				? `Nothing makes change orders, and the last ${LOOKED_AT} accepted proposals have none.`
				: undefined,
		ids: ({ kept }) => ({ ProposalId: kept.changedProposal }),
		tookEffect: async ({ found }, _, { data }) => isSame(found.ChangeOrderId!, data?.id),
	},
];

/** Nothing makes a change order, so one of the account is read. */
async function findChangeOrder(probe: Probe): Promise<void> {
	const query = { ...PAGE, Statuses: ['Accepted', 'Completed'] };
	const accepted = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	for (const { id } of accepted.slice(0, LOOKED_AT)) {
		const { data } = await probe.send('changeOrder.getMany', {}, { ProposalId: id });
		const [found] = listIn(data, 'changeOrders');
		if (found === undefined) continue;
		return keepChangeOrder(probe, id, found.id);
	}
}

function keepChangeOrder({ found, kept }: Probe, proposalId: number, id: number): void {
	found.ChangeOrderId = id;
	kept.changedProposal = proposalId;
}
