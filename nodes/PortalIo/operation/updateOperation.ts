import { PortalError } from '../../../client/errors';
import type { FieldValue, RequestFields, ServiceRequest } from '../../../client/request';
import { updateFields } from '../fields/collections';
import type { Field, FieldMap, Values } from '../fields/field';
import { defineOperation, type OperationCall, type Operation } from './operation';
import type { Output } from './output';

/** Values that an update can set, by name, in the order in which they are sent. */
type UpdateTable = Record<string, UpdateValue>;

export interface UpdateValue {
	/** End of the request's path. One request sets all values with the same `part`. */
	part: string;
	field: Field<FieldValue>;
}

export const labelOf = ({ field }: UpdateValue): string => field.property.displayName;

/** Returns the request that sets values of one record. `part` is the end of the request's path. */
export type UpdateRequestBuilder = (part: string, values: RequestFields) => ServiceRequest;

export interface UpdateStep extends ServiceRequest {
	/** Labels of the fields that the request sets, for errors. */
	sets: string[];
}

/** Sends a request; `latest` is the response to the previous request. */
type SendStep = (step: UpdateStep, latest: unknown) => Promise<unknown>;

type UpdateCall<F extends FieldMap, T extends UpdateTable> = OperationCall<
	Values<F> & { updateFields: Partial<Record<keyof T & string, FieldValue>> }
>;

interface UpdateDeclaration<F extends FieldMap, T extends UpdateTable> {
	name: string;
	action: string;
	description: string;
	unconfirmed?: 'checked';
	/** Fields before *Update Fields*, except for `options`, which is shown after it. */
	fields: F;
	table: T;
	/** Returns a function that builds the requests for one record. */
	requestBuilder(values: Values<F>): UpdateRequestBuilder;
	/** @param sendUpdate sends one request for each part that contains a value that the user added */
	run(
		call: UpdateCall<F, T>,
		sendUpdate: (send?: SendStep) => Promise<unknown>,
	): Promise<unknown[]>;
	output: Output;
}

/** Declares an update of a proposal, or of a record in it, with one request for each part. */
export function defineUpdate<F extends FieldMap, T extends UpdateTable>({
	fields: { options, ...ids },
	table,
	requestBuilder,
	run,
	...declaration
}: UpdateDeclaration<F, T>): Operation {
	const rows = Object.entries(table);
	rows.sort(([, first], [, second]) => labelOf(first).localeCompare(labelOf(second), 'en'));
	const sortedFields = Object.fromEntries(rows.map(([name, { field }]) => [name, field]));
	return defineOperation<FieldMap>({
		...declaration,
		kind: 'change',
		queue: 'proposalId',
		fields: { ...ids, updateFields: updateFields(sortedFields), ...(options && { options }) },
		run: async (untypedCall) => {
			const call = untypedCall as UpdateCall<F, T>;
			const steps = planSteps(table, call.values.updateFields, requestBuilder(call.values));
			return await run(call, async (send = call.send) => await sendSteps(steps, send));
		},
	});
}

/** Returns one request for each part that contains a value, in the order of the table. */
function planSteps(
	table: UpdateTable,
	values: Partial<Record<string, FieldValue>>,
	buildRequest: UpdateRequestBuilder,
): UpdateStep[] {
	const byPart = new Map<string, { sets: string[]; values: RequestFields }>();
	for (const [name, row] of Object.entries(table)) {
		if (values[name] === undefined) continue;
		const { sets, values: earlier } = byPart.get(row.part) ?? { sets: [], values: {} };
		const together = { ...earlier, [name]: values[name] };
		byPart.set(row.part, { sets: [...sets, labelOf(row)], values: together });
	}
	return [...byPart].map(([part, { sets, values }]) => ({ sets, ...buildRequest(part, values) }));
}

/** Sends requests in order. If one fails, the error lists the fields that were set and those that were not. */
export async function sendSteps(steps: UpdateStep[], send: SendStep): Promise<unknown> {
	let response: unknown;
	for (const [index, step] of steps.entries()) {
		try {
			response = await send(step, response);
		} catch (error) {
			const groups = {
				Set: steps.slice(0, index),
				Failed: [step],
				'Not sent': steps.slice(index + 1),
			};
			const sentences = Object.entries(groups).flatMap(([what, group]) => {
				const labels = group.flatMap(({ sets }) => sets.map((label) => `'${label}'`));
				return labels.length === 0 ? [] : [`${what}: ${labels.join(', ')}.`];
			});
			throw PortalError.from(error as Error).with({ progress: [sentences.join(' ')] });
		}
	}
	return response;
}
