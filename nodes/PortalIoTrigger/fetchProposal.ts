import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readProposal, type EventEnvelope, type Proposal } from '../../client/model';
import { send } from '../../client/request';
import { openSession } from '../../client/session';
import { describeFailure } from '../shared/failure';
import { proposalIdOf } from './events';

/** Portal.io waits for the answer to the event, which must come within ten seconds. */
const TIMEOUT_MS = 5000;

/** Reads the proposal of an event. The event must not wait for it: a failure is part of the result. */
export async function fetchProposal(
	context: IWebhookFunctions,
	event: EventEnvelope,
): Promise<{ proposal: Proposal | null; proposalError?: IDataObject }> {
	// Covers all that may take long: a rate limit, a key exchange, the response and its body.
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const timeout = new Promise<never>((_resolve, reject) => {
		const error = new Error('Portal.io did not return the proposal within 5 seconds');
		signal.addEventListener('abort', () => reject(error));
	});
	const read = async () => {
		const id = proposalIdOf(event);
		if (id === undefined) throw new Error('The event does not say which proposal changed');
		const session = await openSession(context, { attempts: 1, timeoutMs: TIMEOUT_MS, signal });
		return await readProposal((request) => send(session, request), id);
	};
	try {
		return { proposal: await Promise.race([timeout, read()]) };
	} catch (error) {
		return { proposal: null, proposalError: describeFailure(error as Error) };
	}
}
