/** Changes that need several requests, and the comparison of what was sent with what a record has. */
import type { ServiceRequest } from '../../../client/request';
import { asSent, type FieldValue } from '../../../client/encoding';
import { PortalError } from '../../../client/errors';
import type { Field } from '../fields/field';
import { shown } from '../fields/values';
import type { Call } from './operation';

/** One of several requests that are sent in order. */
export interface Step extends ServiceRequest {
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
	for (const [index, { responseIfSet, ...step }] of steps.entries()) {
		try {
			response = (await responseIfSet?.(response)) ?? (await call.send(step));
		} catch (error) {
			throw withProgress(error as Error, steps, index);
		}
	}
	return response;
}

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
	const byPart = new Map<string, Name[]>();
	for (const name of Object.keys(parts) as Name[]) {
		const { part } = parts[name];
		if (given[name] !== undefined) byPart.set(part, [...(byPart.get(part) ?? []), name]);
	}
	const steps = [...byPart].map(([part, names]): Step => ({
		sets: names.map((name) => fields[name].property.displayName),
		method: 'POST',
		isRepeatable: true,
		...request(part, Object.fromEntries(names.map((name) => [name, given[name]]))),
	}));
	return await sendSteps(call, steps);
}

/** The kinds of comparison. */
export type Kind = 'flag' | 'id' | 'money' | 'quantity' | 'text';

/** Tolerances of numbers: money is equal to the cent, a quantity to four decimals. */
const TOLERANCE = { money: 0.005, quantity: 0.000_05 };

/** Whether a record has a value as it was sent. A record may leave out 0, false and empty text. */
export function isSame(kind: Kind, sent: unknown, found: unknown): boolean {
	switch (kind) {
		case 'flag':
			return (sent ?? false) === (found ?? false);
		case 'id':
			return (sent ?? undefined) === (found ?? undefined);
		case 'text':
			return textKey(sent) === textKey(found);
		default:
			// Binary fractions are never exactly at the limit.
			return Math.abs(Number(sent ?? 0) - Number(found ?? 0)) <= TOLERANCE[kind] + 1e-9;
	}
}

/** Text without what a service may change about it: spacing, line ends, how characters are composed. */
const textKey = (text: unknown) =>
	asSent(String(text ?? ''))
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Says that a field has another value, for errors. */
export const differs = (label: string, found: unknown, sent: unknown) =>
	`'${label}' is ${inWords(found)}, not ${inWords(sent)}`;

const inWords = (value: unknown) =>
	value === undefined || value === null || value === '' ? 'empty' : asSent(shown(value));
