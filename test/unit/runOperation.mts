/** Runs an operation against a service that is simulated by a function. */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Operation } from '../../nodes/PortalIo/operation/operation.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { CallLog, createCall } from '../../nodes/PortalIo/run/call.ts';
import { presentRecords } from '../../nodes/PortalIo/run/present.ts';
import { playedSession } from './playedSession.mts';

/** @param name name such as `item.add` */
export function operationCalled(name: string): Operation {
	const [resource, operation] = name.split('.') as [string, string];
	return findOperation(resource, operation)!;
}

/** Runs an operation. Returns all fields of the output, unless `values` sets *Output*. */
export async function runOperation(
	name: string,
	values: object,
	respond: (request: IHttpRequestOptions) => unknown,
): Promise<IDataObject[]> {
	const operation = operationCalled(name);
	const { output } = operation;
	const allValues = {
		output: 'selected',
		fields: 'flat' in output ? Object.keys(output.flat) : [],
		options: {},
		filters: {},
		additionalFields: {},
		...values,
	};
	const { session, context } = playedSession((request) => structuredClone(respond(request)));
	const log = new CallLog();
	const call = createCall(
		{ context, hints: new Map() },
		session,
		log,
		allValues as never,
		Infinity,
	);
	const records = await operation.run(call);
	return presentRecords(operation, records, allValues as never, log.lastChange !== undefined);
}
