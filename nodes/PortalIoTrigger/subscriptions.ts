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
import { openSession, type Session } from '../../client/session';
import { checkChoices, eventsOf } from './events';
import {
	forget,
	memoryOf,
	ownerOf,
	remember,
	storedSubscriptions,
	subscriptionIds,
	type Memory,
	type Subscriptions,
} from './memory';
import { list, subscribe, tryToUnsubscribe, unsubscribe, urlOf } from './subscriptionRequests';
import { isSameAddress, unreachable } from './webhookUrl';

/**
 * What a trigger had before n8n replaces it: n8n calls `delete` for the published version and then
 * `create` for the new one, with the same static data. Only by these can `create` tell that from the
 * publication of a workflow that was not active (docs/n8n-internals.md#activation-and-deactivation).
 */
const replaced = new WeakMap<Memory, { account: string; events: string[] }>();

/** The static data with which `create` failed and left subscriptions of the version before. */
const kept = new WeakSet<Memory>();

/**
 * Whether each chosen event has exactly one working subscription, and the node has no others.
 *
 * @throws NodeOperationError when what the user chose cannot be published
 */
export async function checkSubscriptions(context: IHookFunctions): Promise<boolean> {
	checkChoices(context);
	const session = await openSession(context);
	const found = await compare(context, session);
	if (found.isBroken) {
		context.logger.warn(
			'Portal.io Trigger: the stored subscriptions cannot be read, so new ones are created',
		);
	}
	warnOfOthers(context, found);
	const { working, missing, obsolete } = found;
	if (missing.length > 0 || obsolete.length > 0) return false;
	remember(context, urlOf(context), session.identity, working);
	return true;
}

/**
 * Creates the missing subscriptions, then deletes the obsolete ones.
 *
 * @throws NodeOperationError when what the user chose cannot be published, or when Portal.io cannot
 * reach this n8n; NodeApiError when a subscription
 * cannot be created, after deleting what was created until then. What worked before stays, or comes
 * back with a new secret
 */
