import {
	NodeApiError,
	NodeOperationError,
	type IHookFunctions,
	type JsonObject,
} from 'n8n-workflow';
import { path } from '../../client/encoding';
import { isRecord, takeList } from '../../client/list';
import type { Subscription } from '../../client/model';
import { send } from '../../client/request';
import type { Session } from '../../client/session';
import type { Subscriptions } from './memory';

/** The webhook URL of the node. */
export const urlOf = (context: IHookFunctions) => context.getNodeWebhookUrl('default')!;

/** All subscriptions of the account, whoever created them. */
export async function list(session: Session): Promise<Subscription[]> {
	const answer = await send(session, { method: 'GET', path: '/public/webhook/subscriptions' });
	return takeList(answer, 'subscriptions') as unknown as Subscription[];
}

/** Creates the subscription to an event. */
export async function subscribe(
	context: IHookFunctions,
	session: Session,
	event: string,
): Promise<Subscriptions[string]> {
	const { description } = context.getNodeParameter('options', {}) as { description?: string };
	const form = {
		Url: urlOf(context),
		Events: [event],
		Description: description || `n8n: ${context.getWorkflow().name}`,
	};
	const request = { method: 'POST', path: '/public/webhook/subscribe', form } as const;
	const answer = await send(session, request).catch((error: unknown) => {
		// At an activation n8n shows the message alone, so it says which event was rejected, and why.
		if (error instanceof NodeApiError && error.httpCode === '400') {
			const [reason] = String(error.description).split('\n');
			error.message = `Portal.io rejected the subscription to '${event}': ${reason}`;
		}
		throw error;
	});
	const { subscriptionId, secretKey } = isRecord(answer) ? answer : {};
	// Without the secret no delivery could be verified.
	if (typeof subscriptionId !== 'number' || typeof secretKey !== 'string' || secretKey === '') {
		throw new NodeOperationError(
			context.getNode(),
			'Portal.io created the subscription but did not return its secret',
		);
	}
	return { subscriptionId, secretKey };
}

/** Deletes a subscription, if it still exists. */
export async function unsubscribe(
	context: IHookFunctions,
	session: Session,
	id: number,
): Promise<void> {
	try {
		await send(session, { method: 'DELETE', path: path`/public/webhook/unsubscribe/${id}` });
	} catch (error) {
		// Status 400: it is already gone.
		if ((error as { httpCode?: string }).httpCode !== '400') {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
	}
}

/** Deletes subscriptions that are not needed. The log names those that remain. */
export async function tryToUnsubscribe(
	context: IHookFunctions,
	session: Session,
	ids: Iterable<number>,
): Promise<void> {
	for (const id of ids) {
		try {
			await unsubscribe(context, session, id);
		} catch (error) {
			context.logger.warn(
				`Portal.io Trigger: subscription ${id} could not be removed: ${(error as Error).message}`,
			);
		}
	}
}
