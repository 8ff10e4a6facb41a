/** Runs an operation with values that were found already, and presents its output. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Session } from '../../client/session.ts';
import type { AnyValues, Operation } from '../../nodes/PortalIo/operation/operation.ts';
import { CallLog, createCall } from '../../nodes/PortalIo/run/call.ts';
import { presentRecords } from '../../nodes/PortalIo/run/present.ts';

export async function operationOutput(
	context: IExecuteFunctions,
	session: Session,
	operation: Operation,
	values: AnyValues,
): Promise<IDataObject[]> {
	const log = new CallLog();
	const call = createCall({ context, hints: new Map() }, session, log, values, Infinity);
	const records = await operation.run(call);
	return presentRecords(operation, records, values, log.lastChange !== undefined);
}
