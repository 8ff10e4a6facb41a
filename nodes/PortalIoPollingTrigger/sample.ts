import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { apiStatusOf, PortalError } from '../../client/errors';
import { readPage } from '../../client/lists';
import type { ProposalSummary } from '../../client/proposal';
import { openSession } from '../../client/session';
import { isChosenStatus } from '../shared/statuses';
import { CONCURRENT_READS } from './compare';
import { readSettings, type ChangedRecord } from './events';
import { toItem } from './item';
import { ProposalReader } from './proposalReader';

/** A test run searches only the newest records, because each may require a request. */
const SAMPLE_RECORDS = 100;

/**
 * Returns the item for a test in the editor, as if the newest record had just changed. Prefers a record
 * with a chosen status. Throws a PortalError if no record matches the event.
 */
export async function readSample(context: IPollFunctions): Promise<INodeExecutionData> {
	const { event, settings } = readSettings(context);
	const session = await openSession(context);
	const reader = new ProposalReader(session);
	const previousVersion = { time: 0, state: event.initialState };
	const changesOf = async (summary: ProposalSummary): Promise<ChangedRecord[]> => {
		const record = event.isDetailed ? await reader.read(summary.id) : summary;
		return record ? event.changesOf({ record, previousVersion }) : [];
	};
	let changeToOtherStatus: ChangedRecord | undefined;
	const { records } = await readPage<ProposalSummary>(session, event.lists[0]!, 1, SAMPLE_RECORDS);
	const source = { event, settings, reader };
	for (let start = 0; start < records.length; start += CONCURRENT_READS) {
		const batch = records.slice(start, start + CONCURRENT_READS);
		const changes = (await mapConcurrent(batch, CONCURRENT_READS, changesOf)).flat();
		const failures = batch.map(({ id }) => reader.errors.get(id));
		// Status 403 concerns one proposal. Any other failure would also fail the remaining reads.
		if (failures.every((failure) => failure && apiStatusOf(failure) !== '403')) throw failures[0]!;
		const sample = changes.find(({ record }) =>
			isChosenStatus(record.status, settings.statuses, settings.statusField),
		);
		if (sample !== undefined) return await toItem(source, sample);
		changeToOtherStatus ??= changes[0];
	}
	if (changeToOtherStatus !== undefined) return await toItem(source, changeToOtherStatus);
	const [readError] = reader.errors.values();
	if (readError !== undefined) throw readError;
	throw new PortalError('No record to show as a sample yet', {
		advice: [
			`A test run looks for one among the ${SAMPLE_RECORDS} most recently modified records. It read ${records.length}, and none of them matches the event. Once the workflow is published, it starts when one does.`,
		],
	});
}
