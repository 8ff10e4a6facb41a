/** Proposals. */
import type { Check, Probe } from '../probe.mts';
import { NO_ID, NO_TEXT, PAGING, sortingBy, tryFilters } from './filters.mts';
import { isSame, LATEST_FIRST, listIn, PAGE, readProposal } from './reading.mts';

const nameAndSeller = ({ options, kept }: Probe, attempt: number) => ({
	SalesPersonId: kept.userId,
	Name: `${options.name} (${attempt})`,
});

export const proposalChecks: Check[] = [
	{
		operation: 'proposal.create',
		obstacle: ({ kept }) =>
			kept.userId === undefined ? 'No user could be read for SalesPersonId.' : undefined,
		fields: nameAndSeller,
		tookEffect: async (probe, { Name, SalesPersonId }, { data }) => {
			if (data?.id === undefined) return false;
			const read = await probe.read('proposal.get', {}, { ProposalId: data.id });
			// Only what has the name of this run is ever changed, whatever ID the response names.
			if (!isSame(Name, read?.name)) return false;
			probe.own.ProposalId = data.id;
			return isSame(SalesPersonId, read.dealer?.salesperson?.id ?? SalesPersonId);
		},
	},
	{
		operation: 'proposal.get',
		tookEffect: async ({ own, found }, _, { data }) =>
			isSame(own.ProposalId ?? found.ProposalId!, data?.id),
	},
	{
		operation: 'proposal.update',
		fields: nameAndSeller,
		tookEffect: async (probe, { Name }) => isSame(Name, (await readProposal(probe))?.name),
	},
	{
		operation: 'proposal.updateDescription',
		fields: (_, attempt) => ({ Description: `n8n probe description ${attempt}` }),
		tookEffect: async (probe, { Description }) =>
			isSame(Description, (await readProposal(probe))?.projectDescription),
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
	fields: () => ({ ...PAGE, ...LATEST_FIRST, Statuses: ['Draft', 'Submitted'] }),
	tookEffect: async ({ own }, _, { data }) =>
		own.ProposalId === undefined ||
		listIn(data, 'proposals').some(({ id }) => id === own.ProposalId),
	after: tryFilters('proposal.getMany', 'proposals', {
		SearchText: [{ SearchText: NO_TEXT }],
		ModifiedAfter: [{ ModifiedAfter: new Date(Date.now() + 86_400_000).toISOString() }],
		ContactId: [{ ContactId: NO_ID }],
		Statuses: [{ Statuses: ['EmailFailed'] }],
		IsArchive: [{ IsArchive: false }, { IsArchive: true }],
		...sortingBy('CreatedDate'),
		...PAGING,
	}),
};
