import type { Proposal, ProposalSummary } from '../../client/model';
import { timeOf } from './recent';

/** The date of a proposal that its status sets (specification, *Proposal detail*). */
const DATE_OF_STATUS: Record<string, keyof Proposal> = {
	Accepted: 'clientLastDecisionDate',
	Completed: 'lastCompletedDate',
	Declined: 'clientLastDecisionDate',
	Submitted: 'lastSubmittedDate',
	ViewedByClient: 'clientLastOpenedDate',
};
/** Statuses that a proposal begins in. */
const INITIAL = ['Draft', 'Undefined'];

/**
 * Whether a proposal that is not remembered has changed its status of late.
 *
 * Not remembered means that it was modified before the horizon last: a date that its status has set
 * since then tells that the status is new. *Delayed*, *EmailFailed* and *Expired* set no date; a
 * proposal comes to them after lying still, so they count as new. *Draft* sets none either, and old
 * drafts are edited every day, so it does not.
 */
export async function hasChangedStatus(
	summary: ProposalSummary,
	horizon: number,
	detail: () => Promise<Proposal | undefined>,
): Promise<boolean> {
	if (INITIAL.includes(summary.status)) return false;
	if (timeOf(summary.createdDate) > horizon) return true;
	const field = DATE_OF_STATUS[summary.status];
	if (field === undefined) return true;
	const proposal = await detail();
	// A date that is left out tells nothing: rather once too often than never.
	return proposal?.[field] === undefined || timeOf(proposal[field]) > horizon;
}
