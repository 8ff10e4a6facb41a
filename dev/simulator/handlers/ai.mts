import { transcribedContents } from '../ai/work.mts';
import type { Row } from '../database.mts';
import { conflict, notFound, ServiceError } from '../errors.mts';
import { findEditable, findProposal } from '../proposals.mts';
import { contentView, outlineView } from '../serializers/fields.mts';
import type { Call, Handler } from '../context.mts';

/** Like findProposal; 409 unless the proposal is in Draft. */
export function findDraft(call: Call, id?: number): Row {
	const proposal = findProposal(call, id);
	if (proposal.status !== 'Draft') {
		throw conflict(`AI content needs a proposal in Draft; this one is ${proposal.status}.`);
	}
	return proposal;
}

/**
 * `POST /public/api/proposals/{ProposalId}/ai/content`, after its body has been received. Assumed:
 * the response is the same in chunk mode. For tests, content that is empty or has `noise` in its
 * name ends as Invalid.
 */
const upload: Handler = (call) => {
	const { database, context } = call;
	// Checked again: the status may have changed during the upload.
	const proposal = findDraft(call);
	const { sourceType, isMultiChunk, parts, ...file } = call.upload!;
	const id = database.insert('ai_contents', {
		proposal_id: proposal.id,
		user_id: call.userId,
		name: file.name,
		source_type: sourceType,
		created_date: call.now,
		is_unusable: file.bytes === 0 || /noise/i.test(file.name),
		next_step_at: context.ai.nextStepAt(),
	});
	database.insert('ai_uploads', {
		content_id: id,
		proposal_id: proposal.id,
		name: file.name,
		file_name: file.fileName,
		bytes: file.bytes,
		sha256: file.sha256,
		is_multi_chunk: isMultiChunk,
		parts: JSON.stringify(parts),
		created_date: call.now,
	});
	setImmediate(() => context.ai.wake());
	return {
		body: contentView(database, database.get('SELECT * FROM ai_contents WHERE id = ?', id)!),
	};
};

/** `GET /public/ai/content?ProposalId=`, alternates with the ID in the path; oldest first. */
const getContents: Handler = (call) => {
	const { id } = findProposal(call);
	const rows = call.database.all(
		'SELECT * FROM ai_contents WHERE proposal_id = ? ORDER BY id',
		id!,
	);
	return { body: { items: rows.map((row) => contentView(call.database, row)) } };
};

/**
 * `DELETE /public/ai/content/{ContentId}`, alternates below the proposal. Outlines made from the
 * content stay (assumed).
 */
const deleteContent: Handler = (call) => {
	const { database, values, accountId } = call;
	if (values.ProposalId !== undefined) findProposal(call);
	const content = database.get(
		`SELECT ai_contents.* FROM ai_contents JOIN proposals ON proposals.id = proposal_id
			WHERE ai_contents.id = ? AND account_id = ?`,
		values.ContentId,
		accountId,
	);
	if (!content || (values.ProposalId ?? content.proposal_id) !== content.proposal_id) {
		throw notFound('Content');
	}
	findDraft(call, Number(content.proposal_id));
	database.run('DELETE FROM ai_contents WHERE id = ?', content.id!);
	return { body: { id: content.id, deleted: true } };
};

const latest = (call: Call, table: 'ai_outlines' | 'ai_builds', proposalId: Row[string]) =>
	call.database.get(
		`SELECT * FROM ${table} WHERE proposal_id = ? ORDER BY id DESC LIMIT 1`,
		proposalId!,
	);

/**
 * `POST /public/ai/generate-outline`, alternate `.../ai/outline`. Assumed: 409 when the status
 * prevents editing; a request while an outline is being generated does not start another.
 */
const generateOutline: Handler = (call) => {
	const { database, context } = call;
	const { id } = findEditable(call);
	if (transcribedContents(context, id!).length === 0) {
		throw new ServiceError(400, 'The proposal has no transcribed content to make an outline from.');
	}
	if (latest(call, 'ai_outlines', id!)?.status !== 'Generating') {
		database.insert('ai_outlines', {
			proposal_id: id,
			is_failing: context.ai.takeFailure('outlines'),
			next_step_at: context.ai.nextStepAt(),
		});
	}
	const { outlineId, status } = outlineView(latest(call, 'ai_outlines', id!)!);
	return { body: { proposalId: id, outlineId, status } };
};

/** `GET /public/api/proposals/{ProposalId}/ai/outline`: the latest one. */
const getOutline: Handler = (call) => {
	const outline = latest(call, 'ai_outlines', findProposal(call).id!);
	if (!outline) throw notFound('Outline');
	return { body: outlineView(outline) };
};

/** `GET /public/ai/outline/{OutlineId}`: any outline of the account. */
const getOutlineById: Handler = (call) => {
	const outline = call.database.get(
		`SELECT ai_outlines.* FROM ai_outlines JOIN proposals ON proposals.id = proposal_id
			WHERE ai_outlines.id = ? AND account_id = ?`,
		call.values.OutlineId,
		call.accountId,
	);
	if (!outline) throw notFound('Outline');
	return { body: outlineView(outline) };
};

/**
 * `POST /public/ai/build-proposal`, alternate `.../ai/build`. Assumed: 409 when the status prevents
 * editing; a request during a build does not start another; a later build adds its areas to those
 * of the first.
 */
const startBuild: Handler = (call) => {
	const { database, context } = call;
	const { id } = findEditable(call);
	if (latest(call, 'ai_outlines', id!)?.status !== 'Completed') {
		throw new ServiceError(400, 'The proposal has no completed outline to build from.');
	}
	if (latest(call, 'ai_builds', id!)?.status !== 'Building') {
		database.insert('ai_builds', {
			proposal_id: id,
			is_failing: context.ai.takeFailure('builds'),
			next_step_at: context.ai.nextStepAt(),
		});
	}
	return { body: { proposalId: id, status: latest(call, 'ai_builds', id!)!.status } };
};

/** Wakes the AI Builder after the handler. */
const waking =
	(handler: Handler): Handler =>
	(call) => {
		const answer = handler(call);
		// The transaction is synchronous: by then it is committed or rolled back.
		setImmediate(() => call.context.ai.wake());
		return answer;
	};

export const ai: Record<string, Handler> = {
	'aiContent.upload': upload,
	'aiContent.getMany': getContents,
	'aiContent.delete': deleteContent,
	'aiOutline.generate': waking(generateOutline),
	'aiOutline.get': getOutline,
	'aiOutline.get.byOutline': getOutlineById,
	'aiBuild.start': waking(startBuild),
};
