/** Proposals. */
import type { Check, Probe } from '../probe.mts';
import { NO_ID, NO_TEXT, tryFilters } from './filters.mts';
import { LATEST_FIRST, listsLatest, required, readProposal } from './reading.mts';

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
		proof: { Name: 'name' },
	},
	{ operation: 'proposal.get' },
	{
		operation: 'proposal.update',
		fields: nameAndSeller,
		readBack: readProposal,
		proof: { Name: 'name' },
	},
	{
		operation: 'proposal.updateDescription',
		fields: (_, attempt) => ({ Description: `n8n probe description ${attempt}` }),
		readBack: readProposal,
		proof: { Description: 'projectDescription' },
	},
	{
		operation: 'proposal.updateInternalNotes',
		fields: (_, attempt) => ({ InternalNotes: `n8n probe notes ${attempt}` }),
		// Nothing returns them; but a service that refuses another name knows this one.
		tookEffect: async (probe) => {
			const operation = 'proposal.updateInternalNotes';
			const { isSuccess } = await probe.send(operation, { N8nProbe: 'n8n probe' });
			return isSuccess
				? 'Accepted, as any other field is, and nothing returns internal notes: the effect cannot be seen.'
				: true;
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
