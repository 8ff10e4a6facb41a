import type { Proposal, ProposalSummary } from '../../client/model';
import { clientName, personName } from './contact';
import { integer, number, optionalId, text, type Shape } from './shape';

/** A proposal or change order, from a list, in full, or from an event. */
export type ProposalRecord = Partial<
	Omit<ProposalSummary & Proposal, 'financialSummary' | 'total'>
> & {
	/** Of a change order: the proposal that it belongs to. */
	proposalId?: number;
	financialSummary?: { proposalTotal?: number; changeOrderSubtotal?: number } | null;
	/** A number in some events. */
	total?: number | { proposalTotal?: number; changeOrderTotal?: number } | null;
	/** In some events, in place of the dealer's salesperson. */
	salesPerson?: string | null;
};

const clientAndSalesperson: Shape<ProposalRecord> = {
	clientName: text(({ customer }) => clientName(customer)),
	clientEmail: text(({ customer }) => customer?.contactEmail),
	salesPersonName: text(
		({ dealer, salesPerson }) => personName(dealer?.salesperson) ?? salesPerson,
	),
};

/** The nine fields of a proposal that people map most. Money is in its currency. */
export const proposalFields: Shape<ProposalRecord> = {
	proposalId: integer(({ id }) => id),
	number: integer(({ number }) => number),
	name: text(({ name }) => name),
	status: text(({ status }) => status),
	contactId: optionalId(({ customer }) => customer?.id),
	...clientAndSalesperson,
	proposalTotal: number(({ financialSummary, total }) =>
		typeof total === 'number' ? total : (financialSummary?.proposalTotal ?? total?.proposalTotal),
	),
};

/** When it was changed last. */
const lastModifiedDate = text((record: ProposalRecord) => record.lastModifiedDate);

/** A proposal as the ten flat fields that people map. */
export const proposalShape: Shape<ProposalRecord> = { ...proposalFields, lastModifiedDate };

/**
 * The nine fields of a change order that people map most. Its total is its own, without tax: a list
 * and the change order in full have different names for it.
 */
export const changeOrderFields: Shape<ProposalRecord> = {
	id: integer(({ id }) => id),
	proposalId: integer(({ proposalId }) => proposalId),
	number: integer(({ number }) => number),
	name: text(({ name }) => name),
	status: text(({ status }) => status),
	...clientAndSalesperson,
	changeOrderTotal: number(({ financialSummary, total }) =>
		typeof total === 'number'
			? total
			: (total?.changeOrderTotal ?? financialSummary?.changeOrderSubtotal),
	),
};

/** A change order as the ten flat fields that people map. */
export const changeOrderShape: Shape<ProposalRecord> = { ...changeOrderFields, lastModifiedDate };
