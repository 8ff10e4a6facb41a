import type { IDataObject } from 'n8n-workflow';
import { ShapeError } from '../../../client/responseShape';
import { selectSentIds, type AnyValues, type Operation } from '../operation/operation';
import { isOutputRecord, selectFields } from '../operation/output';

/**
 * Returns one output item for each record. If a change was sent and Portal.io returned no record, returns a
 * confirmation with the sent IDs, because an empty output would end the workflow.
 */
export function presentRecords(
	{ output, kind, idFields }: Operation,
	responses: unknown[],
	values: AnyValues,
	isSent: boolean,
): IDataObject[] {
	const ids = selectSentIds({ idFields }, values);
	if ('confirms' in output) return [{ [output.confirms]: true, ...ids }];
	const records: IDataObject[] = [];
	for (const response of responses) {
		if (isOutputRecord(output, response)) records.push(selectFields(output, response, values));
		else if (kind === 'read') throw new ShapeError('a record', response);
	}
	return records.length === 0 && isSent ? [{ success: true, ...ids }] : records;
}
