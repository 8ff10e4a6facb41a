import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { PortalError } from '../../client/errors';
import { readPagedList } from '../../client/lists';
import type { ProposalSummary } from '../../client/proposal';
import { openSession } from '../../client/session';
import { isChosenStatus } from '../shared/statuses';
import { CONCURRENT_READS } from './findChanges';
import { readSettings, type ChangedRecord } from './pollEvents';
import { createItem } from './createItem';
import { isHidden, tryToReadProposal } from './proposalReader';

/** Maximum number of records that a test run searches. Each can require a request. */
const SAMPLE_RECORDS = 100;

/**
 * Returns the output item for a test in the editor, as if the newest record had just changed. Prefers a record with a
 * chosen status. Throws a PortalError if no record matches the event.
 */
export async function readSample(context: IPollFunctions): Promise<INodeExecutionData> {
	const { event, settings } = readSettings(context);
	const session = await openSession(context);
	const previousVersion = { time: 0, state: event.initialState };
	const { records } = await readPagedList<ProposalSummary>(session, event.lists[0]!, {
		limit: SAMPLE_RECORDS,
	});
	let changeToOtherStatus: ChangedRecord | undefined;
	let readError: PortalError | undefined;
	for (let start = 0; start < records.length; start += CONCURRENT_READS) {
		const batch = records.slice(start, start + CONCURRENT_READS);
		const read = await mapConcurrent(batch, CONCURRENT_READS, async (summary) =>
			event.isDetailed ? await tryToReadProposal(session, summary.id) : summary,
		);
		const failures = read.filter((record) => record instanceof PortalError);
		readError ??= failures[0];
		// Stop if all reads failed, because more reads would also fail. Continue if this user only lacks access to
		// these proposals.
		if (failures.length === batch.length && !failures.every(isHidden)) throw readError!;
		const changes = read.flatMap((record) =>
			record instanceof PortalError ? [] : event.detectChanges({ record, previousVersion }),
		);
		const sample = changes.find(({ record }) =>
			isChosenStatus(record.status, settings.statuses, settings.statusField),
		);
		if (sample !== undefined) return await createItem(session, event, settings, sample);
		changeToOtherStatus ??= changes[0];
	}
	if (changeToOtherStatus !== undefined) {
		return await createItem(session, event, settings, changeToOtherStatus);
	}
	if (readError !== undefined) throw readError;
	throw new PortalError('No sample record found', {
		advice: [
			`A test run checks the ${SAMPLE_RECORDS} most recently modified records. It found no match (records checked: ${records.length}). Once the workflow is published, it starts when a record matches.`,
		],
	});
}
