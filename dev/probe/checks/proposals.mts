/** Proposals and their change orders. */
import type { Check, Probe } from '../probe.mts';
import {
	LATEST_FIRST,
	listIn,
	listsLatest,
	NO_ID,
	NO_TEXT,
	PAGE,
	readProposal,
	required,
	tryFilters,
} from './reading.mts';

const nameAndSeller = ({ name, kept }: Probe, attempt: number) => ({
	SalesPersonId: required(kept.userId, 'user'),
	Name: `${name} (${attempt})`,
});

export const proposalChecks: Check[] = [
	{
		operation: 'proposal.create',
		fields: nameAndSeller,
		readBack: async (probe, { data }) => {
			if (data?.id === undefined) return undefined;
			const read = await probe.read('proposal.get', {}, { ProposalId: data.id });
			// Only what has the name of this run is ever changed, whatever ID the response names.
			if (!probe.isOfThisRun(read?.name)) return undefined;
			probe.own.ProposalId = data.id;
			return read;
		},
		unproven: ['SalesPersonId'],
	},
	{ operation: 'proposal.get' },
	{
		operation: 'proposal.update',
		fields: nameAndSeller,
		readBack: readProposal,
		unproven: ['SalesPersonId'],
	},
	{
		operation: 'proposal.updateDescription',
		fields: (_, attempt) => ({ Description: `n8n probe description ${attempt}` }),
		readBack: readProposal,
		places: { Description: 'projectDescription' },
	},
	{
		operation: 'proposal.updateInternalNotes',
		fields: (_, attempt) => ({ InternalNotes: `n8n probe notes ${attempt}` }),
		// Nothing returns them; but a service that refuses another name knows this one.
		tookEffect: async (probe) => {
			const operation = 'proposal.updateInternalNotes';
			const { status } = await probe.send(operation, { N8nProbe: 'n8n probe' });
			if (status === 400) return true;
			return 'Accepted, but nothing returns internal notes, and a request with an unknown field instead was not refused with status 400: look into the proposal.';
		},
	},
];

/** Late, as the list may take a moment to show what is new. */
export const proposalListCheck: Check = {
	operation: 'proposal.getMany',
	fields: () => ({ ...LATEST_FIRST, Statuses: ['Draft', 'Submitted'] }),
	tookEffect: async ({ own }, _, { data }) => listsLatest(data, 'proposals', own.ProposalId),
	after: tryFilters('proposal.getMany', 'proposals', LATEST_FIRST, {
		SearchText: { SearchText: NO_TEXT },
		ModifiedAfter: { ModifiedAfter: new Date(Date.now() + 86_400_000).toISOString() },
		ContactId: { ContactId: NO_ID },
		Statuses: { Statuses: ['EmailFailed'] },
		IsArchive: { IsArchive: true },
		'SortBy and SortDirection': { SortDirection: 'Asc' },
		'PageNumber and PageSize': { PageNumber: 2, PageSize: 1 },
	}),
};

// ------------------------------------------------------------------ change orders

/** So many accepted proposals are searched for a change order, as nothing makes one. */
const LOOKED_AT = 5;

async function findChangeOrder(probe: Probe): Promise<void> {
	const query = { ...PAGE, Statuses: ['Accepted', 'Completed'] };
	const accepted = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	for (const { id: ProposalId } of accepted.slice(0, LOOKED_AT)) {
		const [order] = listIn((await probe.send('changeOrder.getMany', {}, { ProposalId })).data);
		if (order !== undefined) probe.kept.changeOrder = { ProposalId, ChangeOrderId: order.id };
	}
}

export const changeOrderChecks: Check[] = [
	{ operation: 'changeOrder.getMany', after: findChangeOrder },
	{
		operation: 'changeOrder.get',
		ids: ({ kept }) => required(kept.changeOrder, 'change order in the last accepted proposals'),
	},
];
