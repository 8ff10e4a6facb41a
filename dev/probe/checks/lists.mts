/** The catalog, the lists of contacts and proposals, and which parameters of them have an effect. */
import type { Fields, Json } from '../model.mts';
import type { Check, Probe } from '../probe.mts';
import type { Source } from './items.mts';
import { isSame, itemsOf, listIn, readProposal } from './reading.mts';

const NO_TEXT = 'nothing has these words n8n-probe';
const NO_ID = 2_147_483_647;
const PAGE = { PageNumber: 1, PageSize: 10 };
const LATEST_FIRST = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };
const PART = { ItemType: 'Part' };

/** A list, and pairs of queries that find something else when a parameter has an effect. */
interface List {
	records: string;
	count: string;
	pairs: Record<string, [query: Fields, other?: Fields]>;
	/** Flags with the member that shows them: when all records have it, nothing is left out. */
	flags?: Record<string, string>;
}

const paging: [Fields, Fields] = [
	{ PageNumber: 1, PageSize: 1 },
	{ PageNumber: 2, PageSize: 1 },
];
const sorting = (SortBy: string): [Fields, Fields] => [
	{ SortBy, SortDirection: 'Asc' },
	{ SortBy, SortDirection: 'Desc' },
];

const PROPOSALS: List = {
	records: 'proposals',
	count: 'proposalCount',
	pairs: {
		SearchText: [{ SearchText: NO_TEXT }],
		ModifiedAfter: [{ ModifiedAfter: new Date(Date.now() + 86_400_000).toISOString() }],
		ContactId: [{ ContactId: NO_ID }],
		Statuses: [{ Statuses: ['EmailFailed'] }],
		IsArchive: [{ IsArchive: false }, { IsArchive: true }],
		'SortBy and SortDirection': sorting('CreatedDate'),
		'PageNumber and PageSize': paging,
	},
};

const PEOPLE: List = {
	records: 'people',
	count: 'peopleCount',
	pairs: {
		SearchText: [{ SearchText: NO_TEXT }],
		ContactTypes: [{ ContactTypes: ['Person'] }, { ContactTypes: ['Company'] }],
		'SortBy and SortDirection': sorting('ModifiedDate'),
		'PageNumber and PageSize': paging,
	},
};

const CATALOG: List = {
	records: 'items',
	count: 'totalItemCount',
	pairs: {
		SearchText: [{ SearchText: NO_TEXT }],
		Brands: [{ Brands: [NO_TEXT] }],
		Suppliers: [{ Suppliers: [NO_TEXT] }],
		CategoryIds: [{ CategoryIds: [NO_ID] }],
		ParentCategoryIds: [{ ParentCategoryIds: [NO_ID] }],
		ItemType: [PART, { ItemType: 'Labor' }],
		IsFavorite: [{ IsFavorite: true }],
		IsCompanyApproved: [{ IsCompanyApproved: true }],
		IsInStock: [{ IsInStock: true }],
		'PageNumber and PageSize': paging,
	},
	flags: {
		IsFavorite: 'isFavorite',
		IsCompanyApproved: 'isCompanyApproved',
		IsInStock: 'isInStock',
	},
};

/** Reports the parameters without effect, as this package sends them in vain. */
const tryParameters = (operation: string, list: List) => async (probe: Probe) => {
	const { records, count, pairs, flags = {} } = list;
	const report = probe.reportOf(operation);
	const ask = async (query: Fields) => {
		const { isSuccess, data } = await probe.send(operation, { ...PAGE, ...query });
		return { isSuccess, records: listIn(data, records), total: data?.[count] as unknown };
	};
	// Of a list with less than two records, nothing shows.
	if (!probe.isUsable(operation) || (await ask({})).records.length < 2) return;
	const ignored: string[] = [];
	for (const [name, [query, other = {}]] of Object.entries(pairs)) {
		const [one, two] = [await ask(query), await ask(other)];
		const ids = ({ records }: { records: Json[] }) => records.map(({ id }) => id).join();
		const isSamePage = one.records.length > 0 && one.total === two.total && ids(one) === ids(two);
		const isFlag = name in flags && !one.records.some((record) => record[flags[name]!] === false);
		// A refusal shows that the parameter is known.
		if (isSamePage && !isFlag && one.isSuccess && two.isSuccess) ignored.push(name);
	}
	if (ignored.length === 0) return;
	report.verdict = 'no effect';
	report.note = `Without effect in the query: ${ignored.join(', ')}.`;
};

