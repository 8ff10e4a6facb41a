import type { Database, Row } from '../database.mts';
import { compact } from './fields.mts';

/** AI content item: specification; public reference 8.1. */
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
 * Outline: public reference 8.5; its text is null until it is completed. `outlineId` is assumed: the
 * specification's path asks for it, and no document says where it comes from.
 */
export const outlineView = (outline: Row) => ({
	proposalId: outline.proposal_id,
	outlineId: outline.id,
	status: outline.status,
	outline: outline.outline,
});
