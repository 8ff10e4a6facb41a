import type { IDataObject } from 'n8n-workflow';
import type { Contact, Proposal, ProposalSummary } from '../../../../client/model';

/** A proposal or change order, from a list or in full, as the ten flat fields that people map. */
export function simplifyProposal(answer: IDataObject): IDataObject {
	const proposal = answer as unknown as Partial<ProposalSummary & Proposal>;
	const total = proposal.financialSummary ?? proposal.total;
	const amount = total as { proposalTotal?: number; changeOrderTotal?: number } | null | undefined;
	return {
		id: proposal.id,
		number: proposal.number,
		name: proposal.name,
		status: proposal.status,
		customerName: nameOf(proposal.customer),
		customerEmail: proposal.customer?.contactEmail ?? null,
		proposalTotal: amount?.proposalTotal ?? amount?.changeOrderTotal ?? null,
		currency: total?.currency?.code ?? null,
		createdDate: proposal.createdDate,
		lastModifiedDate: proposal.lastModifiedDate,
	};
}

function nameOf(contact: Contact | null | undefined): string | null {
	if (!contact) return null;
	const person = [contact.firstName, contact.lastName].filter(Boolean).join(' ');
	return contact.companyName || person || null;
}
