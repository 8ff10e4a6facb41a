import type { Database, Row } from '../database.mts';
import type { Json } from '../json.mts';
import { viewOf } from './fields.mts';

/** An AI content. */
export function contentView(database: Database, content: Row) {
	const user = database.get('SELECT * FROM users WHERE id = ?', content.user_id!)!;
	return {
		...viewOf('AiContent', content),
		userCreated: viewOf('Uploader', user),
	};
}

/**
 * An outline. Its text is null until it is completed. `outlineId` is assumed: one path needs it,
 * but it is not documented which response has it.
 */
export const outlineView = (outline: Row): Record<string, Json> => ({
	...viewOf('AiOutline', outline),
	outlineId: outline.id,
	outline: outline.outline,
});
