/** The subscriptions of a trigger node at Portal.io, in the steps of its workflow's life. */
import type { IHookFunctions } from 'n8n-workflow';
import { httpStatusOf, PortalError } from '../../client/errors';
import { isRecord, requireList } from '../../client/guards';
import { path } from '../../client/request';
import { openSession, type Session } from '../../client/session';
import type { Subscription } from '../../client/webhook';
import { checkChoices, eventsOf } from './events';
import {
	forget,
	openMemory,
	remember,
	subscriptionIds,
	usableSubscriptions,
	type Subscriptions,
} from './memory';
import { plan } from './plan';
import { assertReachable, isSameAddress } from './webhookUrl';

/** Whether each chosen event has exactly one working subscription, and the node has no others. */
export async function checkSubscriptions(context: IHookFunctions): Promise<boolean> {
	checkChoices(context);
	const { memory, who, planned } = await prepare(context, eventsOf(context));
	const { keep, add, remove, leave } = planned;
	const remembered = Object.keys(memory.stored.subscriptions ?? {});
	if (remembered.length > Object.keys(usableSubscriptions(memory.stored)).length) {
		context.logger.warn(
			'Portal.io Trigger: the stored subscriptions cannot be read, so new ones are created',
		);
	}
	if (leave !== '') context.logger.warn(leave);
	if (add.length > 0 || remove.length > 0) return false;
	// A process that was started again knows them, too.
	remember(memory, { ...who, subscriptions: keep });
	return true;
}

/** Creates the missing subscriptions, then deletes the obsolete ones. If one fails, it undoes the others. */
export async function createSubscriptions(context: IHookFunctions): Promise<void> {
	const step = await prepare(context, eventsOf(context));
	const { keep, add, remove } = step.planned;
	const created: Subscriptions = {};
	try {
		for (const event of add) created[event] = await subscribe(step, event);
	} catch (error) {
		await undo(step, created);
		throw PortalError.from(error as Error);
	}
	await unsubscribe(step, remove);
	remember(step.memory, { ...step.who, subscriptions: { ...keep, ...created } });
}

/**
 * Deletes the subscriptions of the node. If a request fails, the node still remembers them: n8n calls
 * this three times within three seconds, and the next activation uses them.
 */
export async function deleteSubscriptions(context: IHookFunctions): Promise<void> {
	const step = await prepare(context, []).catch((error: Error) => {
		const ids = subscriptionIds(usableSubscriptions(openMemory(context).stored));
		const named = `Portal.io Trigger: subscriptions ${ids.join(', ')}`;
		context.logger.warn(`${named} could not be removed: ${error.message}`);
		throw error;
	});
	const { remove, leave } = step.planned;
	const failure = await unsubscribe(step, remove);
	if (failure !== undefined) throw failure;
	// Subscriptions of another account are not forgotten: the credential may lead there again.
	if (leave === '') forget(step.memory);
	else context.logger.warn(leave);
}

async function prepare(context: IHookFunctions, events: string[]) {
	const memory = openMemory(context);
	const session = await openSession(context);
	const url = context.getNodeWebhookUrl('default')!;
	if (events.length > 0) assertReachable(context.getNode(), url, session.account.baseUrl);
	const remote = await list(session);
	const owner = `${context.getInstanceId()} ${context.getWorkflow().id} ${url}`;
	const who = { owner, account: session.account.identity };
	const planned = plan(remote, memory.stored, { events, url, ...who });
	return { context, session, memory, url, remote, who, planned };
}

type Step = Awaited<ReturnType<typeof prepare>>;

/** Deletes what a failed activation created, including a subscription whose response was lost. */
async function undo(step: Step, created: Subscriptions): Promise<void> {
	const earlier = step.remote.map((one) => one.subscriptionId);
	// If the list cannot be read, the next activation removes what is left.
	const later = await list(step.session).catch(() => []);
	const lost = later
		.filter((one) => isSameAddress(one.url, step.url) && !earlier.includes(one.subscriptionId))
		.map((one) => one.subscriptionId);
	await unsubscribe(step, new Set([...subscriptionIds(created), ...lost]));
}

async function list(session: Session): Promise<Subscription[]> {
	const answer = await session.send({ method: 'GET', path: '/public/webhook/subscriptions' });
	return requireList(answer, 'subscriptions') as unknown as Subscription[];
}

async function subscribe({ context, session, url }: Step, event: string) {
	const { description } = context.getNodeParameter('options', {}) as { description?: string };
	const form = {
		Url: url,
		Events: [event],
		Description: description || `n8n: ${context.getWorkflow().name}`,
	};
	const request = { method: 'POST', path: '/public/webhook/subscribe', form } as const;
	const answer = await session.send(request).catch((error: PortalError) => {
		const [reason] = error.serviceLines;
		if (httpStatusOf(error) !== '400' || reason === undefined) throw error;
		// At an activation n8n shows the message alone, so it says which event was rejected, and why.
		throw error.with({ what: `Portal.io rejected the subscription to '${event}': ${reason}` });
	});
	const { subscriptionId, secretKey } = isRecord(answer) ? answer : {};
	// Without the secret no delivery could be verified.
	if (typeof subscriptionId !== 'number' || typeof secretKey !== 'string' || secretKey === '') {
		throw new PortalError('Portal.io created the subscription but did not return its secret');
	}
	return { subscriptionId, secretKey };
}

/** Deletes subscriptions. Logs those that remain, and returns the last error. */
async function unsubscribe({ context, session }: Step, ids: Iterable<number>) {
	let failure: PortalError | undefined;
	for (const id of ids) {
		try {
			await session.send({ method: 'DELETE', path: path`/public/webhook/unsubscribe/${id}` });
		} catch (error) {
			// Status 400: it is already gone.
			if (httpStatusOf(error) === '400') continue;
			failure = PortalError.from(error as Error);
			const { message } = error as Error;
			context.logger.warn(`Portal.io Trigger: subscription ${id} could not be removed: ${message}`);
		}
	}
	return failure;
}
