/** Subscribes a trigger to its events in Portal.io when n8n publishes the workflow, and unsubscribes it later. */
import type { IHookFunctions } from 'n8n-workflow';
import { apiStatusOf, httpStatusOf, PortalError } from '../../client/errors';
import { isRecord, requireList } from '../../client/responseShape';
import { path } from '../../client/request';
import { openSession, PUBLISHING_REJECTION_MS, type Session } from '../../client/session';
import type { Subscription } from '../../client/webhook';
import { checkParameters, readTriggerEvents } from './eventParameters';
import {
	forgetSubscriptions,
	openMemory,
	rememberSubscriptions,
	subscriptionIds,
	readSubscriptions,
	type Subscriptions,
} from './triggerMemory';
import { planSubscriptions } from './subscriptionPlan';
import { assertReachable, isSameUrl } from './webhookUrl';

/** Returns whether each chosen event has exactly one working subscription, and there are no obsolete ones. */
export async function checkSubscriptions(context: IHookFunctions): Promise<boolean> {
	checkParameters(context);
	const { memory, identity, changes } = await prepare(context, readTriggerEvents(context));
	const { keep, add, remove, warning } = changes;
	const storedEvents = Object.keys(memory.stored.subscriptions ?? {});
	if (storedEvents.length > Object.keys(readSubscriptions(memory.stored)).length) {
		context.logger.warn(
			'Portal.io Trigger: the stored subscriptions cannot be read, so new ones are created',
		);
	}
	if (warning !== '') context.logger.warn(warning);
	if (add.length > 0 || remove.length > 0) return false;
	// Remember the subscriptions again, because this process's memory is empty after a restart.
	rememberSubscriptions(memory, { ...identity, subscriptions: keep });
	return true;
}

/**
 * Creates the missing subscriptions, then deletes the obsolete ones. If one cannot be created, deletes the new ones.
 */
export async function createSubscriptions(context: IHookFunctions): Promise<void> {
	const preparation = await prepare(context, readTriggerEvents(context));
	const { memory, identity, changes } = preparation;
	const { keep, add, remove } = changes;
	const newSubscriptions: Subscriptions = {};
	try {
		for (const event of add) newSubscriptions[event] = await subscribe(preparation, event);
	} catch (error) {
		await deleteNewSubscriptions(preparation, newSubscriptions);
		throw PortalError.from(error as Error);
	}
	await unsubscribe(preparation, remove);
	rememberSubscriptions(memory, { ...identity, subscriptions: { ...keep, ...newSubscriptions } });
}

/**
 * Deletes the node's subscriptions. If a deletion fails, keeps them in the node's memory, because n8n calls this up to
 * three times within three seconds, and the next activation uses those that are left.
 */
export async function deleteSubscriptions(context: IHookFunctions): Promise<void> {
	const preparation = await prepare(context, []).catch((error: Error) => {
		const ids = subscriptionIds(readSubscriptions(openMemory(context).stored));
		if (ids.length > 0) {
			context.logger.warn(
				`Portal.io Trigger: subscriptions ${ids.join(', ')} could not be removed: ${error.message}`,
			);
		}
		throw error;
	});
	const { remove, warning } = preparation.changes;
	const failure = await unsubscribe(preparation, remove);
	if (failure !== undefined) throw failure;
	// Keep another account's subscriptions in memory, because a credential for that account can delete them later.
	if (warning === '') forgetSubscriptions(preparation.memory);
	else context.logger.warn(warning);
}

async function prepare(context: IHookFunctions, events: string[]) {
	const memory = openMemory(context);
	const session = await openSession(context, { rejectionMs: PUBLISHING_REJECTION_MS });
	const url = context.getNodeWebhookUrl('default')!;
	if (events.length > 0) assertReachable(context.getNode(), url, session.account.baseUrl);
	const remote = await listSubscriptions(session);
	const owner = `${context.getInstanceId()} ${context.getWorkflow().id} ${url}`;
	const { identity: account, baseUrl } = session.account;
	const identity = { owner, account, baseUrl };
	const changes = planSubscriptions(remote, memory.stored, { events, url, owner, account });
	return { context, session, memory, url, remote, identity, changes };
}

type Preparation = Awaited<ReturnType<typeof prepare>>;

/** Deletes the subscriptions that a failed activation created, including one whose response was lost. */
async function deleteNewSubscriptions(
	preparation: Preparation,
	newSubscriptions: Subscriptions,
): Promise<void> {
	const { session, url, remote } = preparation;
	const previousIds = remote.map(({ subscriptionId }) => subscriptionId);
	const ids = new Set(subscriptionIds(newSubscriptions));
	// If the list cannot be read, continue without it, because the next activation removes what is left.
	for (const subscription of await listSubscriptions(session).catch(() => [])) {
		const isNew = !previousIds.includes(subscription.subscriptionId);
		if (isNew && isSameUrl(subscription.url, url)) ids.add(subscription.subscriptionId);
	}
	await unsubscribe(preparation, ids);
}

async function listSubscriptions(session: Session): Promise<Subscription[]> {
	const response = await session.send({ method: 'GET', path: '/public/webhook/subscriptions' });
	return requireList(response, 'subscriptions') as unknown as Subscription[];
}

async function subscribe({ context, session, url }: Preparation, event: string) {
	const { description } = context.getNodeParameter('options', {}) as { description?: string };
	const form = {
		Url: url,
		Events: [event],
		Description: description || `n8n: ${context.getWorkflow().name}`,
	};
	const request = { method: 'POST', path: '/public/webhook/subscribe', form } as const;
	const response = await session.send(request).catch((error: PortalError) => {
		const [reason] = error.serviceLines;
		if (httpStatusOf(error) !== '400' || reason === undefined) throw error;
		// Put the reason in the message, because n8n does not show the description when a workflow is published.
		throw error.with({ what: `Portal.io rejected the subscription to '${event}': ${reason}` });
	});
	const { subscriptionId, secretKey } = isRecord(response) ? response : {};
	// Fail without a secret, because no delivery could be verified.
	if (typeof subscriptionId !== 'number' || typeof secretKey !== 'string' || secretKey === '') {
		throw new PortalError('Portal.io created the subscription but did not return its secret');
	}
	return { subscriptionId, secretKey };
}

/** Deletes subscriptions, logs those that remain, and returns the last error. */
async function unsubscribe({ context, session }: Preparation, ids: Iterable<number>) {
	let failure: PortalError | undefined;
	for (const id of ids) {
		try {
			await session.send({ method: 'DELETE', path: path`/public/webhook/unsubscribe/${id}` });
		} catch (error) {
			// Continue if the subscription does not exist. Portal.io documents 400 for that, but 404 is the usual
			// status.
			if (['400', '404'].includes(apiStatusOf(error))) continue;
			failure = PortalError.from(error as Error);
			const { message } = error as Error;
			context.logger.warn(`Portal.io Trigger: subscription ${id} could not be removed: ${message}`);
		}
	}
	return failure;
}
