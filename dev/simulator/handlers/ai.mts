import { transcribedContents } from '../ai/work.mts';
import type { Row } from '../database.mts';
import { conflict, requireFound, notFound, ServiceError } from '../errors.mts';
import { findEditable, findProposal } from '../proposals.mts';
import { contentView, outlineView } from '../serializers/fields.mts';
import type { Call, Handler } from '../context.mts';

export function findDraft(call: Call, id?: number): Row {
	const proposal = findProposal(call, id);
	if (proposal.status !== 'Draft') {
		throw conflict(`AI content needs a proposal in Draft; this one is ${proposal.status}.`);
	}
	return proposal;
}

/** Returns a row that belongs to a proposal. Responds with 404 if the proposal belongs to another account. */
function findOwn(call: Call, table: string, id: number, what: string): Row {
	const row = requireFound(call.database.row(table, { id }), what);
	findProposal(call, Number(row.proposal_id));
	return row;
}

const latest = ({ database }: Call, table: 'ai_outlines' | 'ai_builds', { id }: Row) =>
	database.rows(table, { proposal_id: id }).at(-1);

/** Starts an outline or build, unless one is running (assumed). Returns the latest outline or build. */
function begin(call: Call, table: 'ai_outlines' | 'ai_builds', proposal: Row): Row {
	const { status } = latest(call, table, proposal) ?? {};
	if (status !== 'Generating' && status !== 'Building') {
		call.context.beginAi(table, { proposal_id: proposal.id! });
	}
	return latest(call, table, proposal)!;
}

export const ai: Record<string, Handler> = {
	/** Marks content as Invalid if it is empty or, for tests, if its name contains `noise`. */
	'aiContent.upload': (call) => {
		const { database, context } = call;
		// Check again, because the status might have changed during the upload.
		const proposal = findDraft(call);
		const { sourceType, ...file } = call.upload!;
		const id = context.beginAi('ai_contents', {
			proposal_id: proposal.id!,
			user_id: call.userId,
			name: file.name,
			source_type: sourceType,
			created_date: call.now,
			is_unusable: Number(file.bytes === 0 || /noise/i.test(file.name)),
		});
		const upload = { contentId: id, proposalId: proposal.id, ...file };
		database.insert('ai_uploads', { upload: JSON.stringify(upload) });
		return { body: contentView(database, database.row('ai_contents', { id })!) };
	},

	'aiContent.getMany': (call) => {
		const rows = call.database.rows('ai_contents', { proposal_id: findProposal(call).id });
		return { body: { items: rows.map((row) => contentView(call.database, row)) } };
	},

	/** Keeps outlines that were made from the content (assumed). */
	'aiContent.delete': (call) => {
		const { database, values } = call;
		if (values.ProposalId !== undefined) findProposal(call);
		const content = findOwn(call, 'ai_contents', values.ContentId, 'Content');
		const { id, proposal_id: proposalId } = content;
		if ((values.ProposalId ?? proposalId) !== proposalId) throw notFound('Content');
		findDraft(call, Number(proposalId));
		database.delete('ai_contents', { id });
		return { body: { id, deleted: true } };
	},

	/** Responds with 409 if the status prevents editing (assumed). */
	'aiOutline.generate': (call) => {
		const proposal = findEditable(call);
		if (transcribedContents(call.database, proposal).length === 0) {
			const message = 'The proposal has no transcribed content to make an outline from.';
			throw new ServiceError(400, message);
		}
		const { outlineId, status } = outlineView(begin(call, 'ai_outlines', proposal));
		return { body: { proposalId: proposal.id, outlineId, status } };
	},

	'aiOutline.get': (call) => ({
		body: outlineView(requireFound(latest(call, 'ai_outlines', findProposal(call)), 'Outline')),
	}),

	'aiOutline.get.byOutline': (call) => ({
		body: outlineView(findOwn(call, 'ai_outlines', call.values.OutlineId, 'Outline')),
	}),

	/**
	 * Responds with 409 if the status prevents editing. Another build adds its areas to those of the first one. Both
	 * are assumed.
	 */
	'aiBuild.start': (call) => {
		const proposal = findEditable(call);
		if (latest(call, 'ai_outlines', proposal)?.status !== 'Completed') {
			throw new ServiceError(400, 'The proposal has no completed outline to build from.');
		}
		const { status } = begin(call, 'ai_builds', proposal);
		return { body: { proposalId: proposal.id, status } };
	},
};
