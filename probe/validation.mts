/** What the validation of the service says about the names that it wants. */
import type { Field } from './fields.mts';
import type { Answer } from './model.mts';
import type { Way } from './way.mts';

/** `items[0].itemId` as `items[].itemId`; a name that the service qualifies with `body` without that. */
const pathOf = (fieldName: string) =>
	fieldName.replace(/\[\d*\]/g, '[]').replace(/^(?:body|request|dto)[./]/i, '');

/** Every name that a way sends, in lower case. */
const sentNames = ({ names }: Way, fields: readonly Field[]) =>
	new Set(
		fields.flatMap(({ path }) =>
			(names[path] ?? [path.slice(path.lastIndexOf('.') + 1)]).map((name) => name.toLowerCase()),
		),
	);

/**
 * The names that an error asks for: those that were not sent. What was sent and is named is wrong
 * itself, or not known to the service.
 */
export function wantedFields(
	{ fieldErrors }: Answer,
	way?: Way,
	sent: readonly Field[] = [],
): Field[] {
	const known = way === undefined ? new Set<string>() : sentNames(way, sent);
	const paths = new Set(fieldErrors.map(({ fieldName }) => pathOf(fieldName)));
	return [...paths]
		.filter((path) => /^[\w[\].]+$/.test(path))
		.filter((path) => !known.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase()))
		.map((path) => ({ path, type: 'unknown' }));
}
