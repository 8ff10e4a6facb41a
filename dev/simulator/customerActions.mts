/** What customer and dealer do in Portal.io itself: no operation of the API does any of it. */

import { setProposalStatus } from './proposals.mts';
import type { Context } from './context.mts';

/** Payment requests that the customer can pay. */
const payable = new Set(['Submitted', 'Viewed']);

/** Whether the customer can pay a payment request with this status. */
export const isPayable = (status: string): boolean => payable.has(status);

/** The customer accepts a proposal: the options in `declined` are declined, all others accepted. */
export function acceptProposal(context: Context, proposalId: number, declined: number[]): void {
	const columns = { status: 'Declined', last_modified_date: context.clock.iso() };
	for (const optionId of declined) context.database.update('area_options', optionId, columns);
	setProposalStatus(context, proposalId, 'Accepted');
}

/**
 * The dealer moves a proposal back to Draft, which opens all of its options for another choice, and
 * submits it again. Each of the two statuses has its event.
 */
export function reopenProposal(context: Context, proposalId: number): void {
	context.database.run(
		`UPDATE area_options SET status = 'Draft', last_modified_date = ?
			WHERE status <> 'Draft' AND area_id IN (SELECT id FROM areas WHERE proposal_id = ?)`,
		context.clock.iso(),
		proposalId,
	);
	setProposalStatus(context, proposalId, 'Draft');
	setProposalStatus(context, proposalId, 'Submitted');
}

/**
 * The customer pays a payment request by card. Portal.io has no event for it; assumed: the proposal
 * counts as modified.
 */
export function payRequest(context: Context, proposalId: number, paymentId: number): void {
	const { database, clock } = context;
	database.update('payment_requests', paymentId, { status: 'Paid', payment_method: 'Card' });
	database.update('proposals', proposalId, { last_modified_date: clock.iso() });
}
