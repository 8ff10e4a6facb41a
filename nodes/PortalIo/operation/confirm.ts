/** Confirms a change with the records that Portal.io has before and after it. */
import { PortalError } from '../../../client/errors';

/** Returns the records whose IDs did not exist before a change, in the order of their IDs. */
export function newRecords<T extends { id: number }>(before: T[], after: T[]): T[] {
	const previousIds = new Set(before.map(({ id }) => id));
	return after
		.filter(({ id }) => !previousIds.has(id))
		.toSorted((first, second) => first.id - second.id);
}

/** Returns the error of a read that failed after Portal.io has accepted a change. */
export const unconfirmed = (failure: Error): PortalError =>
	PortalError.from(failure).with({
		doubt:
			'Portal.io accepted the request, but the change could not be confirmed. Open the proposal before you run the step again.',
	});
