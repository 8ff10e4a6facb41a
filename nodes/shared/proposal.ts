import type { Contact, Proposal, ProposalSummary } from '../../client/model';
import { integer, number, text, type Shape } from './shape';

/** A proposal or change order, from a list, in full, or from an event. */
export type ProposalRecord = Partial<Omit<ProposalSummary & Proposal, 'total'>> & {
	/** Of a change order: the proposal that it belongs to. */
	proposalId?: number;
	/** A number in some events. */
	total?: number | { proposalTotal?: number; changeOrderTotal?: number } | null;
	/** In some events, in place of the dealer's salesperson. */
	salesPerson?: string | null;
};

/** The eight fields of a proposal or change order that people map most. Money is in its currency. */
export const proposalFields: Shape<ProposalRecord> = {
	proposalId: integer(({ id, proposalId }) => proposalId ?? id),
	number: integer(({ number }) => number),
	name: text(({ name }) => name),
	status: text(({ status }) => status),
	customerName: text(({ customer }) => nameOf(customer)),
	customerEmail: text(({ customer }) => customer?.contactEmail),
	salesPersonName: text(({ dealer, salesPerson }) => personOf(dealer?.salesperson) ?? salesPerson),
	proposalTotal: number(totalOf),
};

/** When it was changed last. */
export const lastModifiedDate = text((record: ProposalRecord) => record.lastModifiedDate);

/** A proposal as the ten flat fields that people map. */
export const proposalShape: Shape<ProposalRecord> = {
	id: integer(({ id }) => id),
	...proposalFields,
	lastModifiedDate,
};

const personOf = (
	one: { firstName?: string | null; lastName?: string | null } | null | undefined,
) => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;

/** The name of a customer: the company, or the person where there is none. */
export const nameOf = (contact: Contact | null | undefined) =>
	contact?.companyName || personOf(contact);

function totalOf({ financialSummary, total }: ProposalRecord): number | undefined {
	if (typeof total === 'number') return total;
	const money: { proposalTotal?: number; changeOrderTotal?: number } | null | undefined =
		financialSummary ?? total;
	return money?.proposalTotal ?? money?.changeOrderTotal;
}
