/** The statuses that can start a workflow. */
import { PAYMENT_STATUSES, PROPOSAL_STATUSES } from '../../client/proposal';
import { choiceKey } from './text';

/** The statuses that users can choose, by the name of the field. */
export const STATUSES = { statuses: PROPOSAL_STATUSES, paymentStatuses: PAYMENT_STATUSES };
export type StatusField = keyof typeof STATUSES;

/** The statuses in which Portal.io creates proposals, payment requests and change orders. */
export const INITIAL_STATUSES = ['Draft', 'Undefined'];

export const isDocumentedStatus = (status: string, field: StatusField): boolean =>
	[...STATUSES[field], ...INITIAL_STATUSES].some(
		(documented) => choiceKey(documented) === choiceKey(status),
	);

/**
 * Returns whether a status starts the workflow. A missing or undocumented status does, because the
 * event would be lost otherwise. If no statuses are chosen, every status does.
 */
export function isChosenStatus(
	status: unknown,
	chosenStatuses: string[],
	field: StatusField = 'statuses',
): boolean {
	if (chosenStatuses.length === 0 || typeof status !== 'string') return true;
	return (
		!isDocumentedStatus(status, field) || chosenStatuses.map(choiceKey).includes(choiceKey(status))
	);
}
