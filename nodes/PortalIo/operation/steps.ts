/** Several requests of one input, with what they set in the error when one fails. */
import type { FieldValue } from '../../../client/encoding';
import { PortalError } from '../../../client/errors';
import type { Field } from '../fields/field';
import type { Call } from './operation';
import type { OperationRequest } from '../../../client/request';

/** One of several requests that are sent in order. */
export interface Step extends OperationRequest {
	/** The labels of the fields that it sets, as errors name them. */
	sets: string[];
	/**
	 * For a request that must not be sent when it is not needed.
	 *
	 * @param latest the response to the step before
	 * @returns a response that shows that it is set already; undefined when it is not
	 */
	responseIfSet?(latest: unknown): Promise<unknown>;
}

/**
 * Sends requests one after the other.
 *
 * @returns the response to the last one
 * @throws PortalError that says what was set before and what was not, when one fails
 */
export async function sendSteps(call: Call, steps: Step[]): Promise<unknown> {
	let response: unknown = '';
	for (const [index, step] of steps.entries()) {
		response = await sendUnlessSet(call, step, response).catch((error: Error) => {
			throw withProgress(error, steps, index);
		});
	}
	return response;
}

const sendUnlessSet = async (call: Call, { responseIfSet, ...step }: Step, latest: unknown) =>
	(await responseIfSet?.(latest)) ?? (await call.send(step));

/** Adds to an error which fields were set and which were not. */
function withProgress(error: Error, steps: Step[], failed: number): PortalError {
	const progress = [
		['Set', labelsOf(steps.slice(0, failed))],
		['Failed', labelsOf(steps.slice(failed, failed + 1))],
		['Not sent', labelsOf(steps.slice(failed + 1))],
	]
		.filter(([, labels]) => labels !== '')
		.map(([what, labels]) => `${what}: ${labels}.`);
	return PortalError.from(error).with({ progress: [progress.join(' ')] });
}

/** The fields that requests set, as errors list them. */
export const labelsOf = (steps: Step[]) =>
	steps.flatMap(({ sets }) => sets.map((label) => `'${label}'`)).join(', ');

/**
 * Sends an update: one request for each of its parts of which a field was added.
 *
 * @param fields of the collection *Update Fields*
 * @param parts the end of the path of the request that sets each field, in the order of sending
 * @param request where a part goes, and the body for those of its fields that were added
 */
export async function sendUpdate<Name extends string>(
	call: Call<{ updateFields: Partial<Record<Name, FieldValue>> }>,
	fields: Record<Name, Field<FieldValue>>,
	parts: Record<Name, { part: string }>,
	request: (part: string, values: Record<string, FieldValue>) => Omit<Step, 'method' | 'sets'>,
): Promise<unknown> {
	const given = call.values.updateFields;
	const names = (Object.keys(parts) as Name[]).filter((name) => given[name] !== undefined);
	const steps = [...new Set(names.map((name) => parts[name].part))].map((part): Step => {
		const present = names.filter((name) => parts[name].part === part);
		return {
			sets: present.map((name) => fields[name].property.displayName),
			method: 'POST',
			isRepeatable: true,
			...request(part, Object.fromEntries(present.map((name) => [name, given[name]]))),
		};
	});
	return await sendSteps(call, steps);
}
