import { mapConcurrent } from '../../../client/concurrency';
import { isRecord } from '../../../client/responseShape';
import { InvalidFields, prefixProblems, problemsOf, type Problem } from '../fields/fieldError';
import { FileReference, RecordReference, type Reference } from '../fields/field';

/**
 * Values that might be needed to resolve a reference: those of its row or collection, and those of its input item. For
 * example, an area is looked up in the input item's proposal.
 */
export type Scope = Readonly<Record<string, unknown>>;

/**
 * Finds a record or a file. Throws a ValueError unless exactly one matches. Can return the reference itself, so that
 * the reference can be resolved later.
 */
export type FindReference = (reference: Reference, scope: Scope) => Promise<unknown>;

const ROWS_AT_A_TIME = 5;

/**
 * Replaces all references in declaration order, because a reference can depend on the record in an earlier field.
 * Throws an InvalidFields error for the first reference that cannot be resolved or, in a list of rows, for the first
 * one in each row.
 */
export async function replaceReferences(
	values: Scope,
	find: FindReference,
	outerScope: Scope = {},
): Promise<Record<string, unknown>> {
	const replaced: Record<string, unknown> = { ...values };
	for (const [name, value] of Object.entries(values)) {
		replaced[name] = await replaceIn(value, find, { ...outerScope, ...replaced });
	}
	return replaced;
}

async function replaceIn(value: unknown, find: FindReference, scope: Scope): Promise<unknown> {
	if (value instanceof RecordReference || value instanceof FileReference)
		return await findWithLabel(value, find, scope);
	if (Array.isArray(value)) return await replaceInRows(value, find, scope);
	return isRecord(value) ? await replaceReferences(value, find, scope) : value;
}

export const findWithLabel = async <R extends Reference, T>(
	reference: R,
	find: (reference: R, scope: Scope) => Promise<T>,
	scope: Scope,
): Promise<T> =>
	await find(reference, scope).catch((error: Error) => {
		throw new InvalidFields(problemsOf(error, reference.label));
	});

async function replaceInRows(rows: unknown[], find: FindReference, scope: Scope) {
	const problemsByRow: Problem[][] = [];
	const replaced = await mapConcurrent(rows, ROWS_AT_A_TIME, async (row, index) =>
		replaceIn(row, find, scope).catch((error: Error) => {
			if (!(error instanceof InvalidFields)) throw error;
			problemsByRow[index] = prefixProblems(`Row ${index + 1}`, error.problems);
		}),
	);
	const problems = problemsByRow.flat();
	if (problems.length > 0) throw new InvalidFields(problems);
	return replaced;
}
