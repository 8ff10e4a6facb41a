/**
 * The subscriptions of a trigger node at Portal.io: one for each chosen event, because it is not
 * documented how several events combine in one subscription.
 */

import {
	NodeApiError,
	NodeOperationError,
	type IHookFunctions,
	type JsonObject,
} from 'n8n-workflow';
import { isLoopback } from '../../client/account';
import type { Subscription } from '../../client/model';
import { path } from '../../client/encoding';
import { send } from '../../client/request';
import { openSession, type Session } from '../../client/session';
import { eventsOf } from './events';
import { isSameAddress, unreachable } from './webhookUrl';
import { forget, subscriptionIds, memoryOf, remember, type Subscriptions } from './memory';

/** Whether each chosen event has exactly one working subscription, and the node has no others. */
export async function checkSubscriptions(context: IHookFunctions): Promise<boolean> {
	const session = await openSession(context);
	const { working, missing, obsolete } = await compare(context, session);
	// Without an event the activation goes on to say so.
	if (missing.length > 0 || obsolete.length > 0 || subscriptionIds(working).length === 0)
		return false;
	remember(context, urlOf(context), working);
	return true;
}

/**
 * Creates the missing subscriptions, then deletes the obsolete ones.
 *
 * @throws NodeOperationError when Portal.io cannot reach this n8n; NodeApiError when a request
 * fails, after deleting what was created until then
 */
