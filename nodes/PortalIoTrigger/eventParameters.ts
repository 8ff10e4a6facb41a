import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { asRecord } from '../../client/responseShape';
import type { Proposal } from '../../client/proposal';
import { WEBHOOK_EVENTS, type EventEnvelope } from '../../client/webhook';
import { triggerDetailFields, triggerProposalFields } from '../shared/shapes';
import type { Shape } from '../shared/simplify';
import { splitList } from '../shared/text';
import { readValidStatuses, readStatuses } from '../shared/triggerFields';
import { MAX_TOLERANCE_SECONDS } from './deliverySignature';

export function readTriggerEvents(context: IHookFunctions | IWebhookFunctions): string[] {
	const { additionalEvents } = context.getNodeParameter('options', {}) as IDataObject;
	const entries = [context.getNodeParameter('events', []), additionalEvents].flatMap(splitList);
	return [...new Set(entries.filter((entry) => typeof entry === 'string'))];
}

/** Checks the parameters when the workflow is published. Throws a NodeOperationError if one is invalid. */
export function checkParameters(context: IHookFunctions): void {
	const events = readTriggerEvents(context);
	if (events.length === 0) {
		const message = "'Trigger On' is empty: choose at least one event";
		throw new NodeOperationError(context.getNode(), message);
	}
	if (events.includes(WEBHOOK_EVENTS.proposalStatus)) readValidStatuses(context);
	checkMaxAge(context);
}

function checkMaxAge(context: IHookFunctions): void {
	const { toleranceSeconds = 1 } = context.getNodeParameter('options', {}) as IDataObject;
	const seconds = Number(toleranceSeconds);
	if (seconds >= 1 && seconds <= MAX_TOLERANCE_SECONDS) return;
	throw new NodeOperationError(
		context.getNode(),
		`'Max Event Age (Seconds)' must be a number from 1 to ${MAX_TOLERANCE_SECONDS}; it is '${String(toleranceSeconds)}'`,
	);
}

/** Returns the statuses for which this event starts the workflow; an empty list if it does so for every status. */
export const statusFilter = (context: IWebhookFunctions, { type }: EventEnvelope): string[] =>
	type === WEBHOOK_EVENTS.proposalStatus ? readStatuses(context) : [];

/** Returns the ID of the proposal that an event is about; undefined if the event does not contain it. */
export function findProposalId({ type, data }: EventEnvelope): number | undefined {
	const ownId = type === WEBHOOK_EVENTS.proposalStatus ? data?.id : undefined;
	return Number(data?.proposalId ?? asRecord(data?.proposal)?.id ?? ownId) || undefined;
}

/**
 * Returns the status that an event reports for a proposal, outline, build, or payment; undefined if it reports none.
 */
export function findReportedStatus({ data }: EventEnvelope): string | undefined {
	const status = data?.status ?? asRecord(data?.proposal)?.status;
	return typeof status === 'string' ? status : undefined;
}

export const outputShape: Shape = {
	...triggerProposalFields,
	...triggerDetailFields,
	eventType: 'string',
};

/**
 * Returns the record for the simplified output: the full proposal or, if it was not read, the fields in the event. Adds
 * the event's type and status. Portal.io does not document what `data` contains, so this uses `data.proposal` or, for a
 * proposal's status, `data` itself.
 *
 * @param status status in the event, which can differ from the proposal's current status
 */
export function toEventRecord(
	event: EventEnvelope,
	proposal: Proposal | null | undefined,
	status: string | undefined,
): object {
	const { type, data } = event;
	const ownData = type === WEBHOOK_EVENTS.proposalStatus ? asRecord(data) : undefined;
	const record: object | undefined = proposal ?? asRecord(data?.proposal) ?? ownData;
	const id = proposal?.id ?? findProposalId(event);
	return { ...record, id, status, eventType: type };
}
