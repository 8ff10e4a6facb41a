/** Updates that need several requests. */
import { PortalError } from '../../../client/errors';
import type { FieldValue, RequestFields, ServiceRequest } from '../../../client/request';
import { updateFields } from '../fields/collections';
import type { Extras, Field } from '../fields/field';
import { clearableText } from '../fields/kinds';
import type { ComparisonKind } from './comparison';
import type { Call } from './operation';

export interface UpdateStep extends ServiceRequest {
	/** The labels of the fields that the request sets, for errors. */
	sets: string[];
}

/** Sends a request; `latest` is the response to the previous request. */
type SendStep = (step: UpdateStep, latest: unknown) => Promise<unknown>;

/** Sends requests in order; an error lists the fields that were and were not set. */
export async function sendSteps(steps: UpdateStep[], send: SendStep): Promise<unknown> {
	let response: unknown;
	for (const [index, step] of steps.entries()) {
		try {
			response = await send(step, response);
		} catch (error) {
			throw withProgress(error as Error, 'Set', steps, index, labelsOf);
		}
	}
	return response;
}

const labelsOf = (steps: UpdateStep[]): string =>
	steps.flatMap(({ sets }) => sets.map((label) => `'${label}'`)).join(', ');

/**
 * Adds to an error what was done before it, and what was not: `Set: 'Cost'. Failed: 'MSRP'.`
 *
 * @param done verb for the parts before the failed one
 * @param inWords names parts; '' if there is nothing to name
 */
export function withProgress<T>(
	error: Error,
	done: string,
	parts: T[],
	failedIndex: number,
	inWords: (parts: T[]) => string,
): PortalError {
	const groups = {
		[done]: parts.slice(0, failedIndex),
		Failed: parts.slice(failedIndex, failedIndex + 1),
		'Not sent': parts.slice(failedIndex + 1),
	};
	const sentences = Object.entries(groups).flatMap(([what, group]) => {
		const names = inWords(group);
		return names === '' ? [] : [`${what}: ${names}.`];
	});
	return PortalError.from(error).with({ progress: [sentences.join(' ')] });
}

/** A value that an update sets; `part` ends the path of its request. */
interface Settable {
	part: string;
	label: string;
	field: Field<FieldValue>;
}

/** Returns a function that declares values of this kind. */
export const settable =
	<T, K extends ComparisonKind>(
		kind: K,
		create: (displayName: string, extras: Extras) => Field<T>,
	) =>
	(part: string, label: string, description: string, extras: Extras = {}) => {
		return { part, kind, label, field: create(label, { ...extras, description }) };
	};

/** Declares a text; `rows` is the height of its field. */
export const settableText = (part: string, label: string, description: string, rows?: number) =>
	settable('text', clearableText)(part, label, description, rows ? { typeOptions: { rows } } : {});

/** Returns *Update Fields* with the values of a table, sorted by their labels. */
export function updateFieldsOf<T extends Record<string, Settable>>(table: T) {
	const rows = Object.entries(table);
	rows.sort(([, first], [, second]) => first.label.localeCompare(second.label, 'en'));
	const fields = Object.fromEntries(rows.map(([name, { field }]) => [name, field]));
	return updateFields(fields as { [Name in keyof T]: T[Name]['field'] });
}

/** Returns the request that sets values of one record; `part` ends its path. */
export type UpdateOf = (part: string, values: RequestFields) => ServiceRequest;

/** Sends one request for each part of which the user added a field, in the order of the table. */
export async function sendUpdate<Name extends string>(
	call: Call<{ updateFields: Partial<Record<Name, FieldValue>> }>,
	table: Record<Name, Settable>,
	requestOf: UpdateOf,
	send: SendStep = call.send,
): Promise<unknown> {
	const byPart = new Map<string, { sets: string[]; values: RequestFields }>();
	for (const [name, { part, label }] of Object.entries<Settable>(table)) {
		const value = call.values.updateFields[name as Name];
		if (value === undefined) continue;
		const { sets, values } = byPart.get(part) ?? { sets: [], values: {} };
		byPart.set(part, { sets: [...sets, label], values: { ...values, [name]: value } });
	}
	const steps: UpdateStep[] = [];
	for (const [part, { sets, values }] of byPart) steps.push({ sets, ...requestOf(part, values) });
	return await sendSteps(steps, send);
}
