import type { IDataObject } from 'n8n-workflow';

/** A change order with the ID of its proposal, which the service leaves out. */
export const withProposalId = (
	changeOrder: IDataObject,
	{ proposalId }: { proposalId: number },
): IDataObject & { proposalId: number } => ({ proposalId, ...changeOrder });
