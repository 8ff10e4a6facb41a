import { PortalError } from '../../../client/errors';
import { isRecord } from '../../../client/responseShape';
import { isProposal, readProposal, type Proposal } from '../../../client/proposal';
import type { OperationCall } from './operation';

/** Returns the records whose IDs did not exist before a change, in the order of their IDs. */
export function findNewRecords<T extends { id: number }>(before: T[], after: T[]): T[] {
	const previousIds = new Set(before.map(({ id }) => id));
	return after
		.filter(({ id }) => !previousIds.has(id))
		.toSorted((first, second) => first.id - second.id);
}

/** Returns the error for a read that failed after Portal.io accepted a change. */
export const unconfirmedError = (failure: Error): PortalError =>
	PortalError.from(failure).with({
		doubt:
			'Portal.io accepted the request, but the change could not be confirmed. Open the proposal before you run the step again.',
	});

/**
 * Returns a created record, which is usually the response. If the response has an ID but lacks `requiredField`, which
 * every record has, returns the result of `read`. If `read` fails, warns and returns the response, because the record
 * was created.
 */
export async function readCreated(
	call: Pick<OperationCall, 'warn'>,
	response: unknown,
	requiredField: string,
	read: (id: number) => Promise<unknown>,
): Promise<unknown> {
	if (!isRecord(response) || typeof response.id !== 'number') return response;
	if (response[requiredField] !== undefined) return response;
	return await read(response.id).catch((error: Error) => {
		call.warn(
			`The record with the ID ${String(response.id)} was created, but could not be read again, so some output fields are missing: ${error.message}`,
		);
		return response;
	});
}

/**
 * Returns a proposal after an update. If the response is an acknowledgment or a short form without areas and totals,
 * reads the proposal again.
 */
export async function readUpdatedProposal(
	call: Pick<OperationCall, 'send'>,
	id: number,
	response: unknown,
): Promise<Proposal> {
	const isWhole =
		isProposal(response) &&
		response.id === id &&
		Array.isArray(response.areas) &&
		isRecord(response.financialSummary);
	if (isWhole) return response;
	return await readProposal(call, id).catch((failure: Error) => {
		throw PortalError.from(failure).with({
			doubt:
				'Portal.io accepted the change, but the proposal could not be read afterward. You can safely run the step again.',
		});
	});
}
