import { apiStatusOf, httpStatusOf, isSetupError, PortalError } from '../../client/errors';
import { readProposal, type Proposal } from '../../client/proposal';
import type { Session } from '../../client/session';

/** Error for a poll that has reached its time limit. */
export class TooSlowError extends PortalError {
	constructor() {
		super('Portal.io did not respond within the time limit of a poll', {
			advice: [
				"Nothing is lost, because the next poll starts at the same point. If this continues under n8n's durable scheduler, raise 'N8N_SCHEDULER_POLL_TIMEOUT' and 'N8N_SCHEDULER_LEASE_DURATION'.",
			],
		});
	}
}

/**
 * Reads a full proposal. Returns the failure if it concerns only this proposal. Throws any other failure, because
 * reading other proposals would fail as well.
 */
export async function tryToReadProposal(
	session: Session,
	id: number,
): Promise<Proposal | PortalError> {
	const result = await readProposal(session, id).catch((error: Error) => error);
	if (!(result instanceof Error)) return result;
	if (session.isStopped) throw new TooSlowError();
	if (result instanceof PortalError && concernsOneProposal(result)) return result;
	throw result;
}

/**
 * Returns whether a failure concerns only one proposal, rather than the login, the credential, the Portal.io
 * subscription, the rate limit, the connection, or a proxy or firewall.
 */
function concernsOneProposal(failure: PortalError): boolean {
	const { code, login } = failure.facts ?? {};
	if (isSetupError(failure) || code !== undefined || login !== undefined) return false;
	if (['402', '429'].includes(httpStatusOf(failure))) return false;
	return apiStatusOf(failure) !== '' || !httpStatusOf(failure).startsWith('4');
}

/** Returns whether the failure means that the proposal was deleted or that this user is not allowed to read it. */
export const isHidden = (failure: PortalError): boolean =>
	['403', '404'].includes(apiStatusOf(failure));
