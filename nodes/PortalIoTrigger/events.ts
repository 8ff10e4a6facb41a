/** Which events start the workflow, and what they say about their proposal. */
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { asRecord } from '../../client/guards';
import type { Proposal } from '../../client/proposal';
import { WEBHOOK_EVENTS, type EventEnvelope } from '../../client/webhook';
import { proposalFields } from '../shared/shapes';
import type { Shape } from '../shared/shape';
import { isChosenStatus } from '../shared/statuses';
import { splitList } from '../shared/text';
import { checkStatuses, chosenStatuses } from '../shared/triggerFields';
import { MAX_TOLERANCE_SECONDS } from './signature';

/** The chosen and the additional events. */
export function eventsOf(context: IHookFunctions | IWebhookFunctions): string[] {
	const { additionalEvents } = context.getNodeParameter('options', {}) as IDataObject;
	const entries = [context.getNodeParameter('events', []), additionalEvents].flatMap(splitList);
	return [...new Set(entries.filter((entry) => typeof entry === 'string'))];
}

/** Checks the parameters when the workflow is published; throws a NodeOperationError. */
export function checkChoices(context: IHookFunctions): void {
	const events = eventsOf(context);
	if (events.length === 0) {
		const message = "'Trigger On' is empty: choose at least one event";
		throw new NodeOperationError(context.getNode(), message);
	}
	if (events.includes(WEBHOOK_EVENTS.proposalStatus)) checkStatuses(context);
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

/** Whether the workflow starts on an event, and on the status that it reports. */
export function isWanted(context: IWebhookFunctions, event: EventEnvelope): boolean {
	if (!eventsOf(context).includes(event.type)) return false;
	if (event.type !== WEBHOOK_EVENTS.proposalStatus) return true;
	return isChosenStatus(statusOf(event), chosenStatuses(context));
}

/** The ID of the proposal that an event is about, if the event contains it. */
export function proposalIdOf({ type, data }: EventEnvelope): number | undefined {
	const own = type === WEBHOOK_EVENTS.proposalStatus ? data?.id : undefined;
	return Number(data?.proposalId ?? asRecord(data?.proposal)?.id ?? own) || undefined;
}

/** The status that an event reports: of a proposal, an outline, a build or a payment. */
const statusOf = ({ data }: EventEnvelope): unknown =>
	data?.status ?? asRecord(data?.proposal)?.status;

/** The simplified output of an event. */
export const outputShape: Shape = { ...proposalFields, eventType: 'string' };

/**
 * Fields of an event about its proposal. Portal.io does not document the fields of `data`. The fetched
 * proposal may have changed since the event, so the event's own status counts.
 */
export function recordOf(event: EventEnvelope, fetched: Proposal | null | undefined): object {
	const { type, data } = event;
	const own = type === WEBHOOK_EVENTS.proposalStatus ? asRecord(data) : undefined;
	const known: object | undefined = fetched ?? asRecord(data?.proposal) ?? own;
	const id = fetched?.id ?? proposalIdOf(event);
	const status = statusOf(event) ?? fetched?.status;
	return { ...known, id, status, eventType: type };
}
