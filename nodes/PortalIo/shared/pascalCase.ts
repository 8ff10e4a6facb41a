import type { FieldValue, Fields } from '../../../client/encoding';

/**
 * Values under the names of forms and queries, which are those of the parameters in PascalCase:
 * `salesPersonId` goes out as `SalesPersonId`.
 */
export const toPascalCase = (values: Record<string, FieldValue>): Fields =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name.charAt(0).toUpperCase() + name.slice(1),
			value,
		]),
	);