export async function createSubscriptions(context: IHookFunctions): Promise<void> {
	checkChoices(context);
	const session = await openSession(context);
	assertReachable(context, session);
	const memory = memoryOf(context);
	const { working, missing, obsolete, known, before } = await compare(context, session);
	const created: Subscriptions = {};
	try {
		for (const event of missing) created[event] = await subscribe(context, session, event);
	} catch (error) {
		await undo(context, session, subscriptionIds(created), before);
		if (known.length > 0 || (await restore(context, session))) kept.add(memory);
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
	await tryToUnsubscribe(context, session, obsolete);
	remember(context, urlOf(context), session.identity, { ...working, ...created });
	replaced.delete(memory);
}

/**
 * Deletes the subscriptions of the node.
 *
 * @throws NodeApiError when a request fails. n8n then calls this again, three times within three
 * seconds in all. The node still remembers its subscriptions, and the next activation uses them
 */
export async function deleteSubscriptions(context: IHookFunctions): Promise<void> {
	const memory = memoryOf(context);
	if (kept.delete(memory)) {
		// n8n calls this after a `create` that failed, and closes the address unless it fails as well.
		throw new NodeOperationError(
			context.getNode(),
			'The workflow still starts on the events of the version before, because the new subscriptions could not be created',
		);
	}
	const { subscriptions } = storedSubscriptions(memory);
	try {
		const session = await openSession(context);
		const found = await compare(context, session);
		const { own, known, elsewhere, foreign, isForgetful } = found;
		if (known.length > 0) {
			replaced.set(memory, { account: session.identity, events: Object.keys(subscriptions) });
		}
		// Those that it does not remember may be of an n8n that takes the place of this one.
		const ids = isForgetful ? own : known;
		for (const id of ids) await unsubscribe(context, session, id);
		warnOfOthers(context, found);
		// What another has is not forgotten: the credential may lead there again.
		if (foreign.length === 0 && elsewhere.length === 0) forget(context, urlOf(context));
	} catch (error) {
		context.logger.warn(
			`Portal.io Trigger: subscriptions ${subscriptionIds(subscriptions).join(', ')} could not be removed: ${(error as Error).message}`,
		);
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
}

/** Compares what Portal.io has with the chosen events and with what the node remembers. */
async function compare(context: IHookFunctions, session: Session) {
	const url = urlOf(context);
	const memory = memoryOf(context);
	const { subscriptions: stored, isBroken } = storedSubscriptions(memory);
	// In a copy of a workflow they are those of the original: neither used nor deleted.
	const isForeign = memory.owner !== ownerOf(context, url);
	const remembered = isForeign ? {} : stored;
	const foreign = isForeign ? subscriptionIds(stored) : [];
	const atUrl = (await list(session)).filter((one) => isSameAddress(one.url, url));
	const before = atUrl.map((one) => one.subscriptionId);
	const own = before.filter((id) => !foreign.includes(id));
	const works = ({ subscriptionId, enabled, events }: Subscription, event: string) =>
		subscriptionId === remembered[event]?.subscriptionId && enabled && String(events) === event;
	const events = eventsOf(context);
	const working: Subscriptions = {};
	for (const event of events) {
		if (atUrl.some((one) => works(one, event))) working[event] = remembered[event]!;
	}
	const workingIds = subscriptionIds(working);
	const rememberedIds = subscriptionIds(remembered);
	const known = rememberedIds.filter((id) => own.includes(id));
	// Another user of the same account finds those that the user before has created.
	const isOtherAccount = memory.account !== session.identity && known.length === 0;
	return {
		working,
		/** Events without a working subscription. */
		missing: events.filter((event) => !Object.hasOwn(working, event)),
		/** All that deliver to this address. */
		before,
		/** Those of them that are not known to be another's. */
		own,
		/** Those of them that are disabled, not needed, or have an unknown secret. */
		obsolete: own.filter((id) => !workingIds.includes(id)),
		/** Those that the node remembers and that exist. */
		known,
		/** Those that the node remembers in another account. */
		elsewhere: isOtherAccount ? rememberedIds : [],
		foreign,
		/** Whether the node remembers none. */
		isForgetful: rememberedIds.length === 0,
		isBroken,
	};
}

/** Says in the log which subscriptions stay because they are not this node's or this account's. */
function warnOfOthers(
	context: IHookFunctions,
	{ foreign, elsewhere }: Awaited<ReturnType<typeof compare>>,
): void {
	const warn = (ids: number[], why: string) =>
		context.logger.warn(`Portal.io Trigger: subscriptions ${ids.join(', ')} stay, as ${why}`);
	if (foreign.length > 0) {
		warn(
			foreign,
			'another workflow, n8n or webhook URL created them. If this workflow replaces it, remove them in Portal.io',
		);
	}
	if (elsewhere.length > 0) {
		warn(
			elsewhere,
			'the credential now leads to another Portal.io account. Remove them in the former account',
		);
	}
}

/**
 * Deletes what a failed activation created, including a subscription whose response was lost.
 *
 * @param before what delivered to the address before the activation
 */
async function undo(
	context: IHookFunctions,
	session: Session,
	created: number[],
	before: number[],
): Promise<void> {
	const ids = new Set(created);
	try {
		for (const { url, subscriptionId } of await list(session)) {
			if (isSameAddress(url, urlOf(context)) && !before.includes(subscriptionId)) {
				ids.add(subscriptionId);
			}
		}
	} catch {
		// The next activation removes what is left.
	}
	await tryToUnsubscribe(context, session, ids);
}

/** Subscribes again to the events of the version before, and says whether the node has any again. */
async function restore(context: IHookFunctions, session: Session): Promise<boolean> {
	const former = replaced.get(memoryOf(context));
	if (former?.account !== session.identity) return false;
	const subscriptions: Subscriptions = {};
	for (const event of former.events) {
		try {
			subscriptions[event] = await subscribe(context, session, event);
		} catch (error) {
			context.logger.warn(
				`Portal.io Trigger: the subscription to '${event}' could not be restored: ${(error as Error).message}`,
			);
		}
	}
	if (subscriptionIds(subscriptions).length === 0) return false;
	remember(context, urlOf(context), session.identity, subscriptions);
	return true;
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
