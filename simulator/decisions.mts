/** What customer and dealer do in Portal.io itself: no operation of the API does any of it. */

import { setProposalStatus } from './proposals.mts';
import type { World } from './world.mts';

/** Payment requests that the customer can pay. */
const payable = new Set(['Submitted', 'Viewed']);

/** Whether the customer can pay a payment request with this status. */
export const isPayable = (status: string): boolean => payable.has(status);

/** The customer accepts a proposal: the options in `declined` are declined, all others accepted. */
export function acceptProposal(world: World, proposalId: number, declined: number[]): void {
	for (const optionId of declined) {
		world.database.run(
			`UPDATE area_options SET status = 'Declined', last_modified_date = ? WHERE id = ?`,
			world.clock.iso(),
			optionId,
		);
	}
	setProposalStatus(world, proposalId, 'Accepted');
}

/**
 * The dealer moves a proposal back to Draft, which opens all of its options for another choice, and
 * submits it again. Each of the two statuses has its event.
 */
export function reopenProposal(world: World, proposalId: number): void {
	world.database.run(
		`UPDATE area_options SET status = 'Draft', last_modified_date = ?
			WHERE status <> 'Draft' AND area_id IN (SELECT id FROM areas WHERE proposal_id = ?)`,
		world.clock.iso(),
		proposalId,
	);
	setProposalStatus(world, proposalId, 'Draft');
	setProposalStatus(world, proposalId, 'Submitted');
}

/**
 * The customer pays a payment request by card. Portal.io has no event for it; assumed: the proposal
 * counts as modified.
 */
export function payRequest(world: World, proposalId: number, paymentId: number): void {
	world.database.run(
		`UPDATE payment_requests SET status = 'Paid', payment_method = 'Card' WHERE id = ?`,
		paymentId,
	);
	world.database.run(
		'UPDATE proposals SET last_modified_date = ? WHERE id = ?',
		world.clock.iso(),
		proposalId,
	);
}
