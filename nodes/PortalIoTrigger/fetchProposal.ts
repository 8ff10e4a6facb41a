import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { EVENTS, type EventEnvelope } from '../../client/model';
import { path } from '../../client/http/path';
import { send } from '../../client/http/request';
import { openSession } from '../../client/http/session';

/** The sender waits meanwhile, and must be answered within ten seconds. */
const TIMEOUT_MS = 5000;
const NOT_IN_TIME = 'Portal.io did not return the proposal within 5 seconds';

/** Reads the proposal of an event. The event must not wait for it: a failure is part of the result. */
export async function fetchProposal(
	context: IWebhookFunctions,
	event: EventEnvelope,
): Promise<IDataObject> {
	const { data } = event;
	const id =
		data?.proposalId ??
		(data?.proposal as IDataObject | undefined)?.id ??
		(event.type === EVENTS.proposalStatus ? data?.id : undefined);
	if (typeof id !== 'number' && typeof id !== 'string') {
		return { proposal: null, proposalError: 'The event does not say which proposal changed' };
	}
	// Covers all that may take long: a rate limit, a key exchange, the response and its body.
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const timeout = new Promise<never>((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(new Error(NOT_IN_TIME)));
	});
	try {
		return { proposal: await Promise.race([timeout, read(context, id, signal)]) };
	} catch (error) {
		return { proposal: null, proposalError: (error as Error).message };
	}
}

async function read(
	context: IWebhookFunctions,
	id: number | string,
	signal: AbortSignal,
): Promise<IDataObject> {
	const session = await openSession(context, { attempts: 1, timeoutMs: TIMEOUT_MS, signal });
	const proposal = await send(session, { method: 'GET', path: path`/public/proposals/${id}` });
	return proposal as IDataObject;
}
