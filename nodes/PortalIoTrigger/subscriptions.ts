import {
	NodeApiError,
	NodeOperationError,
	type IHookFunctions,
	type JsonObject,
} from 'n8n-workflow';
import { isLoopback } from '../../client/auth/account';
import type { CreatedSubscription, Subscription } from '../../client/model';
import { path } from '../../client/http/path';
import { send } from '../../client/http/request';
import { openSession, type Session } from '../../client/http/session';
import { isSameAddress, unreachable } from './webhookUrl';
import { forget, memoryOf, remember, type Subscriptions } from './memory';

/**
 * The subscriptions of one trigger node at the service: one for each chosen event, since how
 * several events combine in one subscription is disputed (operations.md, *The trigger*).
 */

const NO_SECRET = 'Portal.io created the subscription but did not return its secret';

/** How what exists differs from what is wanted. */
interface Comparison {
	url: string;
	kept: Subscriptions;
	missing: string[];
	/** Ours, but of no use: for an event no longer chosen, disabled, or with a secret not known. */
	stale: number[];
}

/** Whether each chosen event has exactly one working subscription, and nothing else is ours. */
export async function areComplete(context: IHookFunctions): Promise<boolean> {
	const session = await openSession(context);
	const { url, kept, missing, stale } = await compare(context, session);
	if (missing.length > 0 || stale.length > 0) return false;
	remember(context, url, kept);
	return true;
}

/**
 * Creates what is missing, then removes what is of no use.
 *
 * @throws NodeOperationError when the service could not reach this n8n, NodeApiError when it
 * refuses; what was created until then is removed again
 */
export async function complete(context: IHookFunctions): Promise<void> {
	const session = await openSession(context);
	assertReachable(context, session);
	const { url, kept, missing, stale } = await compare(context, session);
	const subscriptions = { ...kept };
	const created: number[] = [];
	try {
		for (const event of missing) {
			const { subscriptionId, secretKey } = await create(context, session, url, event);
			created.push(subscriptionId);
			// Nothing that it delivers could be verified.
			if (!secretKey) throw new NodeOperationError(context.getNode(), NO_SECRET);
			subscriptions[event] = { subscriptionId, secretKey };
		}
		for (const id of stale) await remove(context, session, id);
	} catch (error) {
		await undo(context, session, url, kept, created);
		// n8n forgets the static data of an activation that failed; what was kept is still there.
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
	remember(context, url, subscriptions);
}

/**
 * Removes every subscription of this node.
 *
 * @throws NodeApiError when the service could not be asked: n8n then tries again, and says in the
 * editor what is left. The node still remembers them, and the next activation clears up
 */
export async function removeAll(context: IHookFunctions): Promise<void> {
	const memory = memoryOf(context);
	const known = Object.values(memory.subscriptions ?? {}).map((one) => one.subscriptionId);
	try {
		const session = await openSession(context);
		const { url, kept, stale } = await compare(context, session);
		const ids = [...Object.values(kept).map(({ subscriptionId }) => subscriptionId), ...stale];
		for (const id of ids) await remove(context, session, id);
		const gone = known.filter((id) => !ids.includes(id));
		if (gone.length > 0) {
			context.logger.info(
				`Portal.io Trigger: subscriptions ${gone.join(', ')} were already gone, or belong to an account that the credential no longer leads to`,
			);
		}
		forget(context, url);
	} catch (error) {
		context.logger.warn(
			`Portal.io Trigger: subscriptions ${known.join(', ')} could not be removed: ${(error as Error).message}`,
		);
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
}

async function compare(context: IHookFunctions, session: Session): Promise<Comparison> {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const events = [...new Set(context.getNodeParameter('events', []) as string[])];
	const memory = memoryOf(context);
	const known = memory.subscriptions ?? {};
	const listed = await list(session);

	// Ours are those at our address, now or when they were made. The ID alone would not do: it may
	// be somebody else's after the credential was changed to another account.
	const knownIds = new Set(Object.values(known).map(({ subscriptionId }) => subscriptionId));
	const ours = listed.filter(
		(one) =>
			isSameAddress(one.url, url) ||
			(isSameAddress(one.url, memory.url) && knownIds.has(one.subscriptionId)),
	);
	const kept: Subscriptions = {};
	for (const event of events) {
		const remembered = known[event];
		const works = ours.some(
			(one) =>
				one.subscriptionId === remembered?.subscriptionId &&
				isSameAddress(one.url, url) &&
				one.enabled &&
				one.events.length === 1 &&
				one.events[0] === event,
		);
		if (remembered !== undefined && works) kept[event] = remembered;
	}
	const keptIds = new Set(Object.values(kept).map(({ subscriptionId }) => subscriptionId));
	return {
		url,
		kept,
		missing: events.filter((event) => !(event in kept)),
		stale: ours.map((one) => one.subscriptionId).filter((id) => !keptIds.has(id)),
	};
}

/** Specification, *Webhook subscriptions*: create. */
async function create(
	context: IHookFunctions,
	session: Session,
	url: string,
	event: string,
): Promise<CreatedSubscription> {
	const { description } = context.getNodeParameter('options', {}) as { description?: string };
	const created = (await send(session, {
		method: 'POST',
		path: '/public/webhook/subscribe',
		form: {
			Url: url,
			Events: [event],
			Description: description || `n8n: ${context.getWorkflow().name ?? 'workflow'}`,
		},
	})) as CreatedSubscription;
	return created;
}

/** Specification, *Webhook subscriptions*: delete. Status 400 says that it is already gone. */
async function remove(context: IHookFunctions, session: Session, id: number): Promise<void> {
	try {
		await send(session, { method: 'DELETE', path: path`/public/webhook/unsubscribe/${id}` });
	} catch (error) {
		if ((error as { httpCode?: string }).httpCode !== '400') {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		context.logger.debug(`Portal.io Trigger: subscription ${id} was already gone`);
	}
}

/**
 * Removes what a failed activation had created, also what was created without our hearing of it,
 * as when an answer was lost. What cannot be removed is named in the log.
 */
async function undo(
	context: IHookFunctions,
	session: Session,
	url: string,
	kept: Subscriptions,
	created: number[],
) {
	const ids = new Set(created);
	const keptIds = new Set(Object.values(kept).map(({ subscriptionId }) => subscriptionId));
	try {
		for (const one of await list(session)) {
			const isOurs = isSameAddress(one.url, url) && !keptIds.has(one.subscriptionId);
			if (isOurs) ids.add(one.subscriptionId);
		}
	} catch (error) {
		context.logger.debug(`Portal.io Trigger: nothing to compare with: ${(error as Error).message}`);
	}
	for (const id of ids) {
		try {
			await remove(context, session, id);
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

/**
 * Stops an activation at whose address no event would ever arrive. Only a simulator on this machine
 * delivers to this machine.
 */
function assertReachable(context: IHookFunctions, session: Session): void {
	const url = context.getNodeWebhookUrl('default') ?? '';
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
