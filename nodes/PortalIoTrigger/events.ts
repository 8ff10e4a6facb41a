import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { splitTexts } from '../shared/triggerFields';

/** The events that the workflow starts on: the chosen ones and the additional ones. */
export function eventsOf(context: IHookFunctions | IWebhookFunctions): string[] {
	const { additionalEvents } = context.getNodeParameter('options', {}) as IDataObject;
	const events = [context.getNodeParameter('events', []), additionalEvents].flatMap(splitTexts);
	return [...new Set(events)];
}
