import { PAYMENT_STATUSES, PROPOSAL_STATUSES } from '../../client/proposal';
import { choiceKey } from './text';

/** Statuses that users can choose, by the name of their field. */
export const STATUSES = { statuses: PROPOSAL_STATUSES, paymentStatuses: PAYMENT_STATUSES };
export type StatusField = keyof typeof STATUSES;

/** Statuses with which Portal.io creates proposals, payment requests, and change orders. */
export const INITIAL_STATUSES = ['Draft', 'Undefined'];

export const isDocumentedStatus = (status: string, field: StatusField): boolean =>
	[...STATUSES[field], ...INITIAL_STATUSES].some(
		(documented) => choiceKey(documented) === choiceKey(status),
	);

/**
 * Returns whether a status starts the workflow. Every status does if none is chosen. A missing or undocumented status
 * always does, because its event would otherwise be lost.
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
