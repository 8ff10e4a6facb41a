/** The steps of contents, outlines and builds. */

import type { Row } from '../database.mts';
import { isTerminal } from '../proposals.mts';
import type { Context } from '../context.mts';
import { buildProposal, outlineText } from './plan.mts';

/** Does a step and returns the changed columns; `next_step_at` is null after the last step. */
type Step = (context: Context, row: Row, proposal: Row, nextStepAt: number) => Row;

const contentStep: Step = (_world, row, _proposal, nextStepAt): Row => {
	if (row.status === 'Uploaded') return { status: 'Processing', next_step_at: nextStepAt };
	if (row.is_unusable) return { status: 'Invalid', next_step_at: null };
	const summary = `${row.source_type} about the rooms, the equipment and the wiring: ${row.name}.`;
	return { status: 'Transcribed', summary, next_step_at: null };
};

function announce(context: Context, type: string, proposal: Row, data: object): void {
	context.publish({
		accountId: Number(proposal.account_id),
		type,
		data: { proposalId: proposal.id, ...data },
	});
}

/**
 * Generating, then Completed or Failed (`Failed` is assumed). The event is sent at the end, not at
 * the beginning; the fields of its data are assumed.
 */
const outlineStep: Step = (context, row, proposal) => {
	const status = row.is_failing ? 'Failed' : 'Completed';
	const contents = transcribedContents(context, proposal.id!);
	announce(context, 'proposal.outline.status_update', proposal, { outlineId: row.id, status });
	return {
		status,
		outline: row.is_failing ? null : outlineText(context.database, proposal, contents),
		next_step_at: null,
	};
};

/**
 * Building, then Completed or Failed (both assumed). A build fails, without a change, if the
 * proposal has meanwhile reached a status that prevents editing.
 */
const buildStep: Step = (context, row, proposal) => {
	const isFailing = row.is_failing === 1 || isTerminal(proposal);
	if (!isFailing) buildProposal(context.database, proposal, context.clock.iso());
	const status = isFailing ? 'Failed' : 'Completed';
	announce(context, 'proposal.build.status_update', proposal, { status });
	return { status, next_step_at: null };
};

/** The contents of a proposal that an outline can be made from. */
export const transcribedContents = (context: Context, proposalId: Row[string]): Row[] =>
	context.database.all(
		`SELECT * FROM ai_contents WHERE proposal_id = ? AND status = 'Transcribed' ORDER BY id`,
		proposalId!,
	);

/** The step for each table, in the order in which they depend on each other. */
export const steps: Record<string, Step> = {
	ai_contents: contentStep,
	ai_outlines: outlineStep,
	ai_builds: buildStep,
};
