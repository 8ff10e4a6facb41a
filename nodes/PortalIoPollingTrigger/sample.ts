import { NodeOperationError } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import type { ProposalSummary } from '../../client/model';
import { readPage } from '../../client/pages';
import type { Session } from '../../client/session';
import { newCandidate } from './candidates';
import { isChosen, type Settings } from './items';
import { CONCURRENT_READS, type ProposalReader } from './proposalReader';
import type { ChangedRecord, PollEvent } from './types';

/** How many of the newest records are searched for one that the event can occur on, page by page. */
const SAMPLE_RECORDS = 100;
const SAMPLE_PAGE = 20;

/**
 * Returns the newest record as if it had just changed, for a test run in the editor: one with a
 * chosen status if there is one.
 */
export async function readSample(
	session: Session,
	reader: ProposalReader,
	event: PollEvent,
	settings: Settings,
): Promise<ChangedRecord> {
	const [list] = event.lists;
	let other: ChangedRecord | undefined;
	let searched = 0;
	let total = Infinity;
	for (let page = 1; searched < Math.min(SAMPLE_RECORDS, total); page++) {
		const read = await readPage<ProposalSummary>(session, list!, page, SAMPLE_PAGE);
		if (read.records.length === 0) break;
		({ total } = read);
		searched += read.records.length;
		for (let first = 0; first < read.records.length; first += CONCURRENT_READS) {
			const some = read.records.slice(first, first + CONCURRENT_READS);
			const changed = await mapConcurrent(some, CONCURRENT_READS, async (record) => {
				const candidate = newCandidate(record, async () => await reader.read(record.id));
				return (await event.detectChange(candidate))?.changed ?? [];
			});
			const sample = changed.flat().find((one) => isChosen(one, settings));
			if (sample !== undefined) return sample;
			other ??= changed.flat()[0];
		}
	}
	if (other !== undefined) return other;
	const [unreadable] = reader.skipped.values();
	if (unreadable !== undefined) throw unreadable;
	throw new NodeOperationError(session.node, 'There is nothing yet to show as a sample', {
		description: `A test run searches the ${SAMPLE_RECORDS} records that were modified last for one that fits the event, and there were ${searched} of them without one. Once the workflow is published, it starts when there is one.`,
	});
}
