import { NodeApiError, type IHookFunctions, type JsonObject } from 'n8n-workflow';
import type { CreatedSubscription, Subscription } from '../../service/model';
import { path } from '../../service/path';
import { send } from '../../service/request';

/**
 * The subscriptions of one trigger node at the service: one for each chosen event, since how
 * several events combine in one subscription is disputed (operations.md, *The trigger*).
 */

/** What the node remembers in the static data of its workflow. The secret is shown only once. */
export interface Memory {
	/** The address that the subscriptions deliver to. */
	url?: string;
	/** By event. */
	subscriptions?: Record<string, { subscriptionId: number; secretKey: string }>;
}

/** How what exists differs from what is wanted. */
interface Comparison {
	url: string;
	kept: NonNullable<Memory['subscriptions']>;
	missing: string[];
	/** Ours, but of no use: for an event no longer chosen, disabled, or with a secret not known. */
	stale: number[];
}

/** Whether each chosen event has exactly one working subscription, and nothing else is ours. */
export async function areComplete(context: IHookFunctions): Promise<boolean> {
	const { missing, stale } = await compare(context);
	return missing.length === 0 && stale.length === 0;
}

/**
 * Creates what is missing, then removes what is of no use.
 *
 * @throws NodeApiError when the service refuses; what was created until then is removed again
 */
export async function complete(context: IHookFunctions): Promise<void> {
	const { url, kept, missing, stale } = await compare(context);
	const subscriptions = { ...kept };
	const created: number[] = [];
	try {
		for (const event of missing) {
			const { subscriptionId, secretKey } = await create(context, url, event);
			created.push(subscriptionId);
			subscriptions[event] = { subscriptionId, secretKey };
		}
		for (const id of stale) await remove(context, id);
	} catch (error) {
		await undo(context, created);
		// n8n forgets the static data of an activation that failed; what was kept is still there.
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
	Object.assign(memoryOf(context), { url, subscriptions });
}

/**
 * Removes every subscription of this node.
 *
 * @returns false when the service could not be asked; the node then still remembers them, and the
 * next activation clears up
 */
export async function removeAll(context: IHookFunctions): Promise<boolean> {
	const memory = memoryOf(context);
	try {
		const { kept, stale } = await compare(context);
		const ids = [...Object.values(kept).map(({ subscriptionId }) => subscriptionId), ...stale];
		for (const id of ids) await remove(context, id);
	} catch (error) {
		context.logger.warn(
			`Portal.io Trigger: the subscriptions of this workflow could not be removed: ${(error as Error).message}`,
		);
		return false;
	}
	delete memory.url;
	delete memory.subscriptions;
	return true;
}

/** What the node remembers; n8n saves its changes after a lifecycle method returned. */
function memoryOf(context: IHookFunctions): Memory {
	return context.getWorkflowStaticData('node') as Memory;
}

async function compare(context: IHookFunctions): Promise<Comparison> {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const events = [...new Set(context.getNodeParameter('events', []) as string[])];
	const memory = memoryOf(context);
	const known = memory.subscriptions ?? {};
	const answer = await send(context, { method: 'GET', path: '/public/webhook/subscriptions' });
	const listed = (Array.isArray(answer) ? answer : []) as Subscription[];

	// Ours are those at our address, now or when they were made. The ID alone would not do: it may
	// be somebody else's after the credential was changed to another account.
	const knownIds = new Set(Object.values(known).map(({ subscriptionId }) => subscriptionId));
	const ours = listed.filter(
		(one) => one.url === url || (one.url === memory.url && knownIds.has(one.subscriptionId)),
	);
	const kept: Comparison['kept'] = {};
	for (const event of events) {
		const remembered = known[event];
		const works = ours.some(
			(one) =>
				one.subscriptionId === remembered?.subscriptionId &&
				one.url === url &&
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
	url: string,
	event: string,
): Promise<CreatedSubscription> {
	const { description } = context.getNodeParameter('options', {}) as { description?: string };
	const created = (await send(context, {
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
async function remove(context: IHookFunctions, id: number): Promise<void> {
	try {
		await send(context, { method: 'DELETE', path: path`/public/webhook/unsubscribe/${id}` });
	} catch (error) {
		if ((error as { httpCode?: string }).httpCode !== '400') {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		context.logger.debug(`Portal.io Trigger: subscription ${id} was already gone`);
	}
}

/** Removes what a failed activation had created; what cannot be removed is named in the log. */
async function undo(context: IHookFunctions, ids: number[]): Promise<void> {
	for (const id of ids) {
		try {
			await remove(context, id);
		} catch (error) {
			context.logger.warn(
				`Portal.io Trigger: subscription ${id} could not be removed: ${(error as Error).message}`,
			);
		}
	}
}
