/** What happens to contents, outlines and builds when their time has come. */

import type { Row } from '../database.mts';
import { isTerminal } from '../proposals.mts';
import type { World } from '../world.mts';
import { buildProposal, outlineText } from './plan.mts';

/** The columns of a row after its step; `next_step_at` only where another step follows. */
type Step = (world: World, row: Row, proposal: Row, nextStepAt: number) => Row;

/** Uploaded, Processing, then Transcribed or Invalid: public reference, section 11. */
const contentStep: Step = (_world, row, _proposal, nextStepAt): Row => {
	if (row.status === 'Uploaded') return { status: 'Processing', next_step_at: nextStepAt };
	if (row.is_unusable) return { status: 'Invalid', next_step_at: null };
	const summary = `${row.source_type} about the rooms, the equipment and the wiring: ${row.name}.`;
	return { status: 'Transcribed', summary, next_step_at: null };
};

function announce(world: World, type: string, proposal: Row, data: object): void {
	world.publish({
		accountId: Number(proposal.account_id),
		type,
		data: { proposalId: proposal.id, ...data },
	});
}

/**
 * Generating, then Completed, or Failed (no document names that one). The event comes with the end, not
 * with the beginning (public reference 9.5); the fields of its data are assumed.
 */
const outlineStep: Step = (world, row, proposal) => {
	const status = row.is_failing ? 'Failed' : 'Completed';
	const contents = transcribedContents(world, proposal.id!);
	announce(world, 'proposal.outline.status_update', proposal, { outlineId: row.id, status });
	return {
		status,
		outline: row.is_failing ? null : outlineText(world.database, proposal, contents),
		next_step_at: null,
	};
};

/**
 * Building, then Completed or Failed (both assumed: no document names them). A proposal that meanwhile
 * came into a state that prevents editing is not touched, and the build has failed.
 */
const buildStep: Step = (world, row, proposal) => {
	const isFailing = row.is_failing === 1 || isTerminal(proposal);
	if (!isFailing) buildProposal(world.database, proposal, world.clock.iso());
	const status = isFailing ? 'Failed' : 'Completed';
	announce(world, 'proposal.build.status_update', proposal, { status });
	return { status, next_step_at: null };
};

/** The contents of a proposal that an outline can be made from. */
export const transcribedContents = (world: World, proposalId: Row[string]): Row[] =>
	world.database.all(
		`SELECT * FROM ai_contents WHERE proposal_id = ? AND status = 'Transcribed' ORDER BY id`,
		proposalId!,
	);

/** The step of each table, in the order in which one thing waits for the other. */
export const steps: Record<string, Step> = {
	ai_contents: contentStep,
	ai_outlines: outlineStep,
	ai_builds: buildStep,
};
