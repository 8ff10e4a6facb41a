import type { Contact, Proposal, ProposalSummary } from '../../client/model';
import { integer, number, text, type Shape } from './shape';

/** A proposal or change order, from a list, in full, or from an event. */
export type ProposalRecord = Partial<ProposalSummary & Proposal> & {
	/** Of a change order: the proposal that it belongs to. */
	proposalId?: number;
};

/** A proposal or change order as the ten flat fields that people map. Money is in its currency. */
export const proposalShape: Shape<ProposalRecord> = {
	id: integer(({ id }) => id),
	proposalId: integer(({ id, proposalId }) => proposalId ?? id),
	number: integer(({ number }) => number),
	name: text(({ name }) => name),
	status: text(({ status }) => status),
	customerName: text(({ customer }) => nameOf(customer)),
	customerEmail: text(({ customer }) => customer?.contactEmail),
	salesPersonName: text(({ dealer }) => personOf(dealer?.salesperson)),
	proposalTotal: number(totalOf),
	lastModifiedDate: text(({ lastModifiedDate }) => lastModifiedDate),
};

const personOf = (
	one: { firstName?: string | null; lastName?: string | null } | null | undefined,
) => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;

const nameOf = (contact: Contact | null | undefined) => contact?.companyName || personOf(contact);

function totalOf({ financialSummary, total }: ProposalRecord): number | undefined {
	const money = (financialSummary ?? total) as
		{ proposalTotal?: number; changeOrderTotal?: number } | null | undefined;
	return money?.proposalTotal ?? money?.changeOrderTotal;
}