export async function createSubscriptions(context: IHookFunctions): Promise<void> {
	const session = await openSession(context);
	assertReachable(context, session);
	if (eventsOf(context).length === 0) {
		throw new NodeOperationError(
			context.getNode(),
			"'Trigger On' is empty: choose at least one event",
		);
	}
	const { working, missing, obsolete } = await compare(context, session);
	const subscriptions = { ...working };
	const created: number[] = [];
	try {
		for (const event of missing) {
			const { subscriptionId, secretKey } = await subscribe(context, session, event);
			created.push(subscriptionId);
			// Without the secret no delivery could be verified.
			if (!secretKey) {
				throw new NodeOperationError(
					context.getNode(),
					'Portal.io created the subscription but did not return its secret',
				);
			}
			subscriptions[event] = { subscriptionId, secretKey };
		}
		for (const id of obsolete) await unsubscribe(context, session, id);
	} catch (error) {
		await undo(context, session, created, subscriptionIds(working));
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
	remember(context, urlOf(context), subscriptions);
}

/**
 * Deletes all subscriptions of the node.
 *
 * @throws NodeApiError when a request fails. n8n then tries again and shows the error in the editor.
 * The node still remembers its subscriptions, and the next activation deletes the obsolete ones
 */
export async function deleteSubscriptions(context: IHookFunctions): Promise<void> {
	const known = subscriptionIds(memoryOf(context).subscriptions);
	try {
		const session = await openSession(context);
		const { working, obsolete } = await compare(context, session);
		const ids = [...subscriptionIds(working), ...obsolete];
		for (const id of ids) await unsubscribe(context, session, id);
		const gone = known.filter((id) => !ids.includes(id));
		if (gone.length > 0) {
			context.logger.info(
				`Portal.io Trigger: subscriptions ${gone.join(', ')} were already gone, or belong to an account that the credential no longer leads to`,
			);
		}
	} catch (error) {
		context.logger.warn(
			`Portal.io Trigger: subscriptions ${known.join(', ')} could not be removed: ${(error as Error).message}`,
		);
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
	forget(context, urlOf(context));
}

/** Compares what Portal.io has with the chosen events. */
async function compare(context: IHookFunctions, session: Session) {
	const url = urlOf(context);
	const { url: knownUrl, subscriptions: known = {} } = memoryOf(context);
	const knownIds = subscriptionIds(known);
	// A known ID at another address may belong to somebody else, if the credential was changed.
	const own = (await list(session)).filter(
		(one) =>
			isSameAddress(one.url, url) ||
			(isSameAddress(one.url, knownUrl) && knownIds.includes(one.subscriptionId)),
	);
	const works = (event: string) =>
		own.some(
			(one) =>
				one.subscriptionId === known[event]?.subscriptionId &&
				isSameAddress(one.url, url) &&
				one.enabled &&
				one.events.length === 1 &&
				one.events[0] === event,
		);
	const events = eventsOf(context);
	const working: Subscriptions = {};
	for (const event of events) {
		const subscription = known[event];
		if (subscription !== undefined && works(event)) working[event] = subscription;
	}
	const workingIds = subscriptionIds(working);
	return {
		working,
		/** Events without a working subscription. */
		missing: events.filter((event) => !Object.hasOwn(working, event)),
		/** Subscriptions of the node that are disabled, not needed, or have an unknown secret. */
		obsolete: own.map((one) => one.subscriptionId).filter((id) => !workingIds.includes(id)),
	};
}

/**
 * Deletes what a failed activation created, including a subscription whose response was lost. The
 * log names what remains.
 */
async function undo(context: IHookFunctions, session: Session, created: number[], keep: number[]) {
	const ids = new Set(created);
	try {
		for (const { url, subscriptionId } of await list(session)) {
			if (isSameAddress(url, urlOf(context)) && !keep.includes(subscriptionId)) {
				ids.add(subscriptionId);
			}
		}
	} catch (error) {
		context.logger.debug(
			`Portal.io Trigger: subscriptions could not be listed: ${(error as Error).message}`,
		);
	}
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

async function list(session: Session): Promise<Subscription[]> {
	const answer = await send(session, { method: 'GET', path: '/public/webhook/subscriptions' });
	return (Array.isArray(answer) ? answer : []) as Subscription[];
}

async function subscribe(context: IHookFunctions, session: Session, event: string) {
	const { description } = context.getNodeParameter('options', {}) as { description?: string };
	const form = {
		Url: urlOf(context),
		Events: [event],
		Description: description || `n8n: ${context.getWorkflow().name ?? 'workflow'}`,
	};
	const request = { method: 'POST', path: '/public/webhook/subscribe', form } as const;
	const created = await send(session, request).catch((error: unknown) => {
		// At an activation n8n shows the message alone, so it says which event was rejected, and why.
		if (error instanceof NodeApiError && error.httpCode === '400') {
			const [reason = ''] = (error.description ?? '').split('\n');
			error.message = `Portal.io rejected the subscription to '${event}': ${reason}`;
		}
		throw error;
	});
	return created as Subscription & { secretKey: string };
}

async function unsubscribe(context: IHookFunctions, session: Session, id: number): Promise<void> {
	try {
		await send(session, { method: 'DELETE', path: path`/public/webhook/unsubscribe/${id}` });
	} catch (error) {
		// Status 400: it is already gone.
		if ((error as { httpCode?: string }).httpCode !== '400') {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		context.logger.debug(`Portal.io Trigger: subscription ${id} was already gone`);
	}
}

/** Refuses an address that Portal.io cannot deliver to. Only a local simulator reaches this machine. */
function assertReachable(context: IHookFunctions, session: Session): void {
	const url = urlOf(context);
	const reason = unreachable(url);
	if (reason === undefined) return;
	if (isLoopback(session.baseUrl) && isLoopback(url)) return;
	throw new NodeOperationError(
		context.getNode(),
		// At an activation n8n shows the message and not the description, so all of it is here.
		`Portal.io cannot deliver to the webhook URL of this n8n, which is ${reason}: set WEBHOOK_URL of n8n to its public https:// address, or use the 'Portal.io Polling Trigger', which needs none`,
		{
			description: `The URL is ${url}. WEBHOOK_URL is an environment variable of n8n, and holds the address under which the internet reaches it.`,
		},
	);
}

const urlOf = (context: IHookFunctions) => context.getNodeWebhookUrl('default') ?? '';
