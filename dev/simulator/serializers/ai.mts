import type { Database, Row } from '../database.mts';
import { compact } from './fields.mts';

/** An AI content. */
export function contentView(database: Database, content: Row) {
	const user = database.get('SELECT * FROM users WHERE id = ?', content.user_id!)!;
	return {
		id: content.id,
		name: content.name,
		summary: content.summary,
		status: content.status,
		sourceType: content.source_type,
		createdDate: content.created_date,
		userCreated: compact({
			id: user.id,
			firstName: user.first_name,
			lastName: user.last_name,
			email: user.email,
		}),
	};
}

/**
 * An outline. Its text is null until it is completed. `outlineId` is assumed: one path needs it,
 * but it is not documented which response has it.
 */
export const outlineView = (outline: Row) => ({
	proposalId: outline.proposal_id,
	outlineId: outline.id,
	status: outline.status,
	outline: outline.outline,
});
