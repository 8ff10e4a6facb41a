import type { IDataObject } from 'n8n-workflow';
import type { ChangeOrder, PaymentRequest, Proposal } from '../../client/model';
import { timeOf } from './recent';

/** What has a status of its own within a proposal. */
export type Child = ChangeOrder | PaymentRequest;

/** Statuses that something begins in: it has not changed its status by being there. */
const INITIAL = ['Draft', 'Undefined'];

/** The statuses of what belongs to a proposal, as one short text. */
export function stateOf(children: Child[]): string {
	return children.map(({ id, status }) => `${id}:${status}`).join(' ');
}

/**
 * The children whose status has changed.
 *
 * @param state of the proposal when it was looked at last; undefined when it never was. Then only
 * what bears a time after the horizon can be told to have changed; payment requests bear none
 */
export function changedChildren(
	proposal: Proposal,
	children: Child[],
	state: string | undefined,
	horizon: number,
): IDataObject[] {
	const statuses = new Map(
		(state ?? '')
			.split(' ')
			.filter((entry) => entry !== '')
			.map((entry) => entry.split(':') as [string, string]),
	);
	const isNew = timeOf(proposal.createdDate) > horizon;
	return children
		.filter((child) => {
			const previous = statuses.get(String(child.id));
			if (previous !== undefined) return previous !== child.status;
			if (INITIAL.includes(child.status)) return false;
			if (state !== undefined || isNew) return true;
			return 'lastModifiedDate' in child && timeOf(child.lastModifiedDate) > horizon;
		})
		.map((child) => ({
			...child,
			previousStatus: statuses.get(String(child.id)) ?? null,
			proposal: summaryOf(proposal),
		}));
}

/** Enough of the proposal to know it by. */
export function summaryOf(proposal: Proposal): IDataObject {
	const { id, number, name, status, customer } = proposal;
	return { id, number, name, status, customer: (customer ?? null) as IDataObject | null };
}
