import type { ReceivedUpload } from '../ai/upload.mts';
import { contentView } from '../serializers/ai.mts';
import type { Handler } from '../context.mts';
import { findDraft } from './ai.mts';

/**
 * `POST /public/api/proposals/{ProposalId}/ai/content`, after its body has been received. Assumed:
 * the response is the same in chunk mode. For tests, content that is empty or has `noise` in its
 * name ends as Invalid.
 */
const upload: Handler = (call) => {
	const { database, context } = call;
	// checked again: the status may have changed during the upload
	const proposal = findDraft(call);
	const { sourceType, isMultiChunk, parts, ...file } = call.body as ReceivedUpload;
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

/** Handler of the upload. */
export const aiUpload: Record<string, Handler> = { 'aiContent.upload': upload };