/** A proposal and a contact of the account, to read where the probe makes none of its own. */
export async function findRecords(probe: Probe): Promise<void> {
	const { own, found } = probe;
	const query = { ...PAGE, ...LATEST_FIRST };
	const [proposal] = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	const [person] = listIn((await probe.send('contact.getMany', query)).data, 'people');
	if (person !== undefined) Object.assign(found, { PersonId: person.id, ContactId: person.id });
	if (own.ProposalId !== undefined || proposal === undefined) return;
	found.ProposalId = proposal.id;
	const [item] = itemsOf(await readProposal(probe));
	if (item !== undefined) found.ProposalItemId = item.id;
}

/** So many records are looked at for one with what is needed. */
const LOOKED_AT = 5;

/** Chooses what items are made from: parts, the first with several suppliers, labor, a custom item. */
async function chooseSources(probe: Probe): Promise<void> {
	const { kept, found } = probe;
	const { data } = await probe.send('catalog.search', { ...PAGE, ...PART });
	const parts = listIn(data, 'items')
		.filter(({ isDiscontinued }) => isDiscontinued !== true)
		.slice(0, LOOKED_AT)
		.map(({ id }): Source => ({ id, itemType: 'Part' }));
	if (parts.length > 0) found.ItemId = parts[0]!.id;
	kept.parts = parts;
	kept.brands = listIn(data?.brandFacets, '')
		.filter(({ value, count }) => count > 0 && !String(value ?? ',').includes(','))
		.slice(0, 2);
	if (probe.options.readOnly) return;
	for (const part of parts) {
		const query = { ...PART, ExtendedDetails: true };
		const { data } = await probe.send('catalog.get', query, { ItemId: part.id });
		if ((data?.suppliers?.length ?? 0) < 2) continue;
		kept.parts = [part, ...parts.filter((one) => one !== part)];
		break;
	}
	for (const [itemType, list] of Object.entries({ Labor: 'labors', CustomItem: 'customItems' })) {
		const { data } = await probe.send('catalog.search', { ...PAGE, ItemType: itemType });
		const id = data?.[list]?.[0]?.id;
		if (id !== undefined) kept[itemType] = { id, itemType };
	}
}

export const catalogChecks: Check[] = [
	{ operation: 'catalog.getCategories' },
	{
		operation: 'catalog.search',
		prepare: async (probe) => {
			if (probe.kept.brands === undefined) await chooseSources(probe);
		},
		// Two brands, so that lists in a query are tried as well.
		fields: ({ kept: { brands } }) => ({
			...PAGE,
			...PART,
			...(brands.length === 2 ? { Brands: brands.map(({ value }: Json) => value) } : {}),
		}),
		tookEffect: async ({ kept: { brands } }, { Brands }, { data }) =>
			Brands === undefined || data?.totalItemCount === brands[0].count + brands[1].count,
		after: tryParameters('catalog.search', CATALOG),
	},
	{
		operation: 'catalog.get',
		fields: () => ({ ...PART, ExtendedDetails: true }),
		tookEffect: async ({ found }, _, { data }) => isSame(found.ItemId!, data?.id),
	},
];

/** Nothing makes a change order, so one of the account is looked for. */
async function findChangeOrder(probe: Probe, data: Json): Promise<void> {
	const query = { ...PAGE, Statuses: ['Accepted', 'Completed'] };
	const accepted = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	const { ProposalId = 0 } = { ...probe.found, ...probe.own };
	let orders = listIn(data, '');
	probe.kept.changedProposal = ProposalId;
	for (const { id } of accepted.slice(0, LOOKED_AT)) {
		if (orders.length > 0) break;
		orders = listIn((await probe.send('changeOrder.getMany', {}, { ProposalId: id })).data, '');
		probe.kept.changedProposal = id;
	}
	if (orders.length > 0) probe.found.ChangeOrderId = orders[0].id;
}

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
		fields: () => ({ ...PAGE, ...LATEST_FIRST, Statuses: ['Draft', 'Submitted'] }),
		tookEffect: async ({ own }, _, { data }) =>
			own.ProposalId === undefined ||
			listIn(data, 'proposals').some(({ id }) => id === own.ProposalId),
		after: tryParameters('proposal.getMany', PROPOSALS),
	},
	{
		operation: 'changeOrder.getMany',
		after: async (probe, { data }) => await findChangeOrder(probe, data),
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
