/** Makes the output of an input item from what its operation returned. */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../client/guards';
import { sentIds, type AnyValues, type Operation } from '../operation/operation';
import { selectFields, type Result } from '../operation/output';
import type { CallLog } from './call';

/** A change without records outputs a confirmation: an empty output would end the workflow. */
export function presentRecords(
	operation: Operation,
	result: Result,
	values: AnyValues,
	log: CallLog,
): IDataObject[] {
	const { output } = operation;
	const outputs = output ? selectFields(output, result, values) : result.records;
	const isChange = log.lastChange !== undefined;
	const entries = outputs.length === 0 && isChange ? [undefined] : outputs;
	return entries.map((record) => {
		const isShown = output && isRecord(record) && !(isChange && Object.keys(record).length === 0);
		return isShown ? record : confirmation(operation, values, log, record);
	});
}

function confirmation(
	operation: Operation,
	values: AnyValues,
	{ lastChange }: CallLog,
	response: unknown,
): IDataObject {
	const { deleted = true } = (response || {}) as { deleted?: boolean };
	const result = lastChange?.method === 'DELETE' ? { deleted } : { success: true };
	const message = typeof response === 'string' && response !== '' ? { message: response } : {};
	return { ...result, ...sentIds(operation, values), ...message };
}
