/** What an operation sends for one input, and the records of what the service returns. */
import type { IDataObject } from 'n8n-workflow';
import { takeList } from '../../../client/data';
import { PortalError } from '../../../client/errors';
import { sentIds, type AnyValues, type Operation } from '../operation/operation';
import { shapeResponse, type Output } from '../operation/output';
import type { NodeCall } from './call';

/**
 * Sends what the operation needs and shapes what the service returns: the records of a list, or one
 * response.
 */
export async function sendAndShape(operation: Operation, call: NodeCall): Promise<IDataObject[]> {
	const { output, list, execute, find } = operation;
	const { values } = call;
	const request = operation.request?.(values);
	if (list !== undefined) {
		const records = await call.readList({ request: request!, ...list });
		return records.flatMap((one) => shapeResponse(output ?? {}, one, values));
	}
	const accepted = await (request === undefined ? execute!(call) : call.send(request));
	const found = await find?.(call, accepted);
	const response = found === undefined ? accepted : found.response;
	const confirmation = confirm(operation, values, call.lastChange?.method, response);
	if (output === undefined || typeof response !== 'object' || response === null) {
		return [confirmation];
	}
	const withFound = found === undefined ? output : { ...output, records: () => found.records };
	const records = shapeAll(withFound, response, call);
	// A change has an output whatever the service returns: an empty one would end the workflow.
	return records.length > 0 || !call.hasChanged ? records : [confirmation];
}

/** The records of a response. What reads them takes any JSON: its shape may be another one. */
function shapeAll(
	output: Output<AnyValues, object>,
	response: object,
	{ values, doubt }: NodeCall,
): IDataObject[] {
	try {
		const found = output.list ? takeList(response, ...output.list) : [response].flat();
		return found.flatMap((one) => shapeResponse(output, one as IDataObject, values));
	} catch (reason) {
		throw PortalError.from(reason as Error).with({ doubt });
	}
}

/** That it was done, with the IDs that were sent: the output where there is no record. */
function confirm(
	operation: Operation,
	values: AnyValues,
	method: string | undefined,
	response: unknown,
): IDataObject {
	const { deleted = true } = (response || {}) as { deleted?: boolean };
	const done = method === 'DELETE' ? { deleted } : { success: true };
	const message = typeof response === 'string' && response !== '' ? { message: response } : {};
	return { ...done, ...sentIds(operation, values), ...message };
}
