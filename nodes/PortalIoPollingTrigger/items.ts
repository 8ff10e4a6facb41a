/** From the changes that a poll found to the items that the workflow starts with. */
import type { IDataObject } from 'n8n-workflow';
import type { Proposal } from '../../client/model';
import { contactShape } from '../shared/contact';
import {
	changeOrderFields,
	proposalFields,
	proposalShape,
	type ProposalRecord,
} from '../shared/proposal';
import { shapeOf, type Shape } from '../shared/shape';

export interface ChangedRecord {
	/** The proposal, contact, payment request or change order, as it was listed. */
	record: { id: number; status?: string };
	/** For events about a status; null when it is not known. */
	previousStatus?: string | null;
	/** The one that the record belongs to, or its full version; null when that could not be read. */
	proposal?: Pick<Proposal, 'id' | 'number' | 'name' | 'status' | 'customer' | 'dealer'> | null;
}

/** A proposal; in full when it was fetched. The status is the one that the change is about. */
const proposalOf = ({ record, proposal: fetched }: ChangedRecord): ProposalRecord => {
	const listed = record as ProposalRecord;
	return fetched ? { ...fetched, status: listed.status } : listed;
};

const parentOf = ({ proposal }: ChangedRecord) => proposal!;

/** A change order. What it does not say of client and salesperson, its proposal does. */
const changeOrder = shapeOf((changed: ChangedRecord): ProposalRecord => {
	const { dealer, customer, ...one } = changed.record as ProposalRecord;
	const parent = parentOf(changed);
	return {
		...one,
		proposalId: parent.id,
		dealer: dealer ?? parent.dealer,
		customer: customer ?? parent.customer,
	};
}, changeOrderFields);

const payment: Shape = {
	id: ['integer', 'record.id'],
	proposalId: ['integer', 'proposal.id'],
	proposalNumber: ['integer', 'proposal.number'],
	proposalName: ['string', 'proposal.name'],
	status: ['string', 'record.status'],
	previousStatus: 'string',
	amount: ['number', 'record.amount'],
	dueDate: ['string', 'record.dueDate'],
	clientName: [
		'string',
		'proposal.customer.companyName',
		'proposal.customer.firstName + proposal.customer.lastName',
	],
	clientEmail: ['string', 'proposal.customer.contactEmail'],
};

/** The simplified outputs by event. */
export const outputShapes = {
	changeOrderStatusChanged: { ...changeOrder, previousStatus: 'string' },
	contactCreatedOrUpdated: shapeOf(({ record }) => record, contactShape),
	paymentStatusChanged: payment,
	proposalCreated: shapeOf(proposalOf, proposalShape),
	proposalStatusChanged: { ...shapeOf(proposalOf, proposalFields), previousStatus: 'string' },
	proposalUpdated: shapeOf(proposalOf, proposalShape),
} satisfies Record<string, Shape<ChangedRecord>>;

/** The output without *Simplify*: the record, with the full proposal next to it if it was fetched. */
export const fullRecord = ({ record, ...beside }: ChangedRecord): IDataObject =>
	({ ...record, ...beside }) as unknown as IDataObject;

/** The same for a payment request or change order, with its proposal in short. */
export function fullChild(changed: ChangedRecord): IDataObject {
	const { id, number: proposalNumber, name, status, customer = null } = parentOf(changed);
	const proposal = { id, number: proposalNumber, name, status, customer };
	return fullRecord({ ...changed, proposal });
}
