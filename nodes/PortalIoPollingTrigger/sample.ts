import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { statusOf } from '../../client/errors';
import { readPage } from '../../client/lists';
import type { ProposalSummary } from '../../client/proposal';
import { openSession } from '../../client/session';
import { isChosenStatus } from '../shared/statuses';
import { CONCURRENT_READS, ProposalReader, toItem } from './compare';
import { readSettings, type ChangedRecord } from './events';

/** The number of newest records that are searched for a sample. */
const SAMPLE_RECORDS = 100;

/**
 * Makes the item for a test in the editor: of the newest record, with a chosen status if there is one, as
 * if it had just changed.
 *
 * @throws NodeOperationError when there is no such record
 */
export async function readSample(context: IPollFunctions): Promise<INodeExecutionData> {
	const { event, settings } = readSettings(context);
	const session = await openSession(context);
	const reader = new ProposalReader(session);
	const previous = { time: 0, state: event.initialState };
	const changesOf = async (listed: ProposalSummary): Promise<ChangedRecord[]> => {
		const record = event.isDetailed ? await reader.read(listed.id) : listed;
		return record ? event.changesOf({ record, previous }) : [];
	};
	let other: ChangedRecord | undefined;
	const { records } = await readPage<ProposalSummary>(session, event.lists[0]!, 1, SAMPLE_RECORDS);
	const rest = [...records];
	while (rest.length > 0) {
		const some = rest.splice(0, CONCURRENT_READS);
		const changed = (await mapConcurrent(some, CONCURRENT_READS, changesOf)).flat();
		const failures = some.map(({ id }) => reader.errors.get(id));
		// The rest would fail, too, unless this user may not read some of them.
		if (failures.every((failure) => failure && statusOf(failure) !== '403')) throw failures[0]!;
		const sample = changed.find(({ record }) =>
			isChosenStatus(record.status, settings.statuses, settings.statusField),
		);
		if (sample !== undefined) return await toItem({ event, settings, reader }, sample);
		other ??= changed[0];
	}
	if (other !== undefined) return await toItem({ event, settings, reader }, other);
	const [unreadable] = reader.errors.values();
	if (unreadable !== undefined) throw unreadable;
	throw new NodeOperationError(session.node, 'No record to show as a sample yet', {
		description: `A test run looks for one among the ${SAMPLE_RECORDS} most recently modified records. It read ${records.length}, and none of them matches the event. Once the workflow is published, it starts when one does.`,
	});
}
