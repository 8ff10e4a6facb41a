import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { send } from '../../client/http/request';
import type { Session } from '../../client/http/session';
import type { AnyValues, Operation, Step } from './shared/operation';

/**
 * Sends requests one after the other.
 *
 * @returns the response to the last one
 * @throws NodeApiError that says what was set before and what was not, when one fails
 */
export async function sendSteps(
	session: Session,
	steps: Step[],
	itemIndex: number,
): Promise<unknown> {
	let response: unknown = '';
	for (const [index, { request }] of steps.entries()) {
		response = await send(session, request, itemIndex).catch((error: Error) => {
			throw withProgress(error, steps, index);
		});
	}
	return response;
}

/** What the error says of a creation that could not be completed. */
const ONE_MORE = 'Running the step again would create another one. Complete this one instead.';

/**
 * Sends what follows the creation of a record, if anything does.
 *
 * @param created the response to the creation
 * @returns the record as it is then
 * @throws NodeApiError or NodeOperationError that names the record, which exists
 */
export async function completeCreation(
	session: Session,
	{ afterCreation, reading }: Operation,
	values: AnyValues,
	created: unknown,
	itemIndex: number,
): Promise<unknown> {
	const id = Number((created as IDataObject | null)?.id);
	const steps = afterCreation?.(id, values) ?? [];
	if (steps.length === 0) return created;
	if (!Number.isSafeInteger(id) || id <= 0) throw withoutId(session, steps, itemIndex);
	const following = steps.map(({ sets, request }) => ({
		sets,
		request: { ...request, followsCreation: true },
	}));
	const response = await sendSteps(session, following, itemIndex).catch((error: Error) => {
		error.message = `The proposal was created with the ID ${id}, but not completed: ${error.message}`;
		if (error instanceof NodeApiError || error instanceof NodeOperationError) {
			error.description = `${error.description ?? ''}\n${ONE_MORE}`;
		}
		throw error;
	});
	const { id: answered } = (response || {}) as IDataObject;
	if (Number(answered) === id || reading === undefined) return response;
	// All is done: when this read fails, the record as it was created is a good enough output.
	return await send(session, reading(id), itemIndex).catch(() => created);
}

const withoutId = (session: Session, steps: Step[], itemIndex: number) =>
	new NodeOperationError(session.node, 'Portal.io did not return the ID of the new proposal', {
		itemIndex,
		description: `The proposal was created, but not completed. Not sent: ${labelsOf(steps)}. Check in Portal.io before you run the step again.`,
	});

const labelsOf = (steps: Step[]) =>
	steps.flatMap(({ sets }) => sets.map((label) => `'${label}'`)).join(', ');

/** Adds to an error which fields were set and which were not. */
function withProgress(error: Error, steps: Step[], failed: number): Error {
	if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) return error;
	const progress = [
		['Set', labelsOf(steps.slice(0, failed))],
		['Failed', labelsOf(steps.slice(failed, failed + 1))],
		['Not sent', labelsOf(steps.slice(failed + 1))],
	]
		.filter(([, labels]) => labels !== '')
		.map(([what, labels]) => `${what}: ${labels}.`);
	error.description = [error.description, progress.join(' ')].filter(Boolean).join('\n');
	return error;
}
