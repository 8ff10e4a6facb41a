/** Logins that Portal.io has refused, which the polls of all nodes do not repeat. */
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { TooSlowError } from './modifiedRecords';

/** How long a refused login is not repeated: every minute would count against the account. */
const REFUSED_MS = 60 * 60_000;

/** The refused logins, by account ID, which is another one when the credential has changed. */
const refused = new Map<string, { until: number; message: string; description: string }>();

/**
 * Asks nothing for an account whose login was refused.
 *
 * @throws NodeApiError as for that login
 */
export function throwIfRefused({ accountId, node }: Session): void {
	const refusal = refused.get(accountId);
	if (refusal === undefined) return;
	if (refusal.until <= Date.now()) return void refused.delete(accountId);
	const { message, description } = refusal;
	const error = new NodeApiError(node, {}, { message, description, httpCode: '401' });
	error.failure = { cause: 'credential-invalid' };
	throw error;
}

/** The error that a poll ends with; a refused login is remembered. */
export function explainFailure(session: Session, error: Error): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError && error.failure?.cause === 'credential-invalid') {
		const { message } = error;
		const again = 'Polls log in again when the credential has changed, or after an hour.';
		const description = [error.description, again].filter(Boolean).join('\n');
		refused.set(session.accountId, { until: Date.now() + REFUSED_MS, message, description });
	}
	if (session.isStopped) return new TooSlowError(session);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message, description } = error as { message: string; description?: string };
	return new NodeOperationError(session.node, message, { description });
}
