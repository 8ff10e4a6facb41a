import type { Proposal } from '../../client/model';
import { parseTime } from './dates';
import type { Candidate } from './types';

/** Statuses that a proposal, payment request or change order is created in. */
export const INITIAL_STATUSES = ['Draft', 'Undefined'];

/** The date that a proposal gets when it enters a status. */
const DATE_OF_STATUS: Record<string, keyof Proposal> = {
	Accepted: 'clientLastDecisionDate',
	Completed: 'lastCompletedDate',
	Declined: 'clientLastDecisionDate',
	Submitted: 'lastSubmittedDate',
	ViewedByClient: 'clientLastOpenedDate',
};

/**
 * Whether a proposal whose earlier status is not known has a new status.
 *
 * Where entering the status sets a date, the date decides. *Delayed*, *EmailFailed* and *Expired* set
 * none; a proposal enters them after a time without changes, so they count as new. *Draft* sets none
 * either, and old drafts are edited every day, so it does not count.
 */
export async function hasNewStatus(candidate: Candidate): Promise<boolean> {
	const { record, reportedUntil } = candidate;
	if (INITIAL_STATUSES.includes(record.status)) return false;
	if (parseTime(record.createdDate) > reportedUntil) return true;
	const field = DATE_OF_STATUS[record.status];
	if (field === undefined) return true;
	const proposal = await candidate.readProposal();
	// Without the date it is unknown: better to report a status twice than never.
	return proposal?.[field] === undefined || parseTime(proposal[field]) > reportedUntil;
}
