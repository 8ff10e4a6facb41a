import type { Database, Row } from '../database.mts';
import { fieldsOf } from './fields.mts';

/** An AI content. */
export function contentView(database: Database, content: Row) {
	const user = database.get('SELECT * FROM users WHERE id = ?', content.user_id!)!;
	return {
		...fieldsOf(content, 'id name summary status source_type created_date'),
		userCreated: fieldsOf(user, 'id first_name last_name email'),
	};
}

/**
 * An outline. Its text is null until it is completed. `outlineId` is assumed: one path needs it,
 * but it is not documented which response has it.
 */
export const outlineView = (outline: Row) => ({
	...fieldsOf(outline, 'proposal_id'),
	outlineId: outline.id,
	status: outline.status,
	outline: outline.outline,
});
