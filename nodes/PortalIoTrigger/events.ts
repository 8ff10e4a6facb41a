import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { EVENTS } from '../../client/model';
import { checkStatuses, splitTexts } from '../shared/triggerFields';

/** The events that the workflow starts on: the chosen ones and the additional ones. */
export function eventsOf(context: IHookFunctions | IWebhookFunctions): string[] {
	const { additionalEvents } = context.getNodeParameter('options', {}) as IDataObject;
	const events = [context.getNodeParameter('events', []), additionalEvents].flatMap(splitTexts);
	return [...new Set(events)];
}

/**
 * Checks what the user chose when the workflow is published.
 *
 * @throws NodeOperationError when there is no event, or a status that Portal.io does not have
 */
export function checkChoices(context: IHookFunctions): void {
	const events = eventsOf(context);
	if (events.length === 0) {
		throw new NodeOperationError(
			context.getNode(),
			"'Trigger On' is empty: choose at least one event",
		);
	}
	if (events.includes(EVENTS.proposalStatus)) checkStatuses(context);
}
