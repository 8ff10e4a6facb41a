/** From the changes that a poll found to the items that the workflow starts with. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Contact, PaymentRequest } from '../../client/model';
import { clientName, contactShape } from '../shared/contact';
import { describeFailure } from '../shared/failure';
import {
	changeOrderFields,
	proposalFields,
	proposalShape,
	type ProposalRecord,
} from '../shared/proposal';
import { integer, number, shapeOf, text, type Shape, simplifyTo } from '../shared/shape';
import type { ChangedRecord, PollEvent } from './types';
import { mapConcurrent } from '../../client/concurrency';
import { checkStatuses, isChosenStatus, isOn, splitTexts } from '../shared/triggerFields';
import { CONCURRENT_READS, type ProposalReader } from './proposalReader';

/** A proposal; in full when it was fetched. The status is the one that the change is about. */
const proposalOf = ({ record, proposal: fetched }: ChangedRecord): ProposalRecord => {
	const listed = record as ProposalRecord;
	return fetched ? { ...fetched, status: listed.status } : listed;
};

/** The proposal of a payment request or change order, which all of them have. */
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

const previousStatus = text((changed: ChangedRecord) => changed.previousStatus);

const paymentOf = ({ record }: ChangedRecord) => record as PaymentRequest;

const payment: Shape<ChangedRecord> = {
	id: integer(({ record }) => record.id),
	proposalId: integer((changed) => parentOf(changed).id),
	proposalNumber: integer((changed) => parentOf(changed).number),
	proposalName: text((changed) => parentOf(changed).name),
	status: text(({ record }) => record.status),
	previousStatus,
	amount: number((changed) => paymentOf(changed).amount),
	dueDate: text((changed) => paymentOf(changed).dueDate),
	clientName: text((changed) => clientName(parentOf(changed).customer)),
	clientEmail: text((changed) => parentOf(changed).customer?.contactEmail),
};

/** The simplified outputs by event. */
export const outputShapes = {
	changeOrderStatusChanged: { ...changeOrder, previousStatus },
	contactCreatedOrUpdated: shapeOf(({ record }) => record as Contact, contactShape),
	paymentStatusChanged: payment,
	proposalCreated: shapeOf(proposalOf, proposalShape),
	proposalStatusChanged: { ...shapeOf(proposalOf, proposalFields), previousStatus },
	proposalUpdated: shapeOf(proposalOf, proposalShape),
} satisfies Record<string, Shape<ChangedRecord>>;

/** The output without *Simplify*: the record, and beside it the full proposal if it was fetched. */
export const fullRecord = ({ record, ...beside }: ChangedRecord): IDataObject =>
	({ ...record, ...beside }) as unknown as IDataObject;

/** The same for a payment request or change order, with its proposal in short. */
export function fullChild(changed: ChangedRecord): IDataObject {
	const { id, number: proposalNumber, name, status, customer = null } = parentOf(changed);
	const proposal = { id, number: proposalNumber, name, status, customer };
	return fullRecord({ ...changed, proposal });
}

/**
 * Reads what the user chose for an event.
 *
 * @throws NodeOperationError naming a chosen status that Portal.io does not have
 */
export function readSettings(context: IPollFunctions, event: PollEvent) {
	const { statusField, fetchesProposal } = event;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	if (statusField) checkStatuses(context, statusField);
	return {
		statusField,
		/** Empty for all. */
		statuses: statusField ? splitTexts(context.getNodeParameter(statusField, [])) : [],
		isSimplified: isOn(context.getNodeParameter('simplify', true), true),
		fetchesProposal: fetchesProposal && isOn(options.fetchProposal, false),
		ignoresOwnChanges: event.namesModifier === true && isOn(options.ignoreOwnChanges, false),
	};
}

export type Settings = ReturnType<typeof readSettings>;

/** Whether a change is one that the workflow starts on. */
export const isChosen = ({ record }: ChangedRecord, settings: Settings): boolean =>
	isChosenStatus(record.status, settings.statuses, settings.statusField);

/** Makes the items; a proposal that was deleted or cannot be read is as it was listed. */
export async function toItems(
	reader: ProposalReader,
	event: PollEvent,
	settings: Settings,
	changed: ChangedRecord[],
): Promise<INodeExecutionData[]> {
	const { isSimplified, fetchesProposal } = settings;
	const toItem = (one: ChangedRecord) => ({
		json: isSimplified ? simplifyTo(event.shape, one) : event.full(one),
	});
	if (!fetchesProposal) return changed.map(toItem);
	return await mapConcurrent(changed, CONCURRENT_READS, async (one) => {
		const proposal = (await reader.read(one.record.id)) ?? null;
		const { json } = toItem({ ...one, proposal });
		const reason = reader.skipped.get(one.record.id);
		return { json: reason ? { ...json, proposalError: describeFailure(reason) } : json };
	});
}
